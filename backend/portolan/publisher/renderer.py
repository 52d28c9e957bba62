"""Render workers: a small pool of long-lived Node processes, fed over pipes. One thread drives all of them. It sends
requests before the answers to earlier ones are there, so that no worker waits for us. If a worker crashes or hangs, its
page is tried once more; if that fails too, only that page fails.
"""

import contextlib
import os
import selectors
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self

import orjson

from .render_worker import RenderWorker, bare_environment

_AHEAD: Final = 6
"""Pages that a worker is sent ahead of its answers."""
_PAGES_PER_WORKER: Final = 40
"""One more worker is started for each so many pages: starting it costs as much as rendering them."""


class PageRequest(NamedTuple):
    """A page to render. Its record follows from the page content, the shared data and the web build alone, so whoever is
    asked twice, or two that are asked at once, store the same files."""

    site: str
    path: str
    title: str
    shared: str
    """Hash of the shared data."""
    page: bytes
    """``PageContent`` as JSON."""
    brotli: int = 0
    """Quality of the HTML's compressed copy; 0 for none."""
    store: str = ""
    """Folder of the content store; empty: the HTML itself is wanted."""


class InspectRequest(NamedTuple):
    """A page that has been stored: its HTML is inspected again."""

    site: str
    path: str
    title: str
    html: str
    """Digest."""
    store: str


class PictureRequest(NamedTuple):
    """The sharing picture of a page. Where several pages share one, it is the first of them."""

    site: str
    path: str
    title: str
    name: str
    """The picture's own URL path."""
    picture: bytes
    """What it shows (``sharing.SharingPicture``) as JSON."""


class DrawnPicture(NamedTuple):
    request: PictureRequest
    data: bytes


class Seen(NamedTuple):
    """What the gate has to know of a page, read off its HTML (`web/src/publishing/inspect-html.ts`)."""

    lang: str
    dir: str
    headings: int
    """Number of main headings before the footer."""
    braces: Sequence[str]
    """``{name}`` in texts before the footer: code, or a placeholder that nobody filled."""
    alternates: int
    """Number of links to translations in the head."""
    ids: Sequence[str]
    values: Sequence[str]
    """Values of all attributes that hold addresses, as they are written, each once."""


class StoredFile(NamedTuple):
    digest: str
    size: int


class RecordedPage(NamedTuple):
    """A page that was rendered and stored."""

    request: PageRequest
    html: StoredFile
    data: StoredFile
    seen: Seen


class InspectedPage(NamedTuple):
    request: InspectRequest
    seen: Seen


class RenderedPage(NamedTuple):
    request: PageRequest
    html: bytes


class RenderFailure(NamedTuple):
    request: PageRequest | InspectRequest | PictureRequest
    what: str
    """A sentence without its full stop: what went wrong, and in which block if that is known."""


Request = PageRequest | InspectRequest | PictureRequest
Answer = RecordedPage | InspectedPage | RenderedPage | DrawnPicture | RenderFailure


class Renderer(Protocol):
    """What a publish needs of a renderer."""

    def warm_up(self, pages: int = 1) -> None: ...
    def add_shared(self, key: str, data: bytes) -> None: ...
    def forget_shared(self, keep: Iterable[str]) -> None: ...
    def render(self, requests: Iterable[Request]) -> Iterator[Answer]: ...
    def close(self) -> None: ...


class _Job:
    __slots__ = ("crashes", "number", "request")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.number = 0
        self.crashes = 0


