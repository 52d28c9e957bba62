"""The migrated, empty SQLite database: all migrations take half a minute, so they run once and are copied.

Tests of Python begin with it, and so does the journeys' demo. Whichever comes first makes it.
"""

import hashlib
import os
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CACHE: Final = ROOT / "var" / "cache" / "tests"


def sqlite_copy() -> Path:
    """Where it is, once somebody has kept one: good until a migration or a pinned package changes."""
    return CACHE / f"{fingerprint()}.sqlite3"


def keep_copy(database: sqlite3.Connection) -> None:
    """Keep this one, and none of before."""
    CACHE.mkdir(parents=True, exist_ok=True)
    old = [file for file in CACHE.glob("*.sqlite3") if file != sqlite_copy()]
    write_database(database, sqlite_copy())
    for file in old:
        file.unlink(missing_ok=True)


def write_database(database: sqlite3.Connection, file: Path) -> None:
    """Write it to a file, whole or not at all."""
    unfinished = file.with_suffix(f".{os.getpid()}")
    with closing(sqlite3.connect(unfinished)) as target:
        database.backup(target)
        # A server's database has a write-ahead log. One in memory, which tests fill from this file, can have none.
        target.execute("PRAGMA journal_mode = DELETE")
    unfinished.replace(file)


@cache
def fingerprint() -> str:
    """Of everything the empty database follows from."""
    migrations = sorted((ROOT / "backend" / "portolan").glob("*/migrations/*.py"))
    digest = hashlib.sha256()
    for file in (*migrations, ROOT / "requirements-dev.lock", ROOT / "sites.toml"):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]
