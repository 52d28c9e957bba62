"""Pauses before a process that ended is restarted."""

import time
from collections.abc import Callable, Sequence
from typing import Final

PAUSES_S: Final = (0, 0, 0.2, 0.2, 0.5, 0.5, 0.5, 1, 1, 1, 1, 2, 5, 15, 30)
"""A process that is killed ten times within a minute restarts within seconds; one that never starts costs little."""
_STEADY_AFTER_S: Final = 60


class Pauses:
    """Pauses before restarts: longer each time, until the process has run for a minute."""

    def __init__(self, pauses_s: Sequence[float] = PAUSES_S, clock: Callable[[], float] = time.monotonic) -> None:
        self._pauses_s = pauses_s
        self._clock = clock
        self._failures = 0
        self._began = clock()

    def begin(self) -> None:
        self._began = self._clock()

    def next(self) -> float:
        is_steady = self._clock() - self._began > _STEADY_AFTER_S
        self._failures = 0 if is_steady else min(self._failures + 1, len(self._pauses_s) - 1)
        return self._pauses_s[self._failures]
