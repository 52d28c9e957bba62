"""Delivers leads, for as long as it runs: a thread for each destination, so that one that hangs holds up no other."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from django.db import DatabaseError, InterfaceError, close_old_connections, connection
from django.utils import timezone

from .alarm import Alarm
from .courier import Courier
from .destinations.base import Clock, Destination, Permanent
from .file_store import FileStore
from .housekeeping import tidy
from .outbox import find_next, find_unknown
from .spool import replay_spool

LOOK_AGAIN_S: Final = 15
"""Whether or not anybody wakes it."""
_AFTER_FAILURE_S: Final = 5

_log = logging.getLogger(__name__)


class DeliveryWorker:
    def __init__(
        self, destinations: Mapping[str, Destination], store: FileStore, alarm: Alarm, clock: Clock = timezone.now
    ) -> None:
        self._store = store
        self._alarm = alarm
        self._clock = clock
        self._known = tuple(destinations)
        self._rounds = [_Round(Courier(entry, store.path, alarm, clock), clock) for entry in destinations.values()]

    def run_once(self) -> int:
        """What is spooled and what is due, one destination after the other; returns how many tries that took."""
        self._look_around()
        return sum(each.courier.run_due() for each in self._rounds)

    def run(self, wait: Callable[[float], bool], is_ended: Callable[[], bool]) -> None:
        """Until ``is_ended``. ``wait`` pauses for at most so many seconds, or until somebody wakes."""
        for each in self._rounds:
            each.start()
        try:
            while not is_ended():
                try:
                    self._look_around()
                    tidy(self._store)  # also where no lead comes for weeks: what is too old has to go
                except (DatabaseError, InterfaceError) as error:
                    _log.warning("The database cannot be asked (%s); leads wait in the spool", type(error).__name__)
                    close_old_connections()
                wait(LOOK_AGAIN_S)
                for each in self._rounds:
                    each.wake()
        finally:
            for each in self._rounds:
                each.end()
            for each in self._rounds:
                each.join()
            connection.close()

    def _look_around(self) -> None:
        if replay_spool(self._store):
            for each in self._rounds:
                each.wake()
        for name in find_unknown(self._known, self._clock()):
            _log.error("Leads wait for %s, which the registry does not name: they are given up.", name)
            Courier(_Unknown(name), self._store.path, self._alarm, self._clock, sleep=lambda _: None).run_due()


class _Unknown:
    """In place of a destination that the registry names no more."""

    def __init__(self, name: str) -> None:
        self.name = name

    def send(self, *_: object) -> str:
        raise Permanent("The registry names no such destination. Add it again, then replay the delivery.")


class _Round:
    """The thread of one destination."""

    def __init__(self, courier: Courier, clock: Clock) -> None:
        self.courier = courier
        self._clock = clock
        self._woken = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"leads-{courier.destination.name}", daemon=True)

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
                self._woken.wait(self._round())
        finally:
            connection.close()

    def _round(self) -> float:
        """Deliver what is due; seconds until something else is."""
        try:
            close_old_connections()
            self.courier.run_due(self._ended.is_set)
            now = self._clock()
            due = find_next(self.courier.destination.name, now)
        except (DatabaseError, InterfaceError) as error:
            _log.warning("%s: the database cannot be asked (%s)", self.courier.destination.name, type(error).__name__)
            close_old_connections()
            return _AFTER_FAILURE_S
        return LOOK_AGAIN_S if due is None else min(max((due - now).total_seconds(), 0), LOOK_AGAIN_S)
