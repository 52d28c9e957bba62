"""An HTTP proxy on loopback in front of a running demo, which breaks the product's answers.

The edge identifies sites by host and port, so the proxy forwards each request under the site's own host and port. Links of
pages are relative and stay on the proxy. Each connection carries one request, so a fault breaks exactly one answer.
"""

import asyncio
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx

from tests.processes import SLOWER

LONGEST_WAIT_S = 60 * SLOWER
BETWEEN_LOOKS_S = 0.05
"""A look into a browser takes milliseconds of three processes."""
_NOT_PASSED_ON = {b"connection", b"content-length", b"transfer-encoding", b"keep-alive"}


class Request(NamedTuple):
    """One request as the browser sent it."""

    at: float
    method: str
    host: str
    path: str
    query: str
    dest: str
    """What the browser wants it for: ``document``, ``script``, ``empty`` (a fetch)."""


@dataclass
class Fault:
    """A fault in the answers to some requests. If several faults match a request, the newest applies."""

    path: re.Pattern[str]
    method: str | None = None
    dest: str | None = None
    times: int | None = None
    """So many requests; all of them where there is no number."""
    status: int | None = None
    """Answered by the proxy itself, with ``body``."""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    """Replace those of the answer."""
    edit: Callable[[Any], Any] | None = None
    """Called with the answer's JSON; what it returns is sent instead."""
    spoil: Callable[[bytes], bytes] | None = None
    """The same for its bytes."""
    cut_after: int | None = None
    """So many bytes of the body are sent, then the connection is gone; 0: nothing at all is sent."""
    pauses_at: Callable[[bytes], int] | None = None
    """Called with the body. After that many bytes nothing comes until the fault is released, as on a slow line."""
    rest: asyncio.Event = field(default_factory=asyncio.Event)
    """The bytes after ``pauses_at`` wait for it."""
    delay_s: float = 0
    held: asyncio.Event | None = None
    """The answer waits for it, whatever else is wrong with it."""
    met: int = 0

    @property
    def reads_body(self) -> bool:
        return bool(self.edit or self.spoil or self.pauses_at)

    def meets(self, request: Request) -> bool:
        return (
            (self.times is None or self.met < self.times)
            and self.method in (None, request.method)
            and self.dest in (None, request.dest)
            and self.path.fullmatch(request.path) is not None
        )


