"""Writes the empty database of `portolan/config/empty_database.py` from a database that all migrations have made."""

import hashlib
import sqlite3
from collections.abc import Iterator
from typing import Final

from portolan.config.empty_database import SQL
from portolan.config.project import ROOT
from portolan.releases.database_version import KNOWN

_VIRTUAL: Final = "CREATE VIRTUAL TABLE"
_MADE_OF: Final = "-- Made of: "
_HEAD: Final = "-- What all migrations make of nothing. Written by `make empty-database`; not to be edited.\n"
_SAME_EACH_TIME: Final = {
    "django_migrations": {"applied": "'2000-01-01 00:00:00'"},
    "wagtailcore_page": {"translation_key": "printf('%032x', id)"},
    "wagtailcore_locale": {"language_code": "'en'"},
}
"""Columns whose values are each database's own: what the file has in their place."""


def is_current() -> bool:
    """Whether the file was written from the migrations that there are now."""
    return SQL.exists() and SQL.read_text(encoding="utf-8").startswith(_head())


def write_sql(database: sqlite3.Connection) -> str:
    """The file's text."""
    return _head() + "".join(f"{statement};\n" for statement in dump(database))


def dump(database: sqlite3.Connection) -> Iterator[str]:
    """Statements that make the same tables and rows. Rows of the search's index are none, and its own tables are made with
    it."""
    made = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()
    virtual = [name for _, name, sql in made if sql.startswith(_VIRTUAL)]
    made = [
        (type, name, sql) for type, name, sql in made if not name.startswith(("sqlite_", *(f"{v}_" for v in virtual)))
    ]
    tables = [(name, sql) for type, name, sql in made if type == "table"]
    for _, sql in tables:
        yield sql
    for name, _ in [*tables, ("sqlite_sequence", "")]:
        if name not in virtual:
            yield from _rows(database, name)
    for type, _, sql in made:
        if type != "table":
            yield sql


def _rows(database: sqlite3.Connection, table: str) -> Iterator[str]:
    columns = [name for _, name, *_ in database.execute(f'PRAGMA table_info("{table}")')]
    same = _SAME_EACH_TIME.get(table, {})
    values = ", ".join(f"quote({same.get(column, _quoted(column))})" for column in columns)
    order = ", ".join(map(_quoted, columns))
    if table == "sqlite_sequence":
        yield "DELETE FROM sqlite_sequence"  # the rows above have counted, but not those that were there and are gone
    for row in database.execute(f'SELECT {values} FROM "{table}" ORDER BY {order}'):  # noqa: S608  (ours)
        yield f'INSERT INTO "{table}" VALUES ({", ".join(row)})'  # noqa: S608  (ours)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _head() -> str:
    digest = hashlib.sha256()
    for file in sorted((ROOT / "backend" / "portolan").glob("*/migrations/*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    for app, names in sorted(KNOWN.items()):
        digest.update(" ".join((app, *sorted(names))).encode())
    return f"{_HEAD}{_MADE_OF}{digest.hexdigest()[:32]}\n"
