"""The publisher's side of a cluster: sends batches and receives answers.

It starts the driver and never loads Ray.
"""

import logging
import os
import selectors
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ..render_worker import RenderWorker, bare_environment
from ..renderer import BATCH_RENDERED, Answer, PageRequest, Request
from .messages import (
    Away,
    Batch,
    Lost,
    Note,
    Opening,
    Outgoing,
    Rendered,
    Room,
    SharedData,
    pack,
    pack_requests,
    unpack,
    unpack_answers,
)

_BATCH: Final = 100
"""Requests of a batch: at most a second of work and a pack of some megabytes."""
_READY_WITHIN_S: Final = 120
"""Time limit for the first node, longer than the driver's own."""
_SILENT_FOR_S: Final = 600
"""Time limit without a message, longer than the driver's limit for a batch."""
_AWAY_FOR_S: Final = 300
"""Time without a new attempt after the cluster was unreachable."""
_STORES: Final = ("AWS_", "AZURE_", "GOOGLE_", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "RAY_", "SSL_CERT_")
"""Variables that the driver needs for the shared store and the cluster."""
_COMMAND: Final = (sys.executable, "-m", "portolan.publisher.cluster.driver")

_log = logging.getLogger(__name__)


class ClusterPlace(NamedTuple):
    """The address of a cluster, and this machine's folders for its nodes."""

    address: str
    web: Path
    """Folder of the render worker."""
    store: Path
    """Folder of the content store."""
    objects: str
    """URL of the shared store; empty without one."""


class Cluster:
    """Use ``render`` for many pages. ``close`` ends the driver."""

    def __init__(
        self,
        place: ClusterPlace,
        on_shared: Callable[[str], None] = lambda pack: None,
        command: Sequence[str] = _COMMAND,
    ) -> None:
        """``on_shared``: called with each pack that nodes have put into the store."""
        self._place = place
        self._on_shared = on_shared
        self._command = command
        self._driver: RenderWorker[None] | None = None
        self._sent: set[str] = set()
        """Hashes of the shared data that the driver has."""
        self._numbers = 0
        self._room = 0
        self._away_until = 0.0
        self._problem = ""
        self._noted: set[str] = set()

    @property
    def is_away(self) -> bool:
        """Return True if the cluster was unusable a short while ago."""
        return time.monotonic() < self._away_until

    def render(
        self, requests: Iterable[Outgoing], shared: Mapping[str, bytes], undone: list[Request]
    ) -> Iterator[Answer]:
        """Yield the cluster's answers.

        ``undone`` collects requests that it did not complete.

        If the cluster becomes unusable, the rest of ``requests`` is not read.
        """
        run = _Run(requests)
        try:
            driver = self._begin()
            heard = time.monotonic()
            while self._driver is driver and not run.is_done:
                while len(run.under_way) < self._room and (batch := run.next()):
                    self._send(driver, run, batch, shared)
                limit = _SILENT_FOR_S if self._room else _READY_WITHIN_S
                if time.monotonic() - heard > limit:
                    self._leave(f"no message from it for {limit} s")
                    break
                for message in self._wait(driver):
                    heard = time.monotonic()
                    yield from self._take(message, run)
        finally:
            if run.under_way:
                self.close(kill=True)  # the caller stopped early, so the answers are not needed
        undone += run.left()

    def close(self, kill: bool = False) -> None:
        driver, self._driver, self._room = self._driver, None, 0
        self._sent.clear()
        if driver:
            driver.end(kill)

    def _begin(self) -> RenderWorker[None]:
        """Return the running driver, or start one."""
        if self._driver and self._driver.process.poll() is not None:
            self.close()  # it ends itself when it is idle
        if self._driver is None:
            passed = {name: value for name, value in os.environ.items() if name.startswith(_STORES)}
            self._driver = RenderWorker[None](self._command, bare_environment(**passed))
            address, web, store, objects = self._place
            self._driver.send(pack(Opening(address, str(web), str(store), objects)))
        return self._driver

    def _send(
        self, driver: RenderWorker[None], run: "_Run", batch: Sequence[Outgoing], shared: Mapping[str, bytes]
    ) -> None:
        self._numbers += 1
        run.under_way[self._numbers] = batch
        key = shared_of(batch)
        if key not in self._sent:
            self._sent.add(key)
            driver.send(pack(SharedData(key, shared.get(key, b""))))
        driver.send(pack(Batch(self._numbers, key, pack_requests(batch))))

    def _wait(self, driver: RenderWorker[None]) -> Iterator[object]:
        """Yield messages as soon as some arrive, or none after a second."""
        try:
            driver.flush()
        except BrokenPipeError:
            driver.unsent.clear()  # its closed output reports the end
        with selectors.DefaultSelector() as selector:
            selector.register(driver.stdout, selectors.EVENT_READ)
            if driver.unsent:
                selector.register(driver.stdin, selectors.EVENT_WRITE)
            ready = {key.fd for key, _ in selector.select(1)}
        if driver.stdout not in ready:
            return
        is_there = driver.receive()
        for reply in driver.replies():
            yield unpack(reply)
        if not is_there and self._driver is driver:
            self._driver = None
            said = driver.end(kill=True).splitlines()
            self._leave(f"its driver process ended{f' ({said[-1]})' if said else ''}")

    def _take(self, message: object, run: "_Run") -> Iterator[Answer]:
        match message:
            case Room(batches):
                self._room = batches
            case Rendered(number, answers, packs, seconds):
                batch = run.under_way.pop(number, None)
                if batch is None:
                    return
                self._problem = ""
                if BATCH_RENDERED:
                    BATCH_RENDERED(time.time() - seconds, seconds, len(batch), 0)
                if self._place.objects:
                    for each in packs:
                        self._on_shared(each.name)
                yield from unpack_answers(batch, answers)
            case Lost(number):
                run.take_apart(number)
            case Note(text):
                if text not in self._noted:
                    self._noted.add(text)
                    _log.warning("%s", text)
            case Away(why):
                self._leave(why)

    def _leave(self, why: str) -> None:
        self._away_until = time.monotonic() + _AWAY_FOR_S
        self.close(kill=True)
        problem = (
            f"The Ray cluster at {self._place.address} cannot be used ({why}), so this machine renders all pages, "
            "which takes longer. Check the cluster, or unset PORTOLAN_RAY_ADDRESS."
        )
        if problem != self._problem:
            _log.warning("%s", problem)
        self._problem = problem


