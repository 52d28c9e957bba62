"""Reports of damaged files that an edge has met, for the publisher or the follower, which repair them. However many requests
meet the same file, it is reported once, and again after growing pauses while it is not repaired.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.met_damage import MOST_FILES, report_damage

_GATHERED_S: Final = 0.1
"""What is met within this time is one report."""
_FIRST_PAUSE_S: Final = 2
_LONGEST_PAUSE_S: Final = 60


class _Reported(NamedTuple):
    again_at: float
    pause_s: float


class DamageReports:
    def __init__(
        self,
        root: Path,
        edge: str,
        wake: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``edge``: under which name it reports; empty: it does not. ``wake``: tell the publisher of this machine that there is a
        report."""
        self._root = root
        self._edge = edge
        self._wake = wake
        self._clock = clock
        self._reported: dict[str, _Reported] = {}
        self._waiting: set[str] = set()

    def note(self, what: str) -> None:
        """A damaged file (its digest), or a live build (``SITE BUILD``) whose manifest is damaged."""
        now = self._clock()
        known = self._reported.get(what)
        if not self._edge or (known and now < known.again_at) or len(self._waiting) >= MOST_FILES:
            return
        if len(self._reported) >= MOST_FILES:
            self._reported.clear()
        pause_s = min(2 * known.pause_s, _LONGEST_PAUSE_S) if known else _FIRST_PAUSE_S
        self._reported[what] = _Reported(now + pause_s, pause_s)
        self._waiting.add(what)
        if len(self._waiting) == 1:
            self._plan()

    def _plan(self) -> None:
        try:
            asyncio.get_running_loop().call_later(_GATHERED_S, self._send)
        except RuntimeError:  # nobody else can meet anything meanwhile
            self._send()

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, set()
        with suppress(OSError):  # an edge may not write there: the publisher finds the damage by itself
            report_damage(self._root, self._edge, waiting)
            self._wake()
