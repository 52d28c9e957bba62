"""The API or the studio in another process, as an ASGI application that forwards requests by HTTP.

Bodies are streamed in both directions and not stored.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from typing import Any, Final

import httpcore
from starlette.types import Receive, Scope, Send

from .backend import Unreachable
from .headers import Headers
from .slow_bodies import has_body

CONNECT_S: Final = 2
SILENT_S: Final = 120
"""Seconds to wait for a reply, and between two parts of it."""
MOST_AT_ONCE: Final = 256
"""Concurrent requests of one worker. Further requests wait, at most as long as for a connection."""
_KEPT: Final = 32
_KEPT_S: Final = 5
"""Shorter than the other side keeps idle connections, so that both rarely close at once."""
_LIMITS: Final = {"connect": CONNECT_S, "read": SILENT_S, "write": SILENT_S}

_OF_CONNECTION: Final = frozenset(
    (b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect")
)
"""Headers about one connection, not about the request (RFC 9110, section 7.6.1)."""
_OF_CLIENT: Final = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto"))
"""Headers about the client, which the edge sets itself."""
_OF_SERVER: Final = frozenset((b"server", b"date"))
"""Headers that our own server adds."""
_BROKEN: Final = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)

if find_spec("sniffio") is None:
    # httpcore imports this package several times per request, and each failed import searches all folders.
    sys.modules["sniffio"] = None  # type: ignore[assignment]


class _Connections:
    """Connections to one origin, with a limit of concurrent requests.

    Requests wait here and not in httpcore's pool. For each waiting request, that pool checks all connections whenever one
    opens or closes: a thousand that closed together kept the process busy for a minute.
    """

    def __init__(self, kept: int, network: httpcore.AsyncNetworkBackend | None, socket: str | None) -> None:
        """``kept``: number of idle connections to keep."""
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._pool = httpcore.AsyncConnectionPool(
            max_connections=None,
            max_keepalive_connections=kept,
            keepalive_expiry=_KEPT_S,
            network_backend=network,
            uds=socket,
        )

    @asynccontextmanager
    async def stream(
        self, method: str, url: httpcore.URL, headers: Headers, body: AsyncIterator[bytes] | None
    ) -> AsyncIterator[httpcore.Response]:
        """Yield the response. Raise httpcore's errors; PoolTimeout if the limit was not free in time."""
        try:
            async with asyncio.timeout(CONNECT_S):
                await self._room.acquire()
        except TimeoutError as error:
            raise httpcore.PoolTimeout(f"{MOST_AT_ONCE} requests are running") from error
        try:
            extensions = {"timeout": _LIMITS}
            async with self._pool.stream(method, url, headers=headers, content=body, extensions=extensions) as response:
                yield response
        finally:
            self._room.release()

    async def close(self) -> None:
        await self._pool.aclose()


class RemoteApplication:
    """Forwards requests to ``url``, an origin. Raises Unreachable if it does not respond."""

    def __init__(
        self, url: str, network: httpcore.AsyncNetworkBackend | None = None, socket: str | None = None
    ) -> None:
        """``socket``: the Unix socket of an origin on this machine."""
        self._url = httpcore.URL(url)
        self._network = network
        self._socket = socket
        self._connections: tuple[_Connections, _Connections] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kept, fresh = self._open()
        if has_body(scope):
            with suppress(_BrokenOff):  # the code that limits the body replies to clients that are still connected
                # On a new connection, because a request with a body must not be sent twice.
                await self._ask(fresh, scope, _read_body(receive), send)
        elif scope["method"] not in ("GET", "HEAD"):
            await self._ask(fresh, scope, None, send)
        else:
            try:
                await self._ask(kept, scope, None, send)
            except _StaleConnection:  # a kept connection was closed meanwhile: no reply has begun
                await self._ask(fresh, scope, None, send)

    async def close(self) -> None:
        """Close idle connections. Not needed when the process ends."""
        for each in self._connections or ():
            await each.close()
        self._connections = None

    def _open(self) -> tuple[_Connections, _Connections]:
        """Return the kept and the fresh connections, created in the event loop that uses them."""
        if self._connections is None:
            kept, fresh = (_Connections(number, self._network, self._socket) for number in (_KEPT, 0))
            self._connections = kept, fresh
        return self._connections

    async def _ask(
        self, connections: _Connections, scope: Scope, body: AsyncIterator[bytes] | None, send: Send
    ) -> None:
        is_answered = False
        try:
            headers = _request_headers(scope)
            async with connections.stream(scope["method"], self._address(scope), headers, body) as response:
                is_answered = True
                headers = _without(response.headers, _OF_CONNECTION | _OF_SERVER)
                await send({"type": "http.response.start", "status": response.status, "headers": headers})
                async for part in response.aiter_stream():
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except _BROKEN as error:
            if is_answered:
                raise
            if connections is not self._open()[1] and isinstance(error, _STALE):
                raise _StaleConnection from error
            raise Unreachable(f"{self._origin} does not respond ({type(error).__name__}: {error}).") from error

    @property
    def _origin(self) -> str:
        if self._socket:
            return self._socket
        host = self._url.host.decode()
        return f"{self._url.scheme.decode()}://{f'[{host}]' if ':' in host else host}:{self._url.port or ''}".rstrip(
            ":"
        )

    def _address(self, scope: Scope) -> httpcore.URL:
        path: bytes = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0]
        query: bytes = scope["query_string"]
        target = path + b"?" + query if query else path
        return httpcore.URL(scheme=self._url.scheme, host=self._url.host, port=self._url.port, target=target)


class _StaleConnection(Exception):
    pass


class _BrokenOff(Exception):
    """The client disconnected, or was disconnected, before its request was complete."""


_STALE: Final = (httpcore.RemoteProtocolError, httpcore.ReadError, httpcore.WriteError)


async def _read_body(receive: Receive) -> AsyncIterator[bytes]:
    """Yield the parts of a request's body."""
    is_whole = False
    while not is_whole:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _BrokenOff
        is_whole = not message.get("more_body", False)
        if part := message.get("body", b""):
            yield part


def _request_headers(scope: Scope) -> Headers:
    """Return the request's headers, with the client's address and scheme as the edge knows them."""
    headers = _without(scope["headers"], _OF_CONNECTION | _OF_CLIENT)
    if client := scope.get("client"):
        headers.append((b"x-forwarded-for", str(client[0]).encode("latin-1")))
    headers.append((b"x-forwarded-proto", scope["scheme"].encode("ascii")))
    return headers


def _without(headers: Iterable[tuple[bytes, bytes]], left_out: frozenset[bytes]) -> list[tuple[bytes, bytes]]:
    known = [(bytes(name).lower(), bytes(value)) for name, value in headers]
    named = {each.strip().lower() for name, value in known if name == b"connection" for each in value.split(b",")}
    return [(name, value) for name, value in known if name not in left_out and name not in named]


def without_role(setting: str) -> Any:
    """Return an application for a role whose URL is not set."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        raise Unreachable(f"{setting} is not set, so requests to it cannot be forwarded.")

    return answer
