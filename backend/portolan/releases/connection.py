"""A release reader on Django's own connection, for code that runs inside Django (the API, tests)."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from .reader import ReleaseReader


def connected_reader() -> ReleaseReader:
    """Reads through the connection of the calling thread, and so sees its open transaction."""

    def run(sql: str, args: Sequence[Any]) -> Iterable[Sequence[Any]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, args)
            rows: list[Sequence[Any]] = cursor.fetchall()
            return rows

    return ReleaseReader(run)
