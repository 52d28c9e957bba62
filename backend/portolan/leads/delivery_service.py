"""Delivers leads for as long as it runs. Each destination has its own thread, so that one that hangs delays no other."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils import timezone

from ..releases.connection import require_fitting_database
from ..releases.database_version import NewerDatabase
from .alarm import Alarm
from .answers import ANSWERS, AnswerWorker, find_next_answer
from .delivery_worker import DeliveryWorker
from .destinations.base import Clock, Destination, Permanent
from .durable import AWAY, explain_failure
from .file_store import FileStore
from .housekeeping import tidy
from .outbox import find_next, find_unknown
from .spool import replay_spool

CHECK_INTERVAL_S: Final = 15
"""Between two checks for something to deliver, if nobody wakes the service."""
_AFTER_FAILURE_S: Final = 5

_log = logging.getLogger(__name__)


class DeliveryService:
    def __init__(
        self,
        destinations: Mapping[str, Destination],
        store: FileStore,
        alarm: Alarm,
        clock: Clock = timezone.now,
        also: Callable[[], None] = lambda: None,
        answers: AnswerWorker | None = None,
    ) -> None:
        """``also``: what else an installation removes in time, and whom it tells of what; called often, because this process is the
        one that always runs."""
        self._store = store
        self._alarm = alarm
        self._clock = clock
        self._also = also
        self._known = tuple(destinations)
        self._threads = [
            _WorkerThread(one.name, DeliveryWorker(one, store.path, alarm, clock), clock)
            for one in destinations.values()
        ]
        if answers:
            self._threads.append(_WorkerThread(ANSWERS, answers, clock))

    def run_once(self) -> int:
        """Delivers what is spooled and what is due, one destination after the other. Returns the number of attempts."""
        self._check_spool()
        return sum(thread.worker.run_due() for thread in self._threads)

    def run(self, wait: Callable[[float], bool], is_ended: Callable[[], bool]) -> None:
        """Runs until ``is_ended``. ``wait`` pauses for at most so many seconds, or until somebody wakes the service."""
        for thread in self._threads:
            thread.start()
        try:
            while not is_ended():
                try:
                    self._check_spool()
                    tidy(self._store)  # also if no lead comes for weeks: old leads have to be erased
                    self._also()
                except NewerDatabase:  # whoever started this starts it again, as the version that is installed by now
                    raise
                except AWAY as error:
                    _log.warning("%s Leads wait in the spool.", explain_failure(error))
                    close_old_connections()
                wait(CHECK_INTERVAL_S)
                for thread in self._threads:
                    thread.wake()
        finally:
            for thread in self._threads:
                thread.end()
            for thread in self._threads:
                thread.join()
            connection.close()

    def _check_spool(self) -> None:
        require_fitting_database(settings.UPGRADE_LOCK)
        if replay_spool(self._store):
            for thread in self._threads:
                thread.wake()
        for name in find_unknown(self._known, self._clock()):
            _log.error("Leads wait for %s, which the registry does not name: they are given up.", name)
            DeliveryWorker(_Unknown(name), self._store.path, self._alarm, self._clock, sleep=lambda _: None).run_due()


class _Unknown:
    """Stands in for a destination that the registry does not name any more."""

    def __init__(self, name: str) -> None:
        self.name = name

    def send(self, *_: object) -> str:
        raise Permanent("The registry names no such destination. Add it again, then replay the delivery.")


class _WorkerThread:
    """The thread of one destination, or of colleagues' answers."""

    def __init__(self, name: str, worker: DeliveryWorker | AnswerWorker, clock: Clock) -> None:
        self.name = name
        self.worker = worker
        self._clock = clock
        self._woken = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"leads-{name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._woken.set()

    def end(self) -> None:
        self._ended.set()
        self._woken.set()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._ended.is_set():
                self._woken.clear()
                self._woken.wait(self._deliver_due())
        finally:
            connection.close()

    def _deliver_due(self) -> float:
        """Delivers what is due. Returns the seconds until the next delivery is due."""
        try:
            close_old_connections()
            self.worker.run_due(self._ended.is_set)
            now = self._clock()
            due = find_next_answer() if self.name == ANSWERS else find_next(self.name, now)
        except (DatabaseError, InterfaceError) as error:
            _log.warning("%s: %s", self.name, explain_failure(error))
            close_old_connections()
            return _AFTER_FAILURE_S
        return CHECK_INTERVAL_S if due is None else min(max((due - now).total_seconds(), 0), CHECK_INTERVAL_S)
