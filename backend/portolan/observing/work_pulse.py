"""Pulse of a process, sent while its main thread works or is in a finite wait.

A second thread checks the main thread once a second. A long publish therefore needs no marks of its own. The pulse
stops if the main thread is stuck, although the second thread still runs.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from .role_board import RoleBoard, use_board
from .supervisor import expect_signs, tell_watchdog

LOOK_EVERY_S: Final = 1.0

_waits = 0
_noted = False


@contextmanager
def waiting() -> Iterator[None]:
    """Mark a wait that ends by itself, however long it takes.

    Has no effect in other threads than the main thread.
    """
    global _waits
    is_main = threading.current_thread() is threading.main_thread()
    _waits += is_main
    try:
        yield
    finally:
        _waits -= is_main


def goes_on() -> None:
    """Record for the main thread that the process it waits for is at work."""
    global _noted
    _noted = True


class WorkPulse:
    """Calls ``tell`` once a second while the main thread is at work."""

    def __init__(self, tell: Callable[[], None], of_main_thread: bool = True) -> None:
        self._tell = tell
        self._told_at = time.monotonic()
        self._used = -1.0
        self._clock = _clock_of_main_thread() if of_main_thread else None

    def start(self) -> None:
        threading.Thread(target=self._keep_looking, name="pulse", daemon=True).start()

    def silent_s(self) -> float:
        """Return the seconds since the main thread was last seen at work."""
        return time.monotonic() - self._told_at

    def look(self) -> None:
        global _noted
        used = self._used if self._clock is None else time.clock_gettime(self._clock)
        if self._clock is None or _waits or _noted or used != self._used:
            _noted, self._used, self._told_at = False, used, time.monotonic()
            self._tell()

    def _keep_looking(self) -> None:
        while True:
            with suppress(OSError):  # the supervisor may be gone
                self.look()
            time.sleep(LOOK_EVERY_S)


def _clock_of_main_thread() -> int | None:
    """Return the CPU clock of the main thread; None if the system lacks such clocks.

    Every look then counts as work.
    """
    main = threading.main_thread().ident
    if not hasattr(time, "pthread_getcpuclockid") or main is None:
        return None
    return time.pthread_getcpuclockid(main)


_place: list[tuple[RoleBoard, int]] = []


def take_place(file: int, row: int) -> None:
    """Use a row of the supervisor's board for this process."""
    _place[:] = [(use_board(RoleBoard(file)), row)]


def start_pulse(restarted_after_s: float, of_main_thread: bool = True) -> WorkPulse:
    """Show the supervisor that the main thread is at work.

    Without ``of_main_thread``, show that the process runs.
    """
    process = os.getpid()
    expect_signs(restarted_after_s)

    def tell() -> None:
        if process == os.getpid():
            for board, row in _place:
                board.beat(row)
            tell_watchdog()

    pulse = WorkPulse(tell, of_main_thread)
    pulse.start()
    return pulse
