"""Report damaged files that the edge finds. The publisher or the follower repairs them.

Each file is reported once, however many requests meet it. While it is damaged, the report is repeated after growing
pauses.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.met_damage import MOST_FILES, report_damage

_GATHERED_S: Final = 0.1
"""Seconds for which damage is collected into one report."""
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
        """``edge``: name of the edge in reports; empty: no reports. ``wake``: notify the publisher of this machine."""
        self._root = root
        self._edge = edge
        self._wake = wake
        self._clock = clock
        self._reported: dict[str, _Reported] = {}
        self._waiting: set[str] = set()

    def note(self, what: str) -> None:
        """Report damage. ``what``: digest of a damaged file, or ``SITE BUILD`` of a live build with a damaged manifest."""
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
        except RuntimeError:  # no event loop: only this thread runs
            self._send()

    def _send(self) -> None:
        waiting, self._waiting = self._waiting, set()
        with suppress(OSError):  # without write permission: the publisher's integrity check finds the damage
            report_damage(self._root, self._edge, waiting)
            self._wake()
