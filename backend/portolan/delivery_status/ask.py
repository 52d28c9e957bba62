"""Request pages at the sites' own URLs, as a visitor's browser would.

Hosts come only from the site configuration, redirects are not followed, and pages, bytes and seconds are limited.

Unlike requests to other hosts (``outgoing``), these may go to private addresses: those of a demo, or of a network with
its own names.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final
from urllib.parse import urljoin

import httpcore

from ..builds.packs import Encoding
from ..builds.store import digest_of
from ..builds.unpack import unpack
from ..outgoing.reasons import reason_of
from .answers import Answer

WITHIN_S: Final = 3.0
"""Time limit for all requests of one call."""
LARGEST: Final = 16 << 20
"""Largest page in bytes, packed and unpacked."""
_AT_ONCE: Final = 8
_ENCODINGS: Final[Mapping[bytes, Encoding]] = {b"br": "br", b"gzip": "gzip"}
_LOOPBACK: Final = ("127.0.0.1", "::1")
_HEADERS: Final = [(b"user-agent", b"Portolan"), (b"accept", b"text/html"), (b"accept-encoding", b"br, gzip")]


def ask(urls: Collection[str], within_s: float = WITHIN_S) -> Mapping[str, Answer | str]:
    """Return each URL's response, or the reason for none as a sentence's end."""
    return asyncio.run(_ask(urls, within_s)) if urls else {}


async def _ask(urls: Collection[str], within_s: float) -> Mapping[str, Answer | str]:
    free = asyncio.Semaphore(_AT_ONCE)
    tls = httpcore.default_ssl_context() if any(url.startswith("https:") for url in urls) else None
    pool = httpcore.AsyncConnectionPool(ssl_context=tls, network_backend=_OwnNetwork(), max_connections=_AT_ONCE)

    async def one(url: str) -> Answer | str:
        async with free:
            try:
                return await _get(pool, url)
            except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError) as error:
                return f"connecting failed ({reason_of(error).lower() or type(error).__name__})"
            except ValueError:
                return "the response is too large or cannot be unpacked"

    tasks = {url: asyncio.ensure_future(one(url)) for url in urls}
    _, late = await asyncio.wait(tasks.values(), timeout=within_s)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    await pool.aclose()
    return {
        url: f"it did not respond within {within_s:g} s" if task in late else task.result()
        for url, task in tasks.items()
    }


async def _get(pool: httpcore.AsyncConnectionPool, url: str) -> Answer:
    async with pool.stream("GET", url, headers=_HEADERS) as response:
        headers = {name.lower(): value for name, value in response.headers}
        location = headers.get(b"location", b"").decode("latin-1")
        if response.status != 200:
            return Answer(response.status, location=urljoin(url, location) if location else "")
        read = bytearray()
        async for part in response.aiter_stream():
            read += part
            if len(read) > LARGEST:
                raise ValueError
        return Answer(200, digest_of(_unpack(bytes(read), headers.get(b"content-encoding", b""))))


def _unpack(data: bytes, coding: bytes) -> bytes:
    """Return the unpacked data. Raise ValueError if it is too large or damaged.

    Also raised for an unrequested encoding.
    """
    if coding in (b"", b"identity"):
        return data
    encoding = _ENCODINGS.get(coding)
    read = unpack(data, encoding, LARGEST) if encoding else None
    if read is None:
        raise ValueError
    return read


class _OwnNetwork(httpcore.AsyncNetworkBackend):
    """Resolves names under ``localhost`` here (RFC 6761), as some resolvers do not."""

    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        connect = self._backend.connect_tcp
        if not host.endswith(".localhost"):
            return await connect(host, port, timeout, local_address, socket_options)
        try:
            return await connect(_LOOPBACK[0], port, timeout, local_address, socket_options)
        except httpcore.ConnectError:
            return await connect(_LOOPBACK[1], port, timeout, local_address, socket_options)
