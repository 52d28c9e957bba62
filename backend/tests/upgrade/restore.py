"""Restores a data set of an earlier version: as an SQLite file, or in a separate PostgreSQL database."""

import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from portolan_dev.dataset.pack import DATABASE, SCHEMA
from testing.migrated import ROOT

DATASETS: Final = sorted((ROOT / "fixtures" / "datasets").glob("*.tar.xz"))
_NOT_COPIED: Final = "wagtailsearch_"
"""The index of the studio's search differs between databases. Saving makes it again."""


def unpack(dataset: Path, var: Path) -> Path:
    """The installation's folder, with an SQLite database."""
    with tarfile.open(dataset) as archive:
        archive.extractall(var, filter="data")
    return var


@contextmanager
def on_postgres(var: Path, server: str, name: str) -> Iterator[str]:
    """The URL of a database ``name`` on that server, with the tables of the version that made it and the rows of its
    SQLite file."""
    before, after = ((var / part).read_text(encoding="utf-8") for part in SCHEMA)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    url = urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    try:
        with psycopg.connect(url) as target, closing(sqlite3.connect(var / DATABASE)) as source:
            target.execute(before)
            target.execute("SET search_path TO public")  # the dump's own settings have emptied it
            target.execute("SET timezone TO 'UTC'")
            copy_rows(source, target)
            target.execute(after)
        (var / DATABASE).unlink()
        yield url
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def copy_rows(source: sqlite3.Connection, target: psycopg.Connection[Any]) -> None:
    """Copy rows into empty tables. Times are read in the zone of ``target``. The index of the studio's search is left
    out.
    """
    tables = target.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    for (table,) in tables:
        if table.startswith(_NOT_COPIED):
            continue
        rows = source.execute(f'SELECT * FROM "{table}"')
        columns = [column[0] for column in rows.description]
        command = sql.SQL("INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE VALUES ({})").format(
            sql.Identifier(table),
            sql.SQL(", ").join(map(sql.Identifier, columns)),
            sql.SQL(", ").join([sql.Placeholder()] * len(columns)),
        )
        with target.cursor() as cursor:
            cursor.executemany(command, (tuple(map(_value, row)) for row in rows))
    counted = target.execute(
        "SELECT table_name, column_name FROM information_schema.columns WHERE is_identity = 'YES' AND table_schema = 'public'"
    ).fetchall()
    for table, column in counted:
        last = sql.SQL("SELECT setval(pg_get_serial_sequence(%s, %s), greatest(max({}), 1)) FROM {}").format(
            sql.Identifier(column), sql.Identifier(table)
        )
        target.execute(last, (table, column))


def _value(value: Any) -> Any:
    """Return the value as text, which PostgreSQL reads as the column's type."""
    return value if value is None or isinstance(value, bytes) else str(value)
