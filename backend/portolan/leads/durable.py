"""A transaction that survives a power cut."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import (
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    NotSupportedError,
    close_old_connections,
    connection,
    transaction,
)

from ..releases.database_errors import find_trouble
from ..releases.database_version import WrongDatabase
from ..releases.upgrade_lock import UpgradeIsAtWork

ABOUT_THE_ROW: Final = (DataError, IntegrityError, NotSupportedError)
"""Errors of the stored values. The database works, and takes other rows."""
AWAY: Final = (DatabaseError, InterfaceError, WrongDatabase, UpgradeIsAtWork)
"""All other errors: the database takes no rows at the moment. The database is away, full, locked, damaged, of another
version, or being upgraded. Catch ``ABOUT_THE_ROW`` first.
"""

_LOG_WAITS_MS: Final = 500


def explain_failure(error: BaseException) -> str:
    """Describe the failure to store a lead. Messages of unknown errors may quote the lead, so only their type and the
    lines of code are shown.
    """
    if trouble := find_trouble(error):
        return str(trouble)
    lines = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__} at:\n{lines}"


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


def forget_log() -> bool:
    """Empty SQLite's write-ahead log, in which older states of rows stay until it is written anew. False where somebody reads
    or writes just now: the next call does it. PostgreSQL keeps its log for recovery, and removes it by itself.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return connection.vendor != "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {_LOG_WAITS_MS}")  # others cannot write while it waits for readers
        try:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return bool(cursor.fetchone()[0] == 0)
        except DatabaseError:
            return False
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {usual}")


def _execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
