"""A server that restarts each worker that ends.

Granian alone gives up if a worker ends twice within seconds, and ends the others: two kills would end the service.
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
        """Report that a worker ended by itself and restarts after ``pause_s`` seconds."""
        raise NotImplementedError

    def signal_handler_interrupt(self, *given: Any, **named: Any) -> None:
        if os.getpid() != self.pid:
            # A worker that is still loading is a copy of this process with its handlers. It would ignore a flag.
            os._exit(0)
        self._ending.set()
        super().signal_handler_interrupt(*given, **named)  # type: ignore[no-untyped-call]

    def build_worker(self, number: int, target: Any, callback_loader: Any) -> Any:
        """Return a process that is not started yet."""
        return super()._spawn_worker(number, target, callback_loader)

    def _spawn_worker(self, idx: int, *given: Any, **named: Any) -> Any:
        self._pauses.setdefault(idx, Pauses()).begin()
        return self.build_worker(idx, *given, **named)

    def _respawn_workers(self, workers: list[int], spawn_target: Any, target_loader: Any, delay: float = 0) -> None:
        """``delay``: seconds for which an old worker runs next to the new one; 0: the old one has ended by itself."""
        for number in workers:
            if not delay:
                if _is_alive(self.wrks[number]):
                    continue  # reported twice
                pause = self._pauses[number].next()
                self.say_crash(number, pause)
                if self._ending.wait(pause):
                    return
            super()._respawn_workers([number], spawn_target, target_loader, delay)
        self.respawned_wrks.clear()  # otherwise Granian gives up at the next crash
        self._look_for_missed()

    def _look_for_missed(self) -> None:
        """Find workers that ended between Granian's reading and emptying of its list."""
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
