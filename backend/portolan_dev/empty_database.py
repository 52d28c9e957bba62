"""Write the SQL of `portolan/config/empty_database.py` from a fully migrated database, and check that it is current."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import version
from typing import Final

from portolan.config.empty_database import SQL, fill
from portolan.config.project import ROOT
from portolan.releases.database_version import KNOWN

_VIRTUAL: Final = "CREATE VIRTUAL TABLE"
_MADE_OF: Final = "-- Made of: "
_HOLDS: Final = "-- Holds: "
_MADE_BY: Final = ("django", "wagtail", "django-taggit")
"""Packages whose migrations and SQL affect the file."""
_HEAD: Final = "-- What all migrations make of nothing. Written by `make empty-database`; not to be edited.\n"
_SAME_EACH_TIME: Final = {
    "django_migrations": {"applied": "'2000-01-01 00:00:00'"},
    "wagtailcore_page": {"translation_key": "printf('%032x', id)"},
    "wagtailcore_locale": {"language_code": "'en'"},
}
"""Columns whose values differ per database, with their values in the file."""
_SETTINGS: Final = ("encoding", "page_size", "auto_vacuum", "user_version", "application_id")


def is_current() -> bool:
    """Return whether the file was written from the present migrations and is unchanged."""
    if not SQL.exists():
        return False
    head, mark, rest = SQL.read_text(encoding="utf-8").partition(_HOLDS)
    holds, _, statements = rest.partition("\n")
    return (head, mark, holds) == (_head(), _HOLDS, _digest(statements.encode()))


def write_sql(database: sqlite3.Connection) -> str:
    """Return the file's text."""
    statements = "".join(f"{statement};\n" for statement in dump(database))
    return f"{_head()}{_HOLDS}{_digest(statements.encode())}\n{statements}"


def look(database: sqlite3.Connection) -> tuple[list[str], list[tuple[str]], list[int | str]]:
    """Return tables and rows, the default site's language, and settings. Databases are equal if these are."""
    settings = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in _SETTINGS]
    languages = database.execute("SELECT language_code FROM wagtailcore_locale").fetchall()
    return [*dump(database)], languages, settings


def makes_the_same(migrated: sqlite3.Connection) -> bool:
    """Return whether the file creates the same database as the migrations."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        [[language]] = migrated.execute("SELECT language_code FROM wagtailcore_locale").fetchall()
        fill(database, language)
        return look(database) == look(migrated)


def dump(database: sqlite3.Connection) -> Iterator[str]:
    """Yield the statements for the same tables and rows. The search index has no rows, and creates its own tables."""
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
        yield "DELETE FROM sqlite_sequence"  # the rows above have counted, but not removed ones
    for row in database.execute(f'SELECT {values} FROM "{table}" ORDER BY {order}'):  # noqa: S608  (ours)
        yield f'INSERT INTO "{table}" VALUES ({", ".join(row)})'  # noqa: S608  (ours)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _head() -> str:
    """Return the lines before the statements: the hash of their sources."""
    made_of = [
        file.name.encode() + file.read_bytes()
        for file in sorted((ROOT / "backend" / "portolan").glob("*/migrations/*.py"))
    ]
    made_of += [" ".join((app, *sorted(names))).encode() for app, names in sorted(KNOWN.items())]
    made_of += [f"{package} {version(package)}".encode() for package in _MADE_BY]
    return f"{_HEAD}{_MADE_OF}{_digest(*made_of)}\n"


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:32]
