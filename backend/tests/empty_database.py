"""The empty database for every run of tests, because all migrations take many seconds.

On SQLite it is the one for new installations, if that matches the current migrations. On PostgreSQL migrations run once
for all clones and are kept as a dump (`testing/kept.py`). Each server restores it once as a template database, which
every worker copies.
"""

import fcntl
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings as django_settings
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient

from portolan.config.empty_database import fill
from portolan_dev.empty_database import is_current
from testing.kept import LOCK, NEWEST, folder_of
from testing.migrated import fingerprint

_TEMPLATES: Final = "portolan_tests_"


@contextmanager
def begin_with_copy() -> Iterator[None]:
    """Inside the block, Django makes its test database from the copy, or by migrating if there is none."""
    with _sqlite() if connection.vendor == "sqlite" else _postgresql():
        yield


def write_database(file: Path) -> None:
    """Write the SQLite database that tests use to a file."""
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as target:
        connection.connection.backup(target)


@contextmanager
def _sqlite() -> Iterator[None]:
    """Fills the database in memory that Django is about to open. It lives as long as a connection to it does."""
    with closing(sqlite3.connect(connection.creation._get_test_db_name(), uri=True, isolation_level=None)) as database:
        if is_current():
            fill(database, django_settings.LANGUAGE_CODE)
        yield


@contextmanager
def _postgresql() -> Iterator[None]:
    """Copy the database, and make it first if there is none. Workers of one run, and parallel runs, take turns."""
    dumps = folder_of("migrated")
    with (dumps / LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with _from_template(dumps):
            yield


@contextmanager
def _from_template(dumps: Path) -> Iterator[None]:
    template = f"{_TEMPLATES}{fingerprint()}"
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_TEMPLATES])
        there = [name for (name,) in cursor.fetchall()]
        dump = dumps / f"{fingerprint()}-{cursor.connection.info.server_version // 10000}.sql"
    if template not in there and dump.exists():
        _restore(dump, template)
        dump.touch()  # the newest are kept
        there.append(template)
    if template in there:
        connection.settings_dict["TEST"]["TEMPLATE"] = template
        yield
        return
    yield
    connection.close()
    connection.close_pool()  # a database that is copied must have no connections
    with connection._nodb_cursor() as cursor:
        for old in there:
            cursor.execute(f'DROP DATABASE "{old}"')
        cursor.execute(f'CREATE DATABASE "{template}" TEMPLATE "{connection.settings_dict["NAME"]}"')
    _dump(template, dump)


def _dump(database: str, file: Path) -> None:
    """Dump it for the next server, if this machine has PostgreSQL's programs."""
    if not all(map(_find_program, ("pg_dump", "psql"))):
        return
    for old in sorted(file.parent.glob("*.sql"), key=lambda dump: dump.stat().st_mtime, reverse=True)[NEWEST - 1 :]:
        old.unlink()
    unfinished = file.with_suffix(f".{os.getpid()}")
    _run_program("pg_dump", database, "--no-owner", "--file", str(unfinished))
    unfinished.replace(file)


def _restore(file: Path, database: str) -> None:
    """Restore the whole database, or leave none of this name."""
    unfinished = f"{database}_{os.getpid()}"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{unfinished}"')
        _run_program("psql", unfinished, "--no-psqlrc", "--quiet", "-v", "ON_ERROR_STOP=1", "-1", "-f", str(file))
        cursor.execute(f'ALTER DATABASE "{unfinished}" RENAME TO "{database}"')


def _run_program(name: str, database: str, *options: str) -> None:
    settings = {**connection.settings_dict, "NAME": database}
    (_, *where), password = DatabaseClient.settings_to_cmd_args_env(settings, [])
    program = _find_program(name)
    assert program, f"{name} made the dump and is gone"
    environment = {**os.environ, **(password or {})}
    done = subprocess.run([program, *options, *where], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@cache
def _find_program(name: str) -> str | None:
    """Look next to the server's program, which Debian keeps off the path, then on the path."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        return shutil.which(name, path=cursor.fetchone()[0]) or shutil.which(name)