class RenderPool:
    """Renders pages in worker processes. Use as a context manager: leaving it ends all of them, also by an
    exception."""

    def __init__(
        self, command: Sequence[str], workers: int = 0, page_limit_s: float = 20.0, cache: Path | None = None
    ) -> None:
        """``workers``: at most so many (0: one per core, at most 4). ``cache``: where Node keeps compiled code."""
        self._command = list(command)
        self._count = workers or min(4, os.cpu_count() or 1)
        self._limit = page_limit_s
        kept_code = {"NODE_COMPILE_CACHE": str(cache)} if cache else {}
        self._environment = bare_environment(NODE_ENV="production", **kept_code)
        self._workers: list[RenderWorker[_Job]] = []
        self._shared: dict[str, bytes] = {}
        self._numbers = 0
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm_up(self, pages: int = 1) -> None:
        """Start the workers that this number of pages needs, before the pages are there."""
        while len(self._workers) < min(-(-pages // _PAGES_PER_WORKER), self._count):
            self._start()

    def processes(self) -> list[int]:
        return [worker.process.pid for worker in self._workers]

    def add_shared(self, key: str, data: bytes) -> None:
        """Register shared data. It is sent to a worker before the first page that needs it."""
        self._shared[key] = data

    def forget_shared(self, keep: Iterable[str]) -> None:
        kept = set(keep)
        self._shared = {key: data for key, data in self._shared.items() if key in kept}

    def render(self, requests: Iterable[Request]) -> Iterator[Answer]:
        """Every request's page or picture, or its failure, as they come. ``requests`` is read as workers become free."""
        source = iter(requests)
        waiting: deque[_Job] = deque()
        exhausted = False
        try:
            while True:
                while not exhausted and not waiting and self._is_room():
                    request = next(source, None)
                    exhausted = request is None
                    if request:
                        waiting.append(_Job(request))
                    self._assign(waiting)
                if not waiting and not any(worker.jobs for worker in self._workers):
                    return
                yield from self._pump(waiting)
        finally:
            for worker in [worker for worker in self._workers if worker.jobs]:
                self._drop(worker)  # left early: its answers would be taken for those of the next pages

    def close(self) -> None:
        for worker in list(self._workers):
            self._drop(worker, kill=bool(worker.jobs))
        self._selector.close()

    def _start(self) -> RenderWorker[_Job]:
        worker = RenderWorker[_Job](self._command, self._environment)
        self._workers.append(worker)
        self._selector.register(worker.stdout, selectors.EVENT_READ, worker)
        return worker

    def _drop(self, worker: RenderWorker[_Job], kill: bool = True) -> str:
        self._workers.remove(worker)
        for file in (worker.stdout, worker.stdin):
            with contextlib.suppress(KeyError):
                self._selector.unregister(file)
        return worker.end(kill)

    def _pump(self, waiting: deque[_Job]) -> Iterator[Answer]:
        """Wait for answers, write what the pipes take, and handle workers that died."""
        self._assign(waiting)
        for key, events in self._selector.select(self._patience()):
            worker: RenderWorker[_Job] = key.data
            if worker not in self._workers:
                continue
            alive = True
            if events & selectors.EVENT_WRITE:
                self._flush(worker)
            if key.fd == worker.stdout:
                alive = worker.receive()
                for reply in worker.replies():
                    yield self._answer(worker, reply)
            if not alive:
                yield from self._after_crash(worker, waiting)
        yield from self._end_hung(waiting)

    def _is_room(self) -> bool:
        return not self._workers or any(len(worker.jobs) < _AHEAD for worker in self._workers)

    def _assign(self, waiting: deque[_Job]) -> None:
        if waiting and not self._workers:
            self._start()
        while waiting:
            worker = min(self._workers, key=lambda candidate: len(candidate.jobs))
            if len(worker.jobs) >= _AHEAD:
                return
            self._give(worker, waiting.popleft())

    def _give(self, worker: RenderWorker[_Job], job: _Job) -> None:
        self._numbers += 1
        job.number = self._numbers
        self._send(worker, job, job.request)
        if not worker.jobs:
            worker.since = time.monotonic()
        worker.jobs.append(job)
        self._flush(worker)

    def _send(self, worker: RenderWorker[_Job], job: _Job, request: Request) -> None:
        if isinstance(request, PictureRequest):
            worker.send(b'{"id":%d,"op":"picture","picture":%b}' % (job.number, request.picture))
            return
        if isinstance(request, InspectRequest):
            message = {"id": job.number, "op": "inspect", "store": request.store, "html": request.html}
            worker.send(orjson.dumps(message))
            return
        if request.shared not in worker.shared:
            worker.shared.append(request.shared)
            worker.send(
                b'{"id":%d,"op":"shared","hash":"%b","data":%b}'
                % (job.number, request.shared.encode(), self._shared[request.shared])
            )
        worker.send(
            b'{"id":%d,"op":"page","shared":"%b","brotli":%d,"store":%b,"page":%b}'
            % (
                job.number,
                request.shared.encode(),
                request.brotli,
                orjson.dumps(request.store or None),
                request.page,
            )
        )

    def _flush(self, worker: RenderWorker[_Job]) -> None:
        try:
            worker.flush()
        except BrokenPipeError:
            worker.unsent.clear()  # it is gone: its closed output tells so
        registered = worker.stdin in self._selector.get_map()
        if worker.unsent and not registered:
            self._selector.register(worker.stdin, selectors.EVENT_WRITE, worker)
        elif registered and not worker.unsent:
            self._selector.unregister(worker.stdin)

    def _answer(self, worker: RenderWorker[_Job], reply: bytes) -> Answer:
        job = worker.jobs.popleft()
        worker.since = time.monotonic()
        size = int.from_bytes(reply[:4], "big")
        header: dict[str, Any] = orjson.loads(reply[4 : 4 + size])
        if header["id"] != job.number:
            raise RuntimeError(f"The render worker answered {header['id']} where {job.number} was asked: a bug in it.")
        if not header["ok"]:
            error = header["error"]
            if error["errno"]:  # the disk's trouble, and no page's
                raise OSError(error["errno"], error["message"])
            return RenderFailure(job.request, _failure(error))
        if isinstance(job.request, InspectRequest):
            return InspectedPage(job.request, Seen(**header["seen"]))
        if isinstance(job.request, PageRequest) and job.request.store:
            record = header["record"]
            html, data = StoredFile(*record["html"]), StoredFile(*record["data"])
            return RecordedPage(job.request, html, data, Seen(**record["seen"]))
        part = reply[4 + size :]
        return (
            DrawnPicture(job.request, part)
            if isinstance(job.request, PictureRequest)
            else RenderedPage(job.request, part)
        )

    def _after_crash(self, worker: RenderWorker[_Job], waiting: deque[_Job]) -> Iterator[RenderFailure]:
        """The oldest page without an answer probably caused the crash: it gets one more try. The others were not begun,
        so for them this try does not count."""
        said = self._drop(worker)
        if not worker.jobs:
            return
        suspect = worker.jobs.popleft()
        waiting.extendleft(reversed(worker.jobs))
        suspect.crashes += 1
        if suspect.crashes > 1:
            yield RenderFailure(suspect.request, f"ended the render worker twice{_quoted(said)}")
        else:
            waiting.append(suspect)

    def _end_hung(self, waiting: deque[_Job]) -> Iterator[RenderFailure]:
        now = time.monotonic()
        for worker in [worker for worker in self._workers if worker.jobs and now - worker.since > self._limit]:
            said = self._drop(worker)
            suspect = worker.jobs.popleft()
            waiting.extendleft(reversed(worker.jobs))
            yield RenderFailure(suspect.request, f"took longer than {self._limit:g} s to render{_quoted(said)}")

    def _patience(self) -> float:
        """How long to wait for answers before looking for a hung worker."""
        now = time.monotonic()
        left = [worker.since + self._limit - now for worker in self._workers if worker.jobs]
        return max(0.0, min(left, default=self._limit)) + 0.01


def _failure(error: Mapping[str, Any]) -> str:
    block = error.get("block")
    if block is None:
        where = ""
    elif isinstance(block, dict):
        where = f" in block {int(block['index']) + 1} ({block['type']})"
    else:
        where = f" in block {block}"
    return f"could not be rendered{where}: {error['message']}"


def _quoted(said: str) -> str:
    return f" (it said: {said})" if said else ""