class Faults:
    """The proxy, its faults, and the requests it received. Runs in its own thread."""

    def __init__(self, upstream_port: int) -> None:
        self.port = 0
        self.requests: list[Request] = []
        self._upstream_port = upstream_port
        self._faults: list[Fault] = []
        self._kept: dict[Any, tuple[int, list[tuple[bytes, bytes]], bytes]] = {}
        """Files that never change. Each test is a new visitor, who asks for all of them."""
        self._open: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="faults", daemon=True)

    def __enter__(self) -> "Faults":
        self._thread.start()
        self._call(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._call(self._stop())
        self._call(self._client.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def add(self, path: str, **what: Any) -> Fault:
        """A fault of all paths that match. ``status``, ``body``, ``times`` and so on: fields of ``Fault``."""
        if isinstance(what.get("body"), str):
            what["body"] = what["body"].encode()
        fault = Fault(re.compile(path), **what)
        self._faults.append(fault)
        return fault

    @contextmanager
    def hold(self, path: str, **what: Any) -> Iterator[Fault]:
        """Answers wait until the end of the block."""
        fault = self.add(path, held=asyncio.Event(), **what)
        try:
            yield fault
        finally:
            self.release(fault)

    def release(self, fault: Fault) -> None:
        for event in filter(None, (fault.held, fault.rest)):
            self._loop.call_soon_threadsafe(event.set)
        self.remove(fault)

    def remove(self, fault: Fault) -> None:
        with suppress(ValueError):
            self._faults.remove(fault)

    def clear(self) -> None:
        """Remove all faults and recorded requests."""
        for fault in list(self._faults):
            self.release(fault)
        self.requests.clear()

    @contextmanager
    def offline(self) -> Iterator[None]:
        """Refuse all connections until the end of the block."""
        self._call(self._stop())
        try:
            yield
        finally:
            self._call(self._start())

    def asked(self, path: str, *, method: str = "GET", dest: str | None = None) -> list[Request]:
        """Requests of a path, which is a regular expression."""
        return [
            request
            for request in list(self.requests)
            if request.method == method and dest in (None, request.dest) and re.fullmatch(path, request.path)
        ]

    def count(self, path: str, *, method: str = "GET", dest: str | None = None) -> int:
        return len(self.asked(path, method=method, dest=dest))

    def wait_for(self, path: str, times: int = 1, **which: Any) -> None:
        """Returns once it has been asked for so many times."""
        wait_until(lambda: self.count(path, **which) >= times, lambda: f"{times}x {path}; asked: {self.requests}")

    def _call(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(LONGEST_WAIT_S)

    async def _start(self) -> None:
        if not hasattr(self, "_client"):
            upstream = f"http://127.0.0.1:{self._upstream_port}"
            self._client = httpx.AsyncClient(base_url=upstream, timeout=LONGEST_WAIT_S, trust_env=False)
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _stop(self) -> None:
        if self._server:
            for listening in self._server.sockets:
                self._loop.remove_reader(listening.fileno())
            await asyncio.sleep(0)  # who was taken just now would find the server closed, and leave its connection open
            self._server.close()
        for writer in self._open:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, httpx.TransportError):
                await self._answer(reader, writer)
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")[:-2]
        method, target, _ = first.split(" ")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        path, _, query = target.partition("?")
        host, dest = headers.get("host", ""), headers.get("sec-fetch-dest", "")
        request = Request(time.monotonic(), method, host, path, query, dest)
        self.requests.append(request)
        for each in list(self._faults):
            if each.held and each.meets(request):
                await each.held.wait()
        wrong = (each for each in reversed(self._faults) if not each.held and each.meets(request))
        fault = next(wrong, Fault(re.compile("")))
        fault.met += 1
        await asyncio.sleep(fault.delay_s)
        if fault.cut_after == 0:
            writer.transport.abort()
            return
        if fault.status is not None:
            status, own = fault.status, [(b"content-type", b"text/plain")]
            answer = fault.body
        else:
            status, own, answer = await self._ask(method, target, headers, body, whole=fault.reads_body)
        if fault.edit:
            answer = json.dumps(fault.edit(json.loads(answer))).encode()
        if fault.spoil:
            answer = fault.spoil(answer)
        replaced = {name.lower().encode(): value.encode() for name, value in fault.headers.items()}
        if fault.reads_body or fault.status:
            replaced.setdefault(b"cache-control", b"no-store")  # else the browser takes it for what it had
            own = [(name, value) for name, value in own if name != b"etag"]
        own = [(name, value) for name, value in own if name not in replaced] + list(replaced.items())
        if status != 304 and method != "HEAD":
            own.append((b"content-length", str(len(answer)).encode()))
        own.append((b"connection", b"close"))
        writer.write(f"HTTP/1.1 {status} -\r\n".encode() + b"".join(b"%s: %s\r\n" % pair for pair in own) + b"\r\n")
        if fault.pauses_at:
            come = fault.pauses_at(answer)
            writer.write(answer[:come])
            await writer.drain()
            await fault.rest.wait()
            answer = answer[come:]
        if method != "HEAD":
            writer.write(answer[: fault.cut_after])
        await writer.drain()
        if fault.cut_after is not None:
            writer.transport.abort()

    async def _ask(
        self, method: str, target: str, headers: dict[str, str], body: bytes, *, whole: bool
    ) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Return the demo's answer; ``whole`` prevents compression and 304 answers."""
        own_port, _, _ = headers.get("host", "").rpartition(":")
        passed = {**headers, "host": f"{own_port}:{self._upstream_port}"}
        for name in {"origin", "referer"} & passed.keys():  # else a form would come from elsewhere
            passed[name] = passed[name].replace(f":{self.port}", f":{self._upstream_port}", 1)
        if whole:
            passed = {**passed, "accept-encoding": "identity"}
            for name in ("if-none-match", "if-modified-since"):
                passed.pop(name, None)
        del passed["connection"]
        kept = (method, passed["host"], target, passed.get("accept-encoding"))
        if kept in self._kept:
            return self._kept[kept]
        request = self._client.build_request(method, target, headers=passed, content=body)
        reply = await self._client.send(request, stream=True)
        try:
            answer = b"".join([part async for part in reply.aiter_raw()])
        finally:
            await reply.aclose()
        own = [(name.lower(), value) for name, value in reply.headers.raw if name.lower() not in _NOT_PASSED_ON]
        if reply.status_code == 200 and "immutable" in reply.headers.get("cache-control", ""):
            self._kept[kept] = (200, own, answer)
        return reply.status_code, own, answer


def wait_until(happened: Callable[[], bool], describe: Callable[[], str] | str, within_s: float = 60) -> None:
    """Wait for a state that the browser or another process reaches by itself, at most ``within_s`` times ``SLOWER``."""
    within_s *= SLOWER
    deadline = time.monotonic() + within_s
    while not happened():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {within_s:.0f} s: {describe() if callable(describe) else describe}")
        time.sleep(BETWEEN_LOOKS_S)


def path_of(url: str) -> str:
    """Path, query and hash of an address."""
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return f"{parts.path}{query}{fragment}"
