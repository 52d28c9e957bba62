"""Allow one publisher at a time on all machines for each group of sites, by PostgreSQL locks on a connection.

PostgreSQL frees the locks when the connection ends for any reason. If a publisher loses its connection unnoticed, the
conditional write of the pointer stops it.
"""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from .postgres_limits import LIMITS

if TYPE_CHECKING:
    import psycopg

_PUBLISHER: Final = 0x706F72746F6C616E
"""Key of the publisher lock: shared by publishers of some groups, exclusive for a publisher of all groups."""
_ASK_AGAIN_S: Final = 0.1


class Taken(RuntimeError):
    """Another machine has the lease."""


@contextmanager
def publisher_lease(
    database_url: str,
    wait: bool = True,
    on_wait: Callable[[], None] = lambda: None,
    groups: Collection[str] | None = None,
    longest_s: float | None = None,
) -> Iterator[None]:
    """Hold the lease of these groups, or of the installation if none are given.

    If another machine has it, call ``on_wait`` once and wait, at most ``longest_s`` if given. Without ``wait``, or
    after that time, raise Taken. SQLite needs no lease, because only one machine uses it. While the database is
    unreachable, only the pointer's conditional write protects.
    """
    if database_url.startswith("sqlite"):
        yield
        return
    import psycopg

    try:
        connection = psycopg.connect(database_url, autocommit=True, **LIMITS)
    except psycopg.OperationalError:  # switching to a stored build works without the database
        yield
        return
    with _freed_at_the_end(connection):
        locks = [("lock" if groups is None else "lock_shared", _PUBLISHER)]
        locks += [("lock", _key_of(group)) for group in sorted(groups or ())]
        ends_at = None if longest_s is None else time.monotonic() + longest_s
        for kind, key in locks:
            if _try(connection, kind, key):
                continue
            if not wait:
                raise Taken
            on_wait()
            if ends_at is None:
                connection.execute(f"SELECT pg_advisory_{kind}(%s)", [key])
                continue
            while not _try(connection, kind, key):
                if time.monotonic() > ends_at:
                    raise Taken
                time.sleep(_ASK_AGAIN_S)
        yield


@contextmanager
def _freed_at_the_end(connection: "psycopg.Connection") -> Iterator[None]:
    """Free the locks before closing the connection.

    The server ends a closed session a moment later. A publisher that asks at that moment would be told that the lease
    is taken although it is free.
    """
    import psycopg

    with connection:
        try:
            yield
        finally:
            with suppress(psycopg.OperationalError):  # a lost connection has lost its locks
                connection.execute("SELECT pg_advisory_unlock_all()")


def _try(connection: "psycopg.Connection", kind: str, key: int) -> bool:
    row = connection.execute(f"SELECT pg_try_advisory_{kind}(%s)", [key]).fetchone()
    return bool(row and row[0])


def _key_of(name: str, what: str = "publisher of") -> int:
    return int.from_bytes(sha256(f"{what} {name}".encode()).digest()[:8], "big", signed=True)


@contextmanager
def named_lease(database_url: str, name: str) -> Iterator[Callable[[], bool]]:
    """Hold a lease for work of which only one process on all machines may run. Yield a function that returns whether it
    is held.

    Raise Taken if another process has it or the database is unreachable. SQLite needs no lease, because only one
    machine uses it.
    """
    if database_url.startswith("sqlite"):
        yield lambda: True
        return
    import psycopg

    try:
        connection = psycopg.connect(database_url, autocommit=True, **LIMITS)
    except psycopg.OperationalError:
        raise Taken from None

    def is_held() -> bool:
        try:
            connection.execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    with _freed_at_the_end(connection):
        if not _try(connection, "lock", _key_of(name, "process for")):
            raise Taken
        yield is_held
