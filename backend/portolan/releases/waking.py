"""Waking publisher and delivery from code that has Django: on this machine by their sockets, on others by the database."""

from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from .wake import LEADS_CHANNEL, PUBLISHER_CHANNEL, is_listening, wake


def wake_publisher() -> None:
    """Never raises: an edit must not fail because nobody publishes at the moment."""
    has_others = any(group.publisher == "own" for group in settings.SITES_REGISTRY.groups.values())
    _wake(settings.WAKE_SOCKET, PUBLISHER_CHANNEL, elsewhere_too=has_others)


def wake_delivery() -> None:
    """The same for what delivers leads."""
    _wake(settings.LEADS_SOCKET, LEADS_CHANNEL)


def is_publisher_there() -> bool:
    """Whether one runs, on this machine or on another that uses the database."""
    return is_listening(settings.WAKE_SOCKET) or _ask(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = %s AND datname = current_database() LIMIT 1",
        PUBLISHER_CHANNEL,
    )


def _wake(socket: Path, channel: str, elsewhere_too: bool = False) -> None:
    """``elsewhere_too``: who listens here may not be the only one that has to know."""
    if not wake(socket) or elsewhere_too:
        _ask("SELECT pg_notify(%s, '')", channel)


def _ask(sql: str, channel: str) -> bool:
    """Whether there is a row. SQLite has no channels. Only by a connection that is open: whoever has something to tell has
    just written it, or could not, and then has waited for the database long enough.
    """
    if connection.vendor != "postgresql" or connection.connection is None or connection.needs_rollback:
        return False
    try:
        with connection.cursor() as cursor:
            cursor.execute(sql, [channel])
            return cursor.fetchone() is not None
    except (DatabaseError, InterfaceError):
        return False
