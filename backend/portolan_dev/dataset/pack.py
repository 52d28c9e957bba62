"""Pack a data set into one file: database, media, leads' files, PostgreSQL's tables, and the version that made it."""

import json
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any, Final

DATABASE: Final = "portolan.sqlite3"
SCHEMA: Final = ("postgres-before.sql", "postgres-after.sql")
"""SQL of an empty PostgreSQL database of this version: tables, to create before the rows; then constraints and indexes."""
_NOT_KEPT: Final = ("django_session", "wagtailcore_modellogentry", "wagtailcore_pagelogentry")
_FOLDERS: Final = ("media", "leads")


def pack(var: Path, schema: tuple[str, str], about: dict[str, Any], target: Path) -> None:
    """Write the archive ``target`` from the folder ``var`` of an installation that is not running."""
    small = var / f"{DATABASE}.small"
    small.unlink(missing_ok=True)
    with closing(sqlite3.connect(var / DATABASE)) as database:
        for table in _NOT_KEPT:
            database.execute(f"DELETE FROM {table}")  # noqa: S608  (ours)
        database.commit()
        database.execute("VACUUM INTO ?", (str(small),))
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".unfinished")
    texts = {"about.json": json.dumps(about, indent=2), **dict(zip(SCHEMA, schema, strict=True))}
    with tarfile.open(unfinished, "w:xz", preset=9) as archive:
        archive.add(small, DATABASE, filter=_anonymous)
        for name in _FOLDERS:
            if (var / name).exists():
                archive.add(var / name, name, filter=_anonymous)
        for name, text in texts.items():
            file = var / name
            file.write_text(text, encoding="utf-8")
            archive.add(file, name, filter=_anonymous)
    small.unlink()
    unfinished.replace(target)


def dump_schema(url: str, pg_dump: Path) -> tuple[str, str]:
    """Return both parts of the schema without commands of ``psql``."""
    parts = []
    for section in ("pre-data", "post-data"):
        command = [str(pg_dump), "--no-owner", "--no-privileges", "--schema-only", f"--section={section}", url]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        lines = done.stdout.splitlines()
        parts.append("\n".join(line for line in lines if line and not line.startswith(("--", "\\"))) + "\n")
    return parts[0], parts[1]


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Remove owner and time from an entry. Return None for sockets and locks."""
    if not (entry.isfile() or entry.isdir()) or entry.name.endswith(".lock"):
        return None
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    return entry