class _Run:
    """State of one call of ``render``."""

    def __init__(self, requests: Iterable[Outgoing]) -> None:
        self._requests = iter(requests)
        self._open: list[Outgoing] = []
        """Requests of the next batch."""
        self._single: deque[Sequence[Outgoing]] = deque()
        self._undone: list[Request] = []
        self._is_read = False
        self.under_way: dict[int, Sequence[Outgoing]] = {}

    @property
    def is_done(self) -> bool:
        return self._is_read and not self._single and not self.under_way

    def next(self) -> Sequence[Outgoing] | None:
        """Return requests with the same shared data, or None if all are in work.

        Images need no shared data and go into any batch.
        """
        if self._single:
            return self._single.popleft()
        for request in self._requests:
            if isinstance(request, PageRequest) and shared_of(self._open) not in ("", request.shared):
                full, self._open = self._open, [request]
                return full
            self._open.append(request)
            if len(self._open) >= _BATCH:
                break
        else:
            self._is_read = True
        rest, self._open = self._open, []
        return rest or None

    def take_apart(self, number: int) -> None:
        """Retry each page of a batch with which nodes were lost.

        A single page is left to this machine.
        """
        batch = self.under_way.pop(number, ())
        if len(batch) == 1:
            self._undone += batch
        else:
            self._single.extend([request] for request in batch)

    def left(self) -> list[Request]:
        """Return the requests that were read and not answered."""
        return [
            *self._undone,
            *(request for batch in (*self.under_way.values(), *self._single) for request in batch),
            *self._open,
        ]


def shared_of(batch: Iterable[Outgoing]) -> str:
    """Return the hash of the shared data of a batch; empty without pages."""
    return next((request.shared for request in batch if isinstance(request, PageRequest)), "")
