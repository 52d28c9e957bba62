"""Asks sites what they answer at their own addresses, as a visitor's browser would. The hosts are the registry's and nobody
else's, no redirect is followed, and everything is bounded: pages, bytes and seconds.

Unlike what is asked of others (``outgoing``), an own address may be private: of a demo, or where names lead elsewhere inside
a network than outside of it.
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
"""For all that is asked at once."""
LARGEST: Final = 16 << 20
"""Bytes of a page, packed and unpacked."""
_AT_ONCE: Final = 8
_ENCODINGS: Final[Mapping[bytes, Encoding]] = {b"br": "br", b"gzip": "gzip"}
_LOOPBACK: Final = ("127.0.0.1", "::1")
_HEADERS: Final = [(b"user-agent", b"Portolan"), (b"accept", b"text/html"), (b"accept-encoding", b"br, gzip")]


def ask(urls: Collection[str], within_s: float = WITHIN_S) -> Mapping[str, Answer | str]:
    """What came from each address, or why nothing did: the end of a sentence."""
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
                return f"it takes no connection ({reason_of(error).lower() or type(error).__name__})"
            except ValueError:
                return "what came is too large or cannot be unpacked"

    tasks = {url: asyncio.ensure_future(one(url)) for url in urls}
    _, late = await asyncio.wait(tasks.values(), timeout=within_s)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    await pool.aclose()
    return {
        url: f"it did not answer within {within_s:g} s" if task in late else task.result()
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
    """Raises ValueError where it is too large, not whole, or of a coding nobody asked for."""
    if coding in (b"", b"identity"):
        return data
    encoding = _ENCODINGS.get(coding)
    read = unpack(data, encoding, LARGEST) if encoding else None
    if read is None:
        raise ValueError
    return read


class _OwnNetwork(httpcore.AsyncNetworkBackend):
    """Names under ``localhost`` are this machine (RFC 6761), which not every resolver knows."""

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
