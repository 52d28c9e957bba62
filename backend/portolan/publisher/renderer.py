"""Render workers: long-lived Node processes on pipes, driven by one thread.

Pages to store are sent in batches, ahead of the answers to earlier batches, so that workers need not wait.

If a worker crashes or hangs, the pages of its batch are tried one by one. If that fails too, only that page fails.
"""

import contextlib
import os
import selectors
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, NamedTuple, Protocol, Self

import orjson

from ..builds.packs import Packed
from ..builds.store import Place
from ..observing import work_pulse
from ..observing.event import Event
from .render_worker import RenderWorker, bare_environment

_AHEAD: Final = 3
"""Batches sent to a worker ahead of its answers."""
_BATCH: Final = 24
"""Pages of a batch in a large publish."""
_BATCHES_PER_WORKER: Final = 5
"""Least batches for each worker, so that all workers end at about the same time."""
_PACKED_FROM: Final = 64
"""Least pages of a publish that packs its files. Fewer pages are as quick in separate files, and need no index."""
_PAGES_PER_WORKER: Final = 40
"""Pages for each further worker. Starting a worker takes as long as rendering this many."""


BATCH_RENDERED: Final[Event[[float, float, int, int]]] = Event()
"""A render worker has answered: its start (seconds since the epoch), its duration in seconds, the number of
requests, and its process id."""


class PageRequest(NamedTuple):
    """A page to render.

    The result depends only on the page content, the shared data and the web build.

    Requests may therefore be repeated, also at the same time: they store the same files.
    """

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
    """Folder of the content store; empty to return the HTML instead."""


class SpliceRequest(NamedTuple):
    """A stored page whose own parts are to get the frame of other shared data.

    No compressed copy is made here. The background makes it later.
    """

    site: str
    path: str
    title: str
    shared: str
    """Hash of the shared data."""
    html: Place
    data: Place
    """Place of its page data."""
    store: str


class InspectRequest(NamedTuple):
    """A stored page whose HTML is inspected again."""

    site: str
    path: str
    title: str
    html: Place


class PictureRequest(NamedTuple):
    """The sharing image of a page, which is the first one if several pages share it."""

    site: str
    path: str
    title: str
    name: str
    """The image's own URL path."""
    picture: bytes
    """Its description (``sharing.SharingPicture``) as JSON."""


class DrawnPicture(NamedTuple):
    request: PictureRequest
    data: bytes


class SeenPart(NamedTuple):
    """Facts for the publish checks about a part of a page.

    From `web/src/publishing/inspect-html.ts`.
    """

    headings: int = 0
    """Number of main headings before the footer."""
    braces: Sequence[str] = ()
    """``{name}`` in texts before the footer: code, or an unfilled placeholder."""
    ids: Sequence[str] = ()
    values: Sequence[str] = ()
    """Values of all attributes with URLs, as written, each once."""
    documents: Sequence[str] = ()
    """URLs of documents, as written."""


class Seen(NamedTuple):
    """Facts for the publish checks about a page."""

    lang: str
    dir: str
    alternates: int
    """Number of links to translations in the head."""
    own: SeenPart
    """The page without its frame."""
    frame: SeenPart
    """The frame: one object for many pages of a batch."""


class StoredFile(NamedTuple):
    digest: str
    size: int


class RecordedPage(NamedTuple):
    """A page that was rendered and stored."""

    request: PageRequest
    html: StoredFile
    data: StoredFile
    seen: Seen
    packed: Sequence[Packed] = ()
    """The places of its files, if they are in a pack."""


class SplicedPage(NamedTuple):
    """A page that was reframed and stored."""

    request: SpliceRequest
    html: StoredFile
    data: StoredFile
    own: SeenPart
    """The ids that the frame links to, and documents, of the page's own parts. All else was seen when they were
    rendered."""
    frame: SeenPart
    """One object for many pages of a batch."""
    packed: Sequence[Packed] = ()


class InspectedPage(NamedTuple):
    request: InspectRequest
    seen: Seen


class RenderedPage(NamedTuple):
    """A page that was rendered and not stored."""

    request: PageRequest
    html: bytes
    seen: Seen


