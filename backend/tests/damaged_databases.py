"""Write junk into SQLite files, like a failing disk."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

_JUNK: Final = b"\xa5\x5a\x00junk"


def damage_table(file: Path, table: str) -> None:
    """Write junk over the first page of a table or an index. The file can still be opened, and other tables can be
    read."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        ((root,),) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchall()
        ((size,),) = database.execute("PRAGMA page_size").fetchall()
    _overwrite(file, (root - 1) * size, size)


def damage_header(file: Path) -> None:
    """Write junk over the first bytes, so that SQLite rejects the file."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    _overwrite(file, 0, 100)


def _overwrite(file: Path, at: int, size: int) -> None:
    with file.open("r+b") as out:
        out.seek(at)
        out.write((_JUNK * (size // len(_JUNK) + 1))[:size])
