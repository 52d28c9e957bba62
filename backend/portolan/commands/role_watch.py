"""The supervisor's watch: it asks each process every two seconds for a sign of life, and restarts one that stays silent."""

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
"""A process that is being started has so many times as long."""
_STEADY_LOOKS: Final = 150
"""After so many good looks in a row an earlier restart is forgotten."""
_MOST_PATIENCE: Final = 16


class SilenceRule:
    """Says when one process is to be restarted: after ``looks`` looks in a row without a sign of life.

    Looks are counted, not seconds: a machine or a supervisor that was suspended has missed one look. Each restart doubles the
    patience, so that a machine that is too slow for its work is not made slower by restarts.
    """

    def __init__(self, looks: int) -> None:
        self._looks = looks
        self._seen = 0.0
        self._missed = 0
        self._good = 0
        self._patience = 1

    def look(self, beat: float) -> bool:
        """``beat``: the process's last sign of life; 0 while it is being started."""
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
    """A thread of the supervisor. Processes come and go by ``add`` and ``remove``."""

    def __init__(self, board: RoleBoard | None = None, name: str = SUPERVISOR) -> None:
        """``name``: of the supervisor's own row."""
        self.board = board or current_board()
        self._own = self.board.add(name)
        self._after_s = env().silent_after_s
        self._every_s = min(_LOOK_EVERY_S, self._after_s / _FEWEST_LOOKS)
        self._rules: dict[int, tuple[SilenceRule, Callable[[], None]]] = {}
        self._thread = threading.Thread(target=self._keep_looking, name="role-watch", daemon=True)

    def start(self) -> None:
        """Begin; done once."""
        if self._thread.ident is None:
            expect_signs(self._after_s)
            self.board.beat(self._own)  # else it counts as being started until the first look
            self._thread.start()

    def add(self, name: str, kill: Callable[[], None]) -> int:
        """Watch the process of this row, which ``kill`` ends so that its supervisor starts it again. Return the row."""
        row = self.board.add(name)
        self._rules[row] = SilenceRule(round(self._after_s / self._every_s)), kill
        return row

    def remove(self, row: int) -> None:
        """The process is ended on purpose."""
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
                except Exception:  # it may have ended in this moment; the watch over the others goes on
                    _log.exception("A silent process could not be killed")

    def describe(self, name: str) -> str:
        """Return the line of the log for a process that is killed."""
        return f"[red]{name} has not answered for {self._after_s:.0f} s.[/] It is killed."

    def _keep_looking(self) -> None:
        pause = threading.Event()
        while not pause.wait(self._every_s):
            self.look()
