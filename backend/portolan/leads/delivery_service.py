"""Deliver leads while it runs. Each destination has its own thread, so that a slow one does not delay the others."""

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
"""Seconds between checks for due deliveries without a wake-up."""
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
        """``also``: further work, such as retention and notices. Called often, because this process always runs."""
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
        """Deliver spooled and due leads, one destination after the other. Return the number of attempts."""
        self._check_spool()
        return sum(thread.worker.run_due() for thread in self._threads)

    def run(self, wait: Callable[[float], bool], is_ended: Callable[[], bool]) -> None:
        """Run until ``is_ended``. ``wait`` pauses for up to the given seconds, or until a wake-up."""
        for thread in self._threads:
            thread.start()
        try:
            while not is_ended():
                try:
                    self._check_spool()
                    tidy(self._store)  # also without new leads, because old leads must be erased
                    self._also()
                except NewerDatabase:  # the supervisor restarts this process with the installed version
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
            _log.error("Leads wait for %s, which is not in the site configuration. They are marked as failed.", name)
            DeliveryWorker(_Unknown(name), self._store.path, self._alarm, self._clock, sleep=lambda _: None).run_due()


class _Unknown:
    """Replaces a destination that is not in the site configuration."""

    def __init__(self, name: str) -> None:
        self.name = name

    def send(self, *_: object) -> str:
        raise Permanent("The site configuration has no such destination. Add it again, then send the lead again.")


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
        """Deliver due leads. Return the seconds until the next delivery is due."""
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
