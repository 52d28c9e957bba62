"""Limit how long visitors' requests wait for SQLite's write lock: as long as for a connection to PostgreSQL.

Editors' saves and commands wait longer, because they would have to be repeated. So do counts, because visitors do not wait for
them.
"""

from django.db import Error, connection

from ..releases.postgres_limits import LONGEST_WAIT_S


def wait_not_long() -> None:
    """Set the limit for the rest of the request, whose connection is closed at its end.

    After the limit, a lead goes into the spool, and a cookie choice gets 503.
    """
    if connection.vendor != "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {LONGEST_WAIT_S * 1000:.0f}")
    except Error:
        return  # the next query reports the error
