"""What a version reads of its database, and whether the tables of a later one still have it (expand, then contract)."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from typing import Final, TypeAlias

Reads: TypeAlias = Mapping[str, Collection[str]]
"""Columns by table."""

_IMPLICIT: Final = "rowid"
"""Every table of SQLite has it; that of the studio's search is read by it."""


def read_models() -> dict[str, list[str]]:
    """Of all models of the installed version; Django has to be loaded."""
    from django.apps import apps

    return {
        model._meta.db_table: sorted(field.column for field in model._meta.local_concrete_fields if field.column)
        for model in sorted(apps.get_models(include_auto_created=True), key=lambda model: model._meta.db_table)
        if model._meta.managed and not model._meta.proxy
    }


def find_breaks(before: Reads, now: sqlite3.Connection) -> Iterator[str]:
    """What the code of the version before cannot do on the tables of now, each with what to do."""
    for table, known in before.items():
        columns = {
            name: bool(not_null) and default is None and not key
            for _, name, _, not_null, default, key in now.execute(f'PRAGMA table_info("{table}")')
        }
        if not columns:
            yield f"{table} is gone, and the version before reads it: remove the table in the version after this one."
            continue
        columns.setdefault(_IMPLICIT, False)
        for name in sorted({*known} - columns.keys()):
            yield (
                f"{table}.{name} is gone, and the version before reads it: remove the field from the model now "
                "(SeparateDatabaseAndState), and the column in the version after this one. A new name is a new column."
            )
        for name in sorted(name for name, has_to_be_given in columns.items() if has_to_be_given and name not in known):
            yield f"{table}.{name} has to be given, and the version before gives none: null=True, or a db_default."
