"""Signs of life of one command's processes, in memory that all of them share.

Each process has a row, and writes the time when it was last at work to it. Supervisors and readiness read the rows, so
a process that is stopped or hangs cannot delay or mislead them. Times are from the monotonic clock, which all
processes of a machine share.
"""

import mmap
import os
import struct
import tempfile
import threading
import time
from typing import Final, NamedTuple

SILENT_AFTER_S: Final = 4.0
"""Seconds without a sign of life after which readiness names a process. Each process shows a sign every second."""
SUPERVISOR: Final = "supervisor"
_ROW: Final = struct.Struct("<48sdqd")
"""Name, last sign of life, restarts, last restart."""
_BEAT: Final = struct.Struct("<d")
_BEAT_AT: Final = 48
_ROWS: Final = 256
_REFUSALS: Final = struct.Struct("<qd")
"""Number of refused leads, and time of the last refusal. Stored before the rows."""
_START: Final = 64


class Row(NamedTuple):
    name: str
    is_starting: bool
    silent_s: float
    """Seconds since the last sign of life; 0 while the process is being started."""
    restarts: int
    """Number of restarts because the process was silent."""
    restarted_s: float
    """Seconds since the last of these restarts; infinite without one."""


class RoleBoard:
    """Rows by name. One process adds rows; all may read them."""

    def __init__(self, file: int | None = None) -> None:
        """``file``: the descriptor of a board that another process has made."""
        self.file = _make_file() if file is None else file
        self._memory = mmap.mmap(self.file, _START + _ROWS * _ROW.size)
        self._lock = threading.Lock()

    def add(self, name: str) -> int:
        """Return the row with that name. Create it if it is missing."""
        name = name.encode()[:_BEAT_AT].decode(errors="ignore")
        with self._lock:
            names = [self._name(row) for row in range(_ROWS)]
            row = names.index(name) if name in names else names.index("")
            if not names[row]:
                _ROW.pack_into(self._memory, self._place(row), name.encode(), 0.0, 0, 0.0)
            return row

    def remove(self, row: int) -> None:
        _ROW.pack_into(self._memory, self._place(row), b"", 0.0, 0, 0.0)

    def begin(self, row: int) -> None:
        """Record that the process of this row is being started."""
        _BEAT.pack_into(self._memory, self._place(row) + _BEAT_AT, 0.0)

    def beat(self, row: int) -> None:
        """Record that the process of this row is at work."""
        _BEAT.pack_into(self._memory, self._place(row) + _BEAT_AT, time.monotonic())

    def last_beat(self, row: int) -> float:
        """Return when the process was last at work; 0 while it is being started."""
        found: tuple[float] = _BEAT.unpack_from(self._memory, self._place(row) + _BEAT_AT)
        return found[0]

    def note_restart(self, row: int) -> None:
        """Record that the process of this row is restarted because it was silent."""
        name, _, restarts, _ = _ROW.unpack_from(self._memory, self._place(row))
        _ROW.pack_into(self._memory, self._place(row), name, 0.0, restarts + 1, time.monotonic())

    def rows(self) -> list[Row]:
        now = time.monotonic()
        found = []
        for row in range(_ROWS):
            name, beat, restarts, restarted = _ROW.unpack_from(self._memory, self._place(row))
            if name := name.rstrip(b"\0").decode():
                silent_s = now - beat if beat else 0.0
                found.append(Row(name, not beat, silent_s, restarts, now - restarted if restarted else float("inf")))
        return found

    def find_silent(self) -> tuple[str, ...]:
        """Return the names of processes that show no sign of life or are being started."""
        return tuple(row.name for row in self.rows() if row.is_starting or row.silent_s > SILENT_AFTER_S)

    def note_refusal(self) -> None:
        """Record that a lead was refused because of a server error."""
        count, _ = self.refusals()
        _REFUSALS.pack_into(self._memory, 0, count + 1, time.monotonic())

    def refusals(self) -> tuple[int, float]:
        """Return the number of leads refused since the start, and the last one's age."""
        count, last = _REFUSALS.unpack_from(self._memory, 0)
        return count, time.monotonic() - last if count else float("inf")

    def _place(self, row: int) -> int:
        return _START + row * _ROW.size

    def _name(self, row: int) -> str:
        at = self._place(row)
        return bytes(self._memory[at : at + _BEAT_AT]).rstrip(b"\0").decode()


def _make_file() -> int:
    size = _START + _ROWS * _ROW.size
    if hasattr(os, "memfd_create"):
        file = os.memfd_create("portolan-roles")
    else:  # other systems than Linux
        with tempfile.TemporaryFile() as made:
            file = os.dup(made.fileno())
    os.truncate(file, size)
    return file


_boards: list[RoleBoard] = []


def use_board(board: RoleBoard) -> RoleBoard:
    """Make this the board of this process and its forks."""
    _boards[:] = [board]
    return board


def current_board() -> RoleBoard:
    """Return the board of this process; a new one if the supervisor has given none."""
    return _boards[0] if _boards else use_board(RoleBoard())
