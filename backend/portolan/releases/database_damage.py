"""Find damage in a database: stored bytes that differ from the written ones."""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal
from urllib.parse import quote, unquote, urlsplit

from .database_errors import find_trouble
from .postgres_limits import LIMITS

_CHECKSUMS: Final = "SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()"


def find_damage(url: str) -> str:
    """Read the whole database and return a description of the damage; empty if there is none or it is unreachable.

    PostgreSQL checks pages on reading and counts the damaged ones, if the cluster has checksums.
    """
    if urlsplit(url).scheme == "sqlite":
        return "; ".join(find_problems(sqlite_path(url), "quick_check"))
    import psycopg

    with suppress(psycopg.Error), psycopg.connect(url, **{**LIMITS, "autocommit": True}) as server:
        ((failures,),) = server.execute(_CHECKSUMS).fetchall()
        if failures:
            return f"PostgreSQL has read {failures} damaged pages, which its log lists"
    return ""


def find_problems(file: Path, check: Literal["quick_check", "integrity_check"] = "integrity_check") -> list[str]:
    """Read every page of an SQLite database. Return the damage, with names of tables; empty if there is none.

    The quick check does not check whether indexes have all rows.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file))}?mode=ro", uri=True)) as connection:
            if not (said := _check(connection, check)):
                return []
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
            ).fetchall()
            return [f"table {name}" for (name,) in tables if _check(connection, f"{check}('{name}')")] or [said]
    except sqlite3.DatabaseError as error:
        return [str(error)] if _is_damage(error) else []


def sqlite_path(url: str) -> Path:
    return Path(unquote(urlsplit(url).path[1:]))


def _check(connection: sqlite3.Connection, check: str) -> str:
    """Return the first problem in SQLite's words; empty if there is none."""
    try:
        (said,) = connection.execute(f"PRAGMA {check}").fetchone()
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise
        return str(error)
    return "" if said == "ok" else str(said)


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    trouble = find_trouble(error)
    return trouble is not None and trouble.is_damaged
