"""A server whose workers are started again whenever they end, each for itself. The package gives up where one ends twice within
seconds, and takes the others along: two kills would end the service.
"""

import os
import threading
from typing import Any

from granian.server.mp import MPServer

from .pauses import Pauses


class RespawningServer(MPServer):
    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._ending = threading.Event()
        self._pauses: dict[int, Pauses] = {}

    def say_crash(self, number: int, pause_s: float) -> None:
        """That worker has ended by itself, and is started again after so many seconds."""
        raise NotImplementedError

    def signal_handler_interrupt(self, *given: Any, **named: Any) -> None:
        if os.getpid() != self.pid:
            # A worker that has not loaded: a copy of this process, handlers included. Nobody there would look at a mark.
            os._exit(0)
        self._ending.set()
        super().signal_handler_interrupt(*given, **named)  # type: ignore[no-untyped-call]

    def build_worker(self, number: int, target: Any, callback_loader: Any) -> Any:
        """A process that has not begun."""
        return super()._spawn_worker(number, target, callback_loader)

    def _spawn_worker(self, idx: int, *given: Any, **named: Any) -> Any:
        self._pauses.setdefault(idx, Pauses()).begin()
        return self.build_worker(idx, *given, **named)

    def _respawn_workers(self, workers: list[int], spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        """``delay``: how long an old worker goes on beside the new one; 0: it has ended by itself."""
        for number in workers:
            if not delay:
                if _is_alive(self.wrks[number]):
                    continue  # it was told of twice
                pause = self._pauses[number].next()
                self.say_crash(number, pause)
                if self._ending.wait(pause):
                    return
            super()._respawn_workers([number], spawn_target, target_loader, delay)
        self.respawned_wrks.clear()  # else the package would give up at the next crash
        self._look_for_missed()

    def _look_for_missed(self) -> None:
        """The package empties its list of ended workers after it has read it: one that ended in between would be missed."""
        missed = [
            each.idx
            for each in self.wrks
            if not _is_alive(each) and not each.interrupt_by_parent and each.idx not in self.interrupt_children
        ]
        self.interrupt_children.extend(missed)
        if self.interrupt_children:
            self.main_loop_interrupt.set()


def _is_alive(worker: Any) -> bool:
    return bool(worker.is_alive())
