"""Wakes that come by PostgreSQL's NOTIFY: from any machine that uses the database. Loaded where that is PostgreSQL alone."""

import logging
import time
from collections.abc import Callable
from typing import Final

import psycopg

from .postgres_limits import LIMITS

_OPENED_AGAIN_AFTER_S: Final = 5
_SAID_AFTER_S: Final = 30
"""Whoever listens asks the database too, and says by itself when it is away."""

_log = logging.getLogger(__name__)


class PostgresListener:
    """One connection that listens on ``channel``, opened when it is asked for, and anew after it was lost."""

    def __init__(self, url: str, channel: str, clock: Callable[[], float] = time.monotonic) -> None:
        """The channel is also the connection's name in ``pg_stat_activity``, by which others know that somebody listens."""
        self._url = url
        self._channel = channel
        self._clock = clock
        self._connection: psycopg.Connection | None = None
        self._open_at = float("-inf")
        self._missing_since: float | None = None
        self._is_said = False

    def open(self) -> bool:
        """Whether it was opened now: what was told before then is not known, so that counts as a wake."""
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
        """None while there is no connection."""
        return None if self._connection is None else self._connection.fileno()

    def drain(self) -> bool:
        """Whether something was told since the last time."""
        if self._connection is None:
            return False
        try:
            return sum(1 for _ in self._connection.notifies(timeout=0)) > 0
        except psycopg.Error:  # restarted, perhaps: said only where it cannot be opened again
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
                "Wakes from the database do not come (%s): it is asked every few seconds instead, and listened to again as "
                "soon as it answers.",
                str(error).strip().partition("\n")[0] or type(error).__name__,
            )
