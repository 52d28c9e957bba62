"""Back up the database as a copy of one moment while others write, and restore it completely or not at all."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from gzip import BadGzipFile
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from isal import igzip, isal_zlib

from ..releases.database_damage import find_problems, sqlite_path
from ..releases.database_errors import damaged, find_trouble
from .catalogue import Engine
from .problem import BackupError

_gzip: Final[Any] = igzip  # the package has no types
_zlib: Final[Any] = isal_zlib
_LEVEL: Final = 1
_FILES: Final = "SELECT path, sha256 FROM leads_leadfile"
_MIGRATIONS: Final = "SELECT app, name FROM django_migrations ORDER BY id"
_TABLES: Final = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
_BUSY_S: Final = 20
_NOTHING_SAVED: Final = "Nothing was backed up. All earlier backups remain."
SQLITE_NAME: Final = "database.sqlite3"
POSTGRES_NAME: Final = "database.dump"


class Snapshot(NamedTuple):
    """A copy of the database, and facts about it."""

    file: Path
    is_packed: bool
    version: str
    migrations: list[tuple[str, str]]
    lead_files: dict[str, str]
    """Digests of leads' files by their name in the store."""


def engine_of(url: str) -> Engine:
    return "sqlite" if urlsplit(url).scheme == "sqlite" else "postgresql"


def take_snapshot(url: str, folder: Path) -> Snapshot:
    """Copy the database into ``folder`` and check the copy.

    Raise BackupError if the database or a matching program is missing, or the copy is damaged.
    """
    return _take_sqlite(sqlite_path(url), folder) if engine_of(url) == "sqlite" else _take_postgres(url, folder)


def is_empty(url: str) -> bool:
    """Return whether a restore would replace no data. Raise BackupError if this is unknown."""
    if engine_of(url) == "sqlite":
        file = sqlite_path(url)
        return not file.exists() or file.stat().st_size == 0
    with _postgres(url) as connection:
        ((tables,),) = connection.execute(_TABLES).fetchall()
        return int(tables) == 0


def put_sqlite(packed: Path, staged: Path) -> None:
    """Unpack a copy to ``staged`` and check it. Raise BackupError if it is damaged."""
    staged.touch(mode=0o600)
    try:
        with _gzip.open(packed, "rb") as source, staged.open("wb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
        problems = find_problems(staged) if staged.stat().st_size else ["it is empty"]
    except (EOFError, BadGzipFile, _zlib.error) as error:
        problems = [str(error)]
    if problems:
        raise BackupError(
            f"The database in the backup is damaged ({'; '.join(problems)}). Nothing changed. Use an earlier backup: "
            "`portolan backup TARGET --list`"
        )


def put_postgres(dump: Path, url: str) -> None:
    """Restore in one transaction, completely or not at all. Existing tables stay in a renamed schema."""
    from .postgres_tools import find_program, major_of, run

    with _postgres(url) as connection:
        program = find_program("pg_restore", major_of(connection))
        aside = "" if connection.execute(_TABLES).fetchall() == [(0,)] else f"replaced_{datetime.now(UTC):%Y%m%d%H%M%S}"
        if aside:
            connection.execute(f"ALTER SCHEMA public RENAME TO {aside}".encode())
            connection.execute(b"CREATE SCHEMA public")
    try:
        run(program, url, ["--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", str(dump)])
    except BackupError:
        if aside:
            with _postgres(url) as connection:
                connection.execute(b"DROP SCHEMA public")
                connection.execute(f"ALTER SCHEMA {aside} RENAME TO public".encode())
        raise


def _take_sqlite(file: Path, folder: Path) -> Snapshot:
    if not file.is_file():
        raise BackupError(f"There is no database at {file}. Nothing was backed up. Is this the installation's folder?")
    copy, packed = folder / "copy.sqlite3", folder / SQLITE_NAME
    copy.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(file, timeout=_BUSY_S)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)  # one read transaction: writers continue, and the copy is of one moment
            target.execute("PRAGMA journal_mode = DELETE")
        if problems := find_problems(copy):  # SQLite also copies damaged pages
            raise BackupError(f"{damaged('; '.join(problems))} {_NOTHING_SAVED}")
        with closing(sqlite3.connect(copy)) as target:
            files = dict(target.execute(_FILES))
            migrations = [(app, name) for app, name in target.execute(_MIGRATIONS)]
    except sqlite3.DatabaseError as error:
        raise _explain(error) from None
    # Without a time: an unchanged database is the same file, and stored once.
    with copy.open("rb") as plain, _gzip.IGzipFile(packed, "wb", _LEVEL, mtime=0) as written:
        shutil.copyfileobj(plain, written, 1 << 20)
    copy.unlink()
    return Snapshot(packed, True, sqlite3.sqlite_version, migrations, files)


def _explain(error: Exception) -> BackupError:
    trouble = find_trouble(error)
    return BackupError(f"{trouble or error} {_NOTHING_SAVED}")


def _take_postgres(url: str, folder: Path) -> Snapshot:
    from .postgres_tools import find_program, major_of, run, try_dump

    dump = folder / POSTGRES_NAME
    with _postgres(url) as connection:
        server = major_of(connection)
        program = find_program("pg_dump", server)
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        # These queries and the dump use the same snapshot.
        ((moment,),) = connection.execute("SELECT pg_export_snapshot()").fetchall()
        files = {str(path): str(digest) for path, digest in connection.execute(_FILES).fetchall()}
        migrations = [(str(app), str(name)) for app, name in connection.execute(_MIGRATIONS).fetchall()]
        run(program, url, ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment}"], dump)
    try_dump(find_program("pg_restore", server), dump)
    return Snapshot(dump, False, str(server), migrations, files)


@contextmanager
def _postgres(url: str) -> Iterator[Any]:
    import psycopg

    from .postgres_tools import connect

    try:
        with connect(url) as connection:
            yield connection
    except psycopg.Error as error:
        raise _explain(error) from None
