"""One publisher at a time on all machines: a lock that PostgreSQL holds for a connection and frees when that ends, however
it ends. A publisher that lost its connection unnoticed is stopped by the conditional write of the pointer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from .postgres_limits import LIMITS

_PUBLISHER: Final = 0x706F72746F6C616E
"""Names the lock among all of the database."""


class Taken(RuntimeError):
    """Another machine has it."""


@contextmanager
def publisher_lease(database_url: str, wait: bool = True, on_wait: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lease. If another machine has it, ``on_wait`` is called once and this one waits; without ``wait`` it raises
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
    with connection:
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", [_PUBLISHER]).fetchone()
        if not (row and row[0]):
            if not wait:
                raise Taken
            on_wait()
            connection.execute("SELECT pg_advisory_lock(%s)", [_PUBLISHER])
        yield
