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
"""Errors about the stored values. The database accepts other rows."""
AWAY: Final = (DatabaseError, InterfaceError, WrongDatabase, UpgradeIsAtWork)
"""Errors of a database that accepts no rows: unavailable, full, locked, damaged, of another version, or upgrading.

Catch ``ABOUT_THE_ROW`` first.
"""

_LOG_WAITS_MS: Final = 500


def explain_failure(error: BaseException) -> str:
    """Return the reason why a lead could not be stored.

    Messages of unknown errors may quote the lead, so only their type and lines of code are returned.
    """
    if trouble := find_trouble(error):
        return str(trouble)
    lines = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__} at:\n{lines}"


def forget_broken_connections() -> None:
    """Close broken connections, so that the next query opens a new one."""
    if not connection.in_atomic_block:
        close_old_connections()


@contextmanager
def durable_transaction() -> Iterator[None]:
    """Like ``transaction.atomic``, but on disk at the end of the block, because a lead must not be lost.

    Other transactions may lose the last seconds in a power cut, for speed: SQLite does not sync at a commit, and
    PostgreSQL may be configured so.
    """
    is_lazy = connection.vendor == "sqlite" and not connection.in_atomic_block  # it cannot change inside a transaction
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
    """Empty SQLite's write-ahead log, which keeps older states of rows until it is overwritten.

    Return False if the database is in use; the next call does it. PostgreSQL removes its log by itself.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return connection.vendor != "sqlite"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {_LOG_WAITS_MS}")  # while it waits for readers, others cannot write
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
