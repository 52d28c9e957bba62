"""The supervisor's watch: check each process every two seconds for a sign of life, and restart a silent one."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from ..config.env import env
from ..observing.role_board import SUPERVISOR, RoleBoard, current_board
from ..observing.supervisor import expect_signs, tell_watchdog

_log = logging.getLogger(__name__)

_LOOK_EVERY_S: Final = 2.0
_FEWEST_LOOKS: Final = 10
_START_TIMES: Final = 10
"""Factor on the time limit while a process is starting."""
_STEADY_LOOKS: Final = 150
"""Number of successful checks in a row after which an earlier restart does not count."""
_MOST_PATIENCE: Final = 16


class SilenceRule:
    """Decide when to restart a process: after ``looks`` checks in a row without a sign of life.

    Checks are counted instead of seconds, so a suspended machine has missed only one. Each restart doubles the limit,
    so that restarts do not slow a machine that is already too slow.
    """

    def __init__(self, looks: int) -> None:
        self._looks = looks
        self._seen = 0.0
        self._missed = 0
        self._good = 0
        self._patience = 1

    def look(self, beat: float) -> bool:
        """Return whether to restart the process. ``beat``: its last sign of life, or 0 while it is starting."""
        if beat != self._seen:
            self._seen, self._missed, self._good = beat, 0, self._good + 1
            if self._good >= _STEADY_LOOKS:
                self._patience = 1
            return False
        self._missed, self._good = self._missed + 1, 0
        if self._missed < self._looks * (1 if beat else _START_TIMES) * self._patience:
            return False
        self._missed, self._patience = 0, min(self._patience * 2, _MOST_PATIENCE)
        return True


class RoleWatch:
    """A thread of the supervisor. Call ``add`` and ``remove`` when processes start and end."""

    def __init__(self, board: RoleBoard | None = None, name: str = SUPERVISOR) -> None:
        """``name``: the name of the supervisor's own row."""
        self.board = board or current_board()
        self._own = self.board.add(name)
        self._after_s = env().silent_after_s
        self._every_s = min(_LOOK_EVERY_S, self._after_s / _FEWEST_LOOKS)
        self._rules: dict[int, tuple[SilenceRule, Callable[[], None]]] = {}
        self._thread = threading.Thread(target=self._keep_looking, name="role-watch", daemon=True)

    def start(self) -> None:
        """Start the thread, once."""
        if self._thread.ident is None:
            expect_signs(self._after_s)
            self.board.beat(self._own)  # otherwise it counts as starting until the first check
            self._thread.start()

    def add(self, name: str, kill: Callable[[], None]) -> int:
        """Watch the process of this row and return the row. ``kill`` ends it so that its supervisor restarts it."""
        row = self.board.add(name)
        self._rules[row] = SilenceRule(round(self._after_s / self._every_s)), kill
        return row

    def remove(self, row: int) -> None:
        """Stop watching a process that ends on purpose."""
        self._rules.pop(row, None)
        self.board.remove(row)

    def look(self) -> None:
        self.board.beat(self._own)
        tell_watchdog()
        for row, (rule, kill) in list(self._rules.items()):
            if rule.look(self.board.last_beat(row)):
                self.board.note_restart(row)
                try:
                    kill()
                except Exception:  # it may have just ended; keep watching the others
                    _log.exception("A silent process could not be killed")

    def describe(self, name: str) -> str:
        """Return the log line for a process that is killed."""
        return f"[red]{name} has not responded for {self._after_s:.0f} s.[/] It is killed."

    def _keep_looking(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._every_s):
            self.look()
