"""Serve third-party scripts from a site's own origin: only the URLs that the site configuration names."""

import asyncio
import gzip
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection
from hashlib import blake2b
from time import monotonic
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

import brotli

from ..outgoing.network import FetchError, RefusedError
from .encodings import Coding
from .headers import HARMLESS, Headers
from .plain_replies import build_text
from .public_fetch import Fetched, PublicFetcher
from .replies import Reply

PROXY_PATH: Final = "/__third-party-proxy"

FRESH_S: Final = 600
STALE_S: Final = 24 * 3600
"""Seconds for which a file may be used if its host sends no newer one."""
FAILED_S: Final = 10
"""Seconds without requests to a host that failed."""

_MOST_BYTES: Final = 32 << 20
_LONGEST_URL: Final = 2048
_SMALLEST_COMPRESSED: Final = 512

_log = logging.getLogger(__name__)


def _build_refusal(status: int, text: str) -> Reply:
    return build_text(status, text, (b"cross-origin-resource-policy", b"same-origin"))


UNREADABLE: Final = _build_refusal(400, "Send exactly one URL as the query url=.")
NOT_ALLOWED: Final = _build_refusal(403, "This URL is not allowed.")
UNAVAILABLE: Final = _build_refusal(502, "The host of this URL returned no usable file.")


class _Kept(NamedTuple):
    fetched: float
    replies: dict[Coding, Reply]
    size: int


class ThirdPartyScripts:
    """Forwards allowed files. Concurrent requests for a file share one fetch."""

    def __init__(self, fetcher: PublicFetcher | None = None, clock: Callable[[], float] = monotonic) -> None:
        self._fetcher = fetcher or PublicFetcher()
        self._clock = clock
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._room = _MOST_BYTES
        self._flights: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, tuple[float, Reply]] = {}

    async def answer(self, query: bytes, allowed: Collection[str], codings: tuple[Coding, ...]) -> Reply:
        """Return the reply to a request with that query, on a site that allows these URLs."""
        url = read_url(query)
        if url is None:
            return UNREADABLE
        if url not in allowed:
            return NOT_ALLOWED
        kept = self._look_up(url)
        if kept is not None and self._clock() - kept.fetched < FRESH_S:
            return _choose(kept, codings)
        flight = self._flights.get(url) or self._start(url)
        if kept is None and flight is not None:
            await asyncio.shield(flight)  # continues if the visitor disconnects, because others wait too
            kept = self._look_up(url)
        if kept is not None:
            return _choose(kept, codings)
        failed = self._failed.get(url)
        return failed[1] if failed else UNAVAILABLE

    def _start(self, url: str) -> asyncio.Task[None] | None:
        failed = self._failed.get(url)
        if failed is not None and self._clock() - failed[0] < FAILED_S:
            return None
        flight = self._flights[url] = asyncio.create_task(self._renew(url))
        flight.add_done_callback(lambda _: self._flights.pop(url, None))
        return flight

    def _look_up(self, url: str) -> _Kept | None:
        kept = self._kept.get(url)
        if kept is not None and self._clock() - kept.fetched > STALE_S:
            self._forget(url)
            return None
        if kept is not None:
            self._kept.move_to_end(url)
        return kept

    async def _renew(self, url: str) -> None:
        try:
            fetched = await self._fetcher.fetch(url)
            kept = await asyncio.to_thread(_keep, fetched, self._clock())
        except FetchError as error:
            self._failed[url] = self._clock(), NOT_ALLOWED if isinstance(error, RefusedError) else UNAVAILABLE
            _log.warning("Not forwarded: %s It can be requested again in %s s.", error, FAILED_S)
            return
        except Exception:
            self._failed[url] = self._clock(), UNAVAILABLE
            _log.exception("%s could not be fetched", url)
            return
        self._failed.pop(url, None)
        self._forget(url)
        self._kept[url] = kept
        self._room -= kept.size
        while self._room < 0:
            self._forget(next(iter(self._kept)))

    def _forget(self, url: str) -> None:
        kept = self._kept.pop(url, None)
        if kept is not None:
            self._room += kept.size


def read_url(query: bytes) -> str | None:
    """Return the requested URL, decoded once, or ``None`` if the query is not a single ``url=``.

    >>> read_url(b"url=https%3A%2F%2Fcdn.example%2Ftag.js%3Fid%3D1")
    'https://cdn.example/tag.js?id=1'
    >>> read_url(b"url=https://a.example/&url=https://b.example/") is None
    True
    """
    name, equals, value = query.partition(b"=")
    if name != b"url" or not equals or not value or b"&" in value or len(value) > _LONGEST_URL:
        return None
    url = unquote_to_bytes(value)
    if any(byte <= 0x20 or byte >= 0x7F or byte == 0x5C for byte in url):  # space, control, not ASCII, backslash
        return None
    return url.decode("ascii")


def _choose(kept: _Kept, codings: tuple[Coding, ...]) -> Reply:
    return next(kept.replies[coding] for coding in (*codings, None) if coding in kept.replies)


def _keep(fetched: Fetched, now: float) -> _Kept:
    copies: dict[Coding, bytes] = {None: fetched.body}
    if fetched.content_type.startswith(("text/", "application/")) and len(fetched.body) >= _SMALLEST_COMPRESSED:
        copies["br"] = brotli.compress(fetched.body, quality=6)
        copies["gzip"] = gzip.compress(fetched.body, 6, mtime=0)
    tag = b'"' + blake2b(fetched.body, digest_size=8).hexdigest().encode()
    replies = {coding: _build_reply(fetched.content_type, body, coding, tag) for coding, body in copies.items()}
    return _Kept(now, replies, sum(map(len, copies.values())))


def _build_reply(content_type: str, body: bytes, coding: Coding, tag: bytes) -> Reply:
    headers: Headers = [
        (b"content-type", content_type.encode("ascii")),
        (b"cache-control", b"public, max-age=%d" % FRESH_S),
        # Opened directly, the file must not become a document of this site.
        (b"content-security-policy", b"sandbox; default-src 'none'"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"vary", b"accept-encoding"),
        (b"x-robots-tag", b"noindex"),
        HARMLESS,
    ]
    if coding:
        headers.append((b"content-encoding", coding.encode("ascii")))
    return Reply(200, headers, body, tag=tag, etag=tag + (b"-" + coding.encode() if coding else b"") + b'"')
