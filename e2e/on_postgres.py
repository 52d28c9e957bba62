"""The demo in PostgreSQL: its rows are copied once for each server, and each installation gets a copy of that database.

`python -m e2e.on_postgres FOLDER` fills the database that DATABASE_URL names, and makes it, from the SQLite file of the folder.
"""

import fcntl
import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
from psycopg import sql

from testing.kept import ROOT, folder_of
from testing.migrated import fingerprint
from tests.processes import SLOWER

_TEMPLATES: Final = "portolan_demo_"
_FILLED_WITHIN_S: Final = 600 * SLOWER


@contextmanager
def copy_on(server: str, seeded: Path) -> Iterator[str]:
    """Yield the URL of a database with the folder's data. It is dropped at the end of the block."""
    template, name = _prepare_template(server, seeded), f"demo_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        )
    try:
        yield _url_of(server, name)
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _prepare_template(server: str, seeded: Path) -> str:
    """Its name. Workers of one run take turns."""
    made_of = seeded.name.encode() + fingerprint().encode()
    template = f"{_TEMPLATES}{hashlib.sha256(made_of).hexdigest()[:16]}"
    with (
        (folder_of("migrated") / "demo.lock").open("w") as lock,
        psycopg.connect(server, autocommit=True) as connection,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
            return template
        unfinished = f"{_TEMPLATES}{uuid4().hex}"
        _fill_elsewhere(_url_of(server, unfinished), seeded)
        connection.execute(
            sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(unfinished), sql.Identifier(template))
        )
    return template


def _fill_elsewhere(url: str, seeded: Path) -> None:
    """In a process with Django, whose database that is."""
    environment = {**os.environ, "DATABASE_URL": url, "PORTOLAN_VAR_DIR": str(seeded)}
    done = subprocess.run(
        [sys.executable, "-m", "e2e.on_postgres", str(seeded)],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_FILLED_WITHIN_S,
    )
    assert done.returncode == 0, f"the demo could not be brought over to PostgreSQL:\n{done.stdout}{done.stderr}"


def _fill(file: Path) -> None:
    """Create the tables, then copy all rows. Triggers are off meanwhile, so their order does not matter."""
    from portolan.config.start_django import start_django

    start_django()
    from django.core.management import call_command
    from django.db import connection

    from portolan.config.empty_database import prepare_database
    from portolan.config.env import env
    from tests.empty_database import begin_with_copy
    from tests.upgrade.restore import copy_rows

    with begin_with_copy():
        template = connection.settings_dict["TEST"].get("TEMPLATE")
        with connection._nodb_cursor() as cursor:
            name = connection.ops.quote_name(connection.settings_dict["NAME"])
            cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'}")
        if not template:
            prepare_database()
    with psycopg.connect(env().database) as target, closing(sqlite3.connect(file)) as source:
        target.execute("SET session_replication_role TO replica")
        target.execute("SET timezone TO 'UTC'")
        tables = [
            sql.Identifier(name)
            for (name,) in target.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ]
        target.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(tables)))
        copy_rows(source, target)
    call_command("wagtail_update_index", verbosity=0)
    connection.close()
    connection.close_pool()


def _url_of(server: str, name: str) -> str:
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


if __name__ == "__main__":
    _fill(Path(sys.argv[1]) / "portolan.sqlite3")
