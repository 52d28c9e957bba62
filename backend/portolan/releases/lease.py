"""One publisher at a time on all machines for each group of sites: locks that PostgreSQL holds for a connection and frees when
that ends, however it ends. A publisher that lost its connection unnoticed is stopped by the conditional write of the pointer.
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
"""Names the lock among all of the database: whoever publishes some groups shares it, whoever has all of them holds it alone."""
_ASK_AGAIN_S: Final = 0.1


class Taken(RuntimeError):
    """Another machine has it."""


@contextmanager
def publisher_lease(
    database_url: str,
    wait: bool = True,
    on_wait: Callable[[], None] = lambda: None,
    groups: Collection[str] | None = None,
    longest_s: float | None = None,
) -> Iterator[None]:
    """Hold the lease of these groups; of the installation where none are given. If another machine has it, ``on_wait`` is
    called once and this one waits, ``longest_s`` at most where that is given; without ``wait``, or after that, it raises
    Taken. SQLite is one machine's: there is nobody to agree with. While the database is away the pointer's conditional write
    alone decides.
    """
    if database_url.startswith("sqlite"):
        yield
        return
    import psycopg

    try:
        connection = psycopg.connect(database_url, autocommit=True, **LIMITS)
    except psycopg.OperationalError:  # to go back to a kept build nobody needs the database
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
    """Close the connection after the block, its locks freed already: the server ends a closed session a moment later, and who
    asked in that moment without waiting would be told that somebody has what nobody has.
    """
    import psycopg

    with connection:
        try:
            yield
        finally:
            with suppress(psycopg.OperationalError):  # a connection that is lost has lost its locks
                connection.execute("SELECT pg_advisory_unlock_all()")


def _try(connection: "psycopg.Connection", kind: str, key: int) -> bool:
    row = connection.execute(f"SELECT pg_try_advisory_{kind}(%s)", [key]).fetchone()
    return bool(row and row[0])


def _key_of(name: str, what: str = "publisher of") -> int:
    return int.from_bytes(sha256(f"{what} {name}".encode()).digest()[:8], "big", signed=True)


@contextmanager
def named_lease(database_url: str, name: str) -> Iterator[Callable[[], bool]]:
    """Hold what only one process on all machines is to do, for as long as the block runs; the value tells whether it is still
    held. Raises Taken where another has it, or the database is away. SQLite is one machine's: there is nobody to agree with.
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
