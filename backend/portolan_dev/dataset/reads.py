"""Check that a later version's tables still have the columns that a version reads (expand, then contract)."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeAlias

Reads: TypeAlias = Mapping[str, Collection[str]]
"""Columns by table."""

_IMPLICIT: Final = "rowid"
"""A column that every table of SQLite has. The studio's search reads it."""


def read_models() -> dict[str, list[str]]:
    """Return the columns of all models of the installed version. Django must be loaded."""
    from django.apps import apps

    return {
        model._meta.db_table: sorted(field.column for field in model._meta.local_concrete_fields if field.column)
        for model in sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.db_table)
        if model._meta.managed and not model._meta.proxy
    }


def find_breaks(before: Reads, now: sqlite3.Connection) -> Iterator[str]:
    """Yield operations that the previous version's code cannot do on the present tables, each with the fix."""
    for table, known in before.items():
        columns = {
            name: bool(not_null) and default is None and not key
            for _, name, _, not_null, default, key in now.execute(f'PRAGMA table_info("{table}")')
        }
        if not columns:
            yield f"{table} is missing, but the previous version reads it. Remove the table in the next version."
            continue
        columns.setdefault(_IMPLICIT, False)
        for name in sorted({*known} - columns.keys()):
            yield (
                f"{table}.{name} is missing, but the previous version reads it. Remove the field from the model now "
                "(SeparateDatabaseAndState), and the column in the next version. A renamed column is a new one."
            )
        for name in sorted(name for name, has_to_be_given in columns.items() if has_to_be_given and name not in known):
            yield f"{table}.{name} needs a value, but the previous version sets none. Use null=True or a db_default."
