"""Fetch one file from the public internet: from a checked IP address, with limits of time and memory.

Sends nothing about us or the visitor.
"""

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator, Iterable
from typing import Final, NamedTuple

import httpcore

from ..outgoing.network import CONNECT_S, FetchError, PublicNetwork, RefusedError

TOTAL_S: Final = 5
LARGEST_FILE: Final = 2 << 20
"""Limit in bytes, before and after decompression."""

_HEADERS: Final = [(b"user-agent", b"Portolan"), (b"accept", b"*/*"), (b"accept-encoding", b"gzip")]
"""All headers that are sent except Host: nothing about the visitor or the site."""

_KINDS: Final = frozenset(
    {
        *("text/javascript", "application/javascript", "application/x-javascript"),
        *("application/json", "text/css", "application/wasm"),
        *(
            "image/png",
            "image/jpeg",
            "image/gif",
            "image/webp",
            "image/avif",
            "image/x-icon",
            "image/vnd.microsoft.icon",
        ),
        *("font/woff2", "font/woff", "font/ttf", "font/otf"),
    }
)
"""Types that may be served from a site's own origin. HTML, XML and SVG are documents: their scripts would run as ours."""

_GZIP: Final = 16 + zlib.MAX_WBITS


class Fetched(NamedTuple):
    body: bytes
    content_type: str


class PublicFetcher:
    """Fetches files by https from the public internet."""

    def __init__(self, network: PublicNetwork | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._network = network or PublicNetwork()
        self._tls = tls

    async def fetch(self, url: str) -> Fetched:
        """Return the file. Raise FetchError, or RefusedError if its type, size or speed is not allowed."""
        if self._tls is None:
            self._tls = httpcore.default_ssl_context()
        try:
            async with asyncio.timeout(TOTAL_S):
                return await self._fetch(url, self._tls)
        except TimeoutError as error:
            raise RefusedError(f"{url} took longer than {TOTAL_S} s.") from error
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError) as error:
            raise FetchError(f"{url} cannot be read ({type(error).__name__}: {error}).") from error

    async def _fetch(self, url: str, tls: ssl.SSLContext) -> Fetched:
        pool = httpcore.AsyncConnectionPool(ssl_context=tls, network_backend=self._network, max_keepalive_connections=0)
        limits = {"connect": CONNECT_S, "read": TOTAL_S, "write": TOTAL_S, "pool": TOTAL_S}
        async with pool, pool.stream("GET", url, headers=_HEADERS, extensions={"timeout": limits}) as response:
            if 300 <= response.status < 400:
                raise RefusedError(f"{url} redirects ({response.status}), which is not allowed.")
            if response.status != 200:
                raise FetchError(f"{url} returned {response.status}. Only 200 is forwarded.")
            content_type = _read_content_type(url, response.headers)
            body = await _read_body(url, response.headers, response.aiter_stream())
            return Fetched(body, content_type)


def _read_content_type(url: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the content type from our own list. The host's header is never forwarded as it is."""
    values = [value for name, value in headers if name.lower() == b"content-type"]
    kind, _, parameters = (values[0] if len(values) == 1 else b"").decode("latin-1").lower().partition(";")
    kind = kind.strip()
    if kind not in _KINDS:
        raise RefusedError(f"{url} has the type {values!r}, which is not allowed.")
    if kind in ("text/javascript", "application/javascript", "application/x-javascript"):
        kind = "text/javascript"
    if not kind.startswith("text/"):
        return kind
    charset = parameters.strip().removeprefix("charset=").strip('"') or "utf-8"
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise RefusedError(f"{url} has the charset {charset!r}. Only UTF-8 is allowed.")
    return f"{kind}; charset=utf-8"


async def _read_body(url: str, headers: Iterable[tuple[bytes, bytes]], parts: AsyncIterator[bytes]) -> bytes:
    codings = [value.strip().lower() for name, value in headers if name.lower() == b"content-encoding"]
    if codings not in ([], [b"identity"], [b"gzip"]):
        raise RefusedError(f"{url} has the encoding {codings!r}, which was not requested.")
    lengths = [value for name, value in headers if name.lower() == b"content-length"]
    if any(not length.isdigit() or int(length[:19]) > LARGEST_FILE for length in lengths):
        raise RefusedError(f"{url} has the length {lengths!r}, which is not allowed.")
    unpack = zlib.decompressobj(_GZIP) if codings == [b"gzip"] else None
    body = bytearray()
    came = 0
    async for part in parts:
        came += len(part)
        try:
            body += unpack.decompress(part, LARGEST_FILE + 1 - len(body)) if unpack else part
        except zlib.error as error:
            raise FetchError(f"{url} is not valid gzip ({error}).") from error
        if max(came, len(body)) > LARGEST_FILE:
            raise RefusedError(f"{url} is larger than {LARGEST_FILE >> 20} MiB.")
    if unpack and not unpack.eof:
        raise FetchError(f"{url} ends too early.")
    return bytes(body)
