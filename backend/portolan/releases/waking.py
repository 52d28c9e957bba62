"""Wake publisher and delivery from Django code: on this machine by sockets, on others by the database."""

from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from .wake import LEADS_CHANNEL, PUBLISHER_CHANNEL, is_listening, wake


def wake_publisher() -> None:
    """Wake the publisher. Never raises, because edits must succeed while it is stopped."""
    has_others = any(group.publisher == "own" for group in settings.SITES_REGISTRY.groups.values())
    _wake(settings.WAKE_SOCKET, PUBLISHER_CHANNEL, elsewhere_too=has_others)


def wake_delivery() -> None:
    """Wake the delivery. Never raises."""
    _wake(settings.LEADS_SOCKET, LEADS_CHANNEL)


def is_publisher_there() -> bool:
    """Return whether a publisher runs on any machine that uses the database."""
    return is_listening(settings.WAKE_SOCKET) or _ask(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = %s AND datname = current_database() LIMIT 1",
        PUBLISHER_CHANNEL,
    )


def _wake(socket: Path, channel: str, elsewhere_too: bool = False) -> None:
    """Wake a process. ``elsewhere_too``: processes on other machines may need it too, even if one listens here."""
    if not wake(socket) or elsewhere_too:
        _ask("SELECT pg_notify(%s, '')", channel)


def _ask(sql: str, channel: str) -> bool:
    """Return whether there is a row. SQLite has no channels.

    Uses only an open connection, so that a caller that has just failed to reach the database does not wait again.
    """
    if connection.vendor != "postgresql" or connection.connection is None or connection.needs_rollback:
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, [channel])
            return cursor.fetchone() is not None
    except (DatabaseError, InterfaceError):
        return False
