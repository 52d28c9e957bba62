"""A transaction that a power cut does not take back."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import (
    InterfaceError,
    InternalError,
    OperationalError,
    ProgrammingError,
    close_old_connections,
    connection,
    transaction,
)

AWAY: Final = (OperationalError, InterfaceError, InternalError, ProgrammingError)
"""What says that the database takes nothing at the moment: away, full, locked, or its tables are of another version. Any
other error is about the row.
"""


def forget_broken_connections() -> None:
    """So that the next question opens a new one."""
    if not connection.in_atomic_block:
        close_old_connections()


@contextmanager
def durable_transaction() -> Iterator[None]:
    """As ``transaction.atomic``, and on the disk when the block has ended.

    Everything else may lose its last seconds with the power, for speed: SQLite syncs nothing at a commit then, and a
    PostgreSQL may be set up so. A lead was promised to somebody.
    """
    is_lazy = connection.vendor == "sqlite" and not connection.in_atomic_block  # inside one it cannot be changed
    if is_lazy:
        _execute("PRAGMA synchronous=FULL")
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                _execute("SET LOCAL synchronous_commit TO on")
            yield
    finally:
        if is_lazy:
            _execute("PRAGMA synchronous=NORMAL")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
