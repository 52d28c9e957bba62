"""How long what visitors send waits for SQLite's lock for writing: as long as for a connection to PostgreSQL. Editors' saves
and commands wait longer, because they would have to be done again; and so do counts, for which nobody waits.
"""

from django.db import Error, connection

from ..releases.postgres_limits import LONGEST_WAIT_S


def wait_not_long() -> None:
    """For the rest of the request: its connection is closed at its end. After that time a lead goes into the spool, and a
    choice about cookies is refused with 503."""
    if connection.vendor != "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {LONGEST_WAIT_S * 1000:.0f}")
    except Error:
        return  # whoever needs the database finds out, and says so