class RenderFailure(NamedTuple):
    request: "Request"
    what: str
    """A sentence without its full stop: the failure, and its block if known."""


Request = PageRequest | SpliceRequest | InspectRequest | PictureRequest
Answer = RecordedPage | SplicedPage | InspectedPage | RenderedPage | DrawnPicture | RenderFailure


class Renderer(Protocol):
    """The interface of a renderer for a publish."""

    def warm_up(self, pages: int = 1) -> None: ...
    def add_shared(self, key: str, data: bytes) -> None: ...
    def forget_shared(self, keep: Iterable[str]) -> None: ...
    def render(self, requests: Iterable[Request], pages: int = 1) -> Iterator[Answer]:
        """Yield the answers in any order. ``pages``: their number, as far as known."""

    def close(self) -> None: ...


class _Job:
    """A message to a worker: one request, or a batch of pages."""

    __slots__ = ("crashes", "number", "pack", "requests")

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests = requests
        self.number = 0
        self.crashes = 0
        self.pack = ""

    def split(self) -> "list[_Job]":
        """Return the same as a job for each page."""
        return [_Job([request]) for request in self.requests]


class _Batches:
    """Groups pages with the same shared data. Other requests stay alone."""

    def __init__(self, requests: Iterable[Request], size: int) -> None:
        self._source = iter(requests)
        self._size = size
        self._open: list[PageRequest | SpliceRequest] = []

    def next(self) -> _Job | None:
        """Return the next job, or None after the last."""
        for request in self._source:
            if isinstance(request, InspectRequest | PictureRequest) or not request.store:
                return _Job([request])
            if self._open and _terms(self._open[0]) != _terms(request):
                full, self._open = self._open, [request]
                return _Job(full)
            self._open.append(request)
            if len(self._open) >= self._size:
                break
        rest, self._open = self._open, []
        return _Job(rest) if rest else None


def _terms(request: PageRequest | SpliceRequest) -> dict[str, Any]:
    """Return the common fields of all requests of a batch."""
    if isinstance(request, PageRequest):
        return {"op": "pages", "shared": request.shared, "brotli": request.brotli, "store": request.store}
    return {"op": "splice", "shared": request.shared, "brotli": 0, "store": request.store}


