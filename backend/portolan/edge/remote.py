"""The API or the studio in another process, as an ASGI application: a request goes there by HTTP as it came, and the answer
comes back as it is sent. Neither is kept: bodies are passed on part by part.
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
"""The other side may think for so long, and pause for so long between two parts of its answer."""
MOST_AT_ONCE: Final = 256
"""Requests of one worker that are under way; more wait, but not longer than for a connection."""
_KEPT: Final = 32
_KEPT_S: Final = 5
"""Shorter than the other side keeps a connection that is not used, so that hardly ever both decide at once."""
_LIMITS: Final = {"connect": CONNECT_S, "read": SILENT_S, "write": SILENT_S}

_OF_CONNECTION: Final = frozenset(
    (b"connection", b"keep-alive", b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade", b"expect")
)
"""Headers about one connection, not about the request (RFC 9110, section 7.6.1)."""
_OF_CLIENT: Final = frozenset((b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto"))
"""What is passed on of the client we say by ourselves."""
_OF_SERVER: Final = frozenset((b"server", b"date"))
"""Our own server adds its own."""
_BROKEN: Final = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException)

if find_spec("sniffio") is None:
    # The client asks for this package several times a request, and Python looks through all folders each time.
    sys.modules["sniffio"] = None  # type: ignore[assignment]


class _Connections:
    """To one origin, and room for so many requests at once.

    Who finds none waits here and not in the package's pool, which looks at every connection for each that waits, whenever one
    comes or goes: a thousand that left together kept the whole process busy for a minute.
    """

    def __init__(self, kept: int, network: httpcore.AsyncNetworkBackend | None, socket: str | None) -> None:
        """``kept``: how many stay open for who comes next."""
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
        """Raises httpcore's errors, PoolTimeout where there was no room in time."""
        try:
            async with asyncio.timeout(CONNECT_S):
                await self._room.acquire()
        except TimeoutError as error:
            raise httpcore.PoolTimeout(f"{MOST_AT_ONCE} requests are under way") from error
        try:
            extensions = {"timeout": _LIMITS}
            async with self._pool.stream(method, url, headers=headers, content=body, extensions=extensions) as response:
                yield response
        finally:
            self._room.release()

    async def close(self) -> None:
        await self._pool.aclose()


class RemoteApplication:
    """Passes requests on to ``url``, an origin. Raises Unreachable where nothing has been answered and nobody is there."""

    def __init__(
        self, url: str, network: httpcore.AsyncNetworkBackend | None = None, socket: str | None = None
    ) -> None:
        """``socket``: a Unix socket at which the origin listens, where it is on this machine."""
        self._url = httpcore.URL(url)
        self._network = network
        self._socket = socket
        self._connections: tuple[_Connections, _Connections] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kept, fresh = self._open()
        if has_body(scope):
            with suppress(_BrokenOff):  # who is still there is told by whoever bounds the body
                # By a connection of its own: what may have been taken must not be sent twice.
                await self._ask(fresh, scope, _read_body(receive), send)
        elif scope["method"] not in ("GET", "HEAD"):
            await self._ask(fresh, scope, None, send)
        else:
            try:
                await self._ask(kept, scope, None, send)
            except _StaleConnection:  # one that was kept has been closed meanwhile: nothing was answered
                await self._ask(fresh, scope, None, send)

    async def close(self) -> None:
        """Close what is kept open; a process that ends needs not."""
        for each in self._connections or ():
            await each.close()
        self._connections = None

    def _open(self) -> tuple[_Connections, _Connections]:
        """Those that are kept and those that are not, made in the loop that uses them."""
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
            raise Unreachable(f"{self._origin} does not answer ({type(error).__name__}: {error}).") from error

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
    """The client has gone, or has been cut off, before its request was whole."""


_STALE: Final = (httpcore.RemoteProtocolError, httpcore.ReadError, httpcore.WriteError)


async def _read_body(receive: Receive) -> AsyncIterator[bytes]:
    """A request's body as it comes in."""
    is_whole = False
    while not is_whole:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _BrokenOff
        is_whole = not message.get("more_body", False)
        if part := message.get("body", b""):
            yield part


def _request_headers(scope: Scope) -> Headers:
    """The request's own headers; the client's address and the scheme as the edge knows them, whatever the client says."""
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
    """An application for a role that this edge was given no address of."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        raise Unreachable(f"{setting} is not set, so there is nobody to pass this on to.")

    return answer
