"""Run a check that may hang because of a dead disk, a database or another role.

A caller waits for half a second, and for two seconds the first time. A check that takes longer continues alone. Until it
ends, its result is ``otherwise``.
"""

import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

BOUND_S: Final = 2.0
_WAITS_S: Final = 0.5
"""Seconds that a caller waits. Monitors are impatient: one second could take a working server out of traffic."""

_Found = TypeVar("_Found")


class Look(Generic[_Found]):
    def __init__(
        self,
        find: Callable[[], _Found],
        otherwise: _Found,
        kept_s: float = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``otherwise``: the result while ``find`` hangs, or if it raises. ``kept_s``: seconds for which a result is valid."""
        self._find = find
        self._otherwise = otherwise
        self._kept_s = kept_s
        self._clock = clock
        self._began = float("-inf")
        self._ended = float("-inf")
        self._thread: threading.Thread | None = None
        self._found: list[_Found] = []

    def begin(self) -> None:
        """Start a check, unless the result is fresh or a check is running."""
        is_looking = self._thread is not None and self._thread.is_alive()
        if not is_looking and self._clock() - self._ended >= self._kept_s:
            self._began = self._clock()
            self._thread = threading.Thread(target=self._look, name="look", daemon=True)
            self._thread.start()

    def get(self) -> _Found:
        """Return the result, or ``otherwise``."""
        self.begin()
        thread = self._thread
        if thread and thread.is_alive():
            longest_s = _WAITS_S if self._found else BOUND_S
            thread.join(max(0.0, longest_s - (self._clock() - self._began)))
        if thread and thread.is_alive() and (self._clock() - self._began >= BOUND_S or not self._found):
            return self._otherwise
        return self._found[0] if self._found else self._otherwise

    def _look(self) -> None:
        try:
            found = self._find()
        except Exception:  # the owner of the check reports it
            found = self._otherwise
        self._found = [found]
        self._ended = self._clock()
