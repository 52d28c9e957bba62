"""Receive wake-ups by PostgreSQL's NOTIFY from any machine that uses the database. Only loaded with PostgreSQL."""

import logging
import time
from collections.abc import Callable
from typing import Final

import psycopg

from .postgres_limits import LIMITS

_OPENED_AGAIN_AFTER_S: Final = 5
_SAID_AFTER_S: Final = 30
"""Listeners also poll the database, and report by themselves if it is unreachable."""

_log = logging.getLogger(__name__)


class PostgresListener:
    """One connection that listens on ``channel``, opened on demand and again after it was lost."""

    def __init__(self, url: str, channel: str, clock: Callable[[], float] = time.monotonic) -> None:
        """The channel is also the connection's name in ``pg_stat_activity``, which shows others that a process is
        listening."""
        self._url = url
        self._channel = channel
        self._clock = clock
        self._connection: psycopg.Connection | None = None
        self._open_at = float("-inf")
        self._missing_since: float | None = None
        self._is_said = False

    def open(self) -> bool:
        """Return whether it was opened now. Earlier notifications are unknown then, so that this counts as a
        wake-up."""
        if self._connection is not None or self._clock() < self._open_at:
            return False
        self._open_at = self._clock() + _OPENED_AGAIN_AFTER_S
        try:
            self._connection = psycopg.connect(
                self._url, **{**LIMITS, "autocommit": True, "application_name": self._channel}
            )
            self._connection.execute(f'LISTEN "{self._channel}"'.encode())
        except psycopg.Error as error:
            self.close()
            self._say(error)
            return False
        self._missing_since, self._is_said = None, False
        return True

    def fileno(self) -> int | None:
        """Return the connection's file number, or None."""
        return None if self._connection is None else self._connection.fileno()

    def drain(self) -> bool:
        """Return whether a notification came since the last call."""
        if self._connection is None:
            return False
        try:
            return sum(1 for _ in self._connection.notifies(timeout=0)) > 0
        except psycopg.Error:  # perhaps restarted; reported only if it cannot be opened again
            self.close()
            self._open_at = self._clock()
            return False

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _say(self, error: psycopg.Error) -> None:
        now = self._clock()
        self._missing_since = now if self._missing_since is None else self._missing_since
        if now - self._missing_since >= _SAID_AFTER_S and not self._is_said:
            self._is_said = True
            _log.warning(
                "No wake-ups from the database (%s). This process polls it every few seconds instead, and listens again as "
                "soon as it is reachable.",
                str(error).strip().partition("\n")[0] or type(error).__name__,
            )
