"""Releases on Django's own connection, for code that runs inside Django (freezing, the API, tests)."""

from collections.abc import Sequence
from typing import Any

from django.db import connection

from .reader import ReleaseReader


def connected_reader() -> ReleaseReader:
    """Reads through the connection of the calling thread, and so sees its open transaction."""
    return ReleaseReader(run)


def run(sql: str, values: Sequence[Any]) -> list[Sequence[Any]]:
    """One statement on the connection of the calling thread, and in its open transaction."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []
