"""A transaction that survives a power cut."""

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

from ..releases.database_version import WrongDatabase
from ..releases.upgrade_lock import UpgradeIsAtWork

AWAY: Final = (OperationalError, InterfaceError, InternalError, ProgrammingError, WrongDatabase, UpgradeIsAtWork)
"""Errors that mean that the database takes nothing at the moment: it is away, full, locked, of another version, or being
upgraded. Any other error is about the row.
"""


def forget_broken_connections() -> None:
    """Closes broken connections, so that the next query opens a new one."""
    if not connection.in_atomic_block:
        close_old_connections()


@contextmanager
def durable_transaction() -> Iterator[None]:
    """Like ``transaction.atomic``, but on the disk when the block has ended. Other transactions may lose the last
    seconds in a power cut, for speed: SQLite does not sync at a commit, and PostgreSQL may be configured so. A lead
    must not be lost, because its sender got a receipt.
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