class RenderPool:
    """Renders pages in worker processes.

    Use it as a context manager, which ends the workers, also after an exception.
    """

    def __init__(
        self,
        command: Sequence[str],
        workers: int = 0,
        page_limit_s: float = 20.0,
        cache: Path | None = None,
        packed_from: int = _PACKED_FROM,
    ) -> None:
        """``workers``: maximum (0: one per core, at most 4).

        ``cache``: folder for Node's compiled code.

        ``packed_from``: least pages of a publish that packs its files.
        """
        self._command = list(command)
        self._count = workers or min(4, len(os.sched_getaffinity(0)))
        self._limit = page_limit_s
        self._packed_from = packed_from
        kept_code = {"NODE_COMPILE_CACHE": str(cache)} if cache else {}
        self._environment = bare_environment(NODE_ENV="production", **kept_code)
        self._workers: list[RenderWorker[_Job]] = []
        self._shared: dict[str, bytes] = {}
        self._numbers = 0
        self._pack = ""
        """Prefix of this run's packs; empty to store each file separately."""
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def warm_up(self, pages: int = 1) -> None:
        """Start the workers for this number of pages in advance."""
        while len(self._workers) < min(-(-pages // _PAGES_PER_WORKER), self._count):
            self._start()

    def processes(self) -> list[int]:
        return [worker.process.pid for worker in self._workers]

    def add_shared(self, key: str, data: bytes) -> None:
        """Register shared data. A worker gets it before the first page that needs it."""
        self._shared[key] = data

    def forget_shared(self, keep: Iterable[str]) -> None:
        kept = set(keep)
        self._shared = {key: data for key, data in self._shared.items() if key in kept}

    def render(self, requests: Iterable[Request], pages: int = 1) -> Iterator[Answer]:
        """See ``Renderer``. ``requests`` is read as workers become free."""
        source = _Batches(requests, max(1, min(_BATCH, pages // (self._count * _BATCHES_PER_WORKER))))
        self._pack = token_hex(8) if pages >= self._packed_from else ""
        waiting: deque[_Job] = deque()
        exhausted = False
        try:
            while True:
                while not exhausted and not waiting and self._is_room():
                    job = source.next()
                    exhausted = job is None
                    if job:
                        waiting.append(job)
                    self._assign(waiting)
                if not waiting and not any(worker.jobs for worker in self._workers):
                    return
                yield from self._pump(waiting)
        finally:
            for worker in [worker for worker in self._workers if worker.jobs]:
                self._drop(worker)  # the caller stopped early; late answers would be taken for those of the next pages

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
        """Wait for answers, fill the pipes, and handle dead workers."""
        self._assign(waiting)
        with work_pulse.waiting():  # a hung worker is ended below
            ready = self._selector.select(self._seconds_to_wait())
        for key, events in ready:
            worker: RenderWorker[_Job] = key.data
            if worker not in self._workers:
                continue
            alive = True
            if events & selectors.EVENT_WRITE:
                self._flush(worker)
            if key.fd == worker.stdout:
                alive = worker.receive()
                for reply in worker.replies():
                    yield from self._answer(worker, reply)
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
        self._send(worker, job)
        if not worker.jobs:
            worker.since = time.monotonic()
        worker.jobs.append(job)
        self._flush(worker)

    def _send(self, worker: RenderWorker[_Job], job: _Job) -> None:
        request = job.requests[0]
        if isinstance(request, PictureRequest):
            worker.send(b'{"id":%d,"op":"picture","picture":%b}' % (job.number, request.picture))
            return
        if isinstance(request, InspectRequest):
            worker.send(orjson.dumps({"id": job.number, "op": "inspect", "html": [*request.html]}))
            return
        shared = request.shared
        if shared not in worker.shared:
            worker.shared.append(shared)
            worker.send(
                b'{"id":%d,"op":"shared","hash":"%b","data":%b}' % (job.number, shared.encode(), self._shared[shared])
            )
        if isinstance(request, PageRequest) and not request.store:
            worker.send(b'{"id":%d,"op":"html","shared":"%b","page":%b}' % (job.number, shared.encode(), request.page))
            return
        job.pack = f"{self._pack}-{worker.process.pid}" if self._pack else ""
        terms = {"id": job.number, **_terms(request), "pack": job.pack or None}
        worker.send(b'%b,"pages":[%b]}' % (orjson.dumps(terms)[:-1], b",".join(map(_pack_page, job.requests))))

    def _flush(self, worker: RenderWorker[_Job]) -> None:
        try:
            worker.flush()
        except BrokenPipeError:
            worker.unsent.clear()  # the process is gone; its closed output reports it
        registered = worker.stdin in self._selector.get_map()
        if worker.unsent and not registered:
            self._selector.register(worker.stdin, selectors.EVENT_WRITE, worker)
        elif registered and not worker.unsent:
            self._selector.unregister(worker.stdin)

    def _answer(self, worker: RenderWorker[_Job], reply: bytes) -> Iterator[Answer]:
        job = worker.jobs.popleft()
        if BATCH_RENDERED:
            seconds = time.monotonic() - worker.since
            BATCH_RENDERED(time.time() - seconds, seconds, len(job.requests), worker.process.pid)
        worker.since = time.monotonic()
        size = int.from_bytes(reply[:4], "big")
        header: dict[str, Any] = orjson.loads(reply[4 : 4 + size])
        if header["id"] != job.number:
            raise RuntimeError(
                f"The render worker answered request {header['id']} instead of {job.number}. This is a bug."
            )
        if not header["ok"]:
            error = _failure(header["error"])
            for request in job.requests:
                yield RenderFailure(request, error)
        elif "batch" in header:
            yield from _read_batch(job, header["batch"])
        else:
            yield _read_single(job.requests[0], header, reply[4 + size :])

    def _after_crash(self, worker: RenderWorker[_Job], waiting: deque[_Job]) -> Iterator[RenderFailure]:
        """Retry after a crash.

        The oldest page without an answer is the suspect, and gets one more try.

        Other pages go back into the queue. A suspected batch is split into its pages.
        """
        said = self._drop(worker)
        if not worker.jobs:
            return
        suspect = worker.jobs.popleft()
        waiting.extendleft(reversed(worker.jobs))
        if len(suspect.requests) > 1:
            waiting.extend(suspect.split())
            return
        suspect.crashes += 1
        if suspect.crashes > 1:
            yield RenderFailure(suspect.requests[0], f"ended the render worker twice{_quoted(said)}")
        else:
            waiting.append(suspect)

    def _end_hung(self, waiting: deque[_Job]) -> Iterator[RenderFailure]:
        now = time.monotonic()
        for worker in [worker for worker in self._workers if worker.jobs and now - worker.since > self._limit]:
            said = self._drop(worker)
            suspect = worker.jobs.popleft()
            waiting.extendleft(reversed(worker.jobs))
            if len(suspect.requests) > 1:
                waiting.extend(suspect.split())
                continue
            yield RenderFailure(suspect.requests[0], f"took longer than {self._limit:g} s to render{_quoted(said)}")

    def _seconds_to_wait(self) -> float:
        """Return the seconds to wait for answers before looking for a hung worker."""
        now = time.monotonic()
        left = [worker.since + self._limit - now for worker in self._workers if worker.jobs]
        return max(0.0, min(left, default=self._limit)) + 0.01


def _pack_page(request: Request) -> bytes:
    if isinstance(request, SpliceRequest):
        return orjson.dumps({"html": [*request.html], "data": [*request.data]})
    assert isinstance(request, PageRequest)
    return request.page


def _read_batch(job: _Job, batch: Mapping[str, Any]) -> Iterator[Answer]:
    frames = [SeenPart(**frame) for frame in batch["frames"]]
    for request, page in zip(job.requests, batch["pages"], strict=True):
        assert isinstance(request, PageRequest | SpliceRequest)
        if "error" in page:
            yield RenderFailure(request, _failure(page["error"]))
            continue
        (html, size, at), (data, data_size, data_at), copy = page["html"], page["data"], page["br"]
        packed = []
        if job.pack:
            packed = [Packed(html, None, job.pack, at, size), Packed(data, None, job.pack, data_at, data_size)]
            if copy:
                packed.append(Packed(html, "br", job.pack, copy[1], copy[0]))
        files = StoredFile(html, size), StoredFile(data, data_size)
        seen, frame = page["seen"], frames[page["frame"]]
        if isinstance(request, SpliceRequest):
            yield SplicedPage(request, *files, SeenPart(ids=seen["ids"], documents=seen["documents"]), frame, packed)
        else:
            yield RecordedPage(request, *files, _seen(seen, frame), packed)


def _read_single(request: Request, header: Mapping[str, Any], part: bytes) -> Answer:
    if isinstance(request, PictureRequest):
        return DrawnPicture(request, part)
    seen = _seen(header["seen"], SeenPart(**header["frame"]))
    if isinstance(request, InspectRequest):
        return InspectedPage(request, seen)
    assert isinstance(request, PageRequest)
    return RenderedPage(request, part, seen)


def _seen(seen: Mapping[str, Any], frame: SeenPart) -> Seen:
    own = SeenPart(seen["headings"], seen["braces"], seen["ids"], seen["values"], seen["documents"])
    return Seen(seen["lang"], seen["dir"], seen["alternates"], own, frame)


def _failure(error: Mapping[str, Any]) -> str:
    """Return the failure as text.

    Raise OSError if the disk failed instead of the page.
    """
    if error["errno"]:
        raise OSError(error["errno"], error["message"])
    block = error.get("block")
    if block is None:
        where = ""
    elif isinstance(block, dict):
        where = f" in block {int(block['index']) + 1} ({block['type']})"
    else:
        where = f" in block {block}"
    return f"could not be rendered{where}: {error['message']}"


def _quoted(said: str) -> str:
    return f" (output: {said})" if said else ""
