"""The content API from ready bytes: what the application behind answered once is sent again until the site moves on.

A site's replies depend on the release that is live there and on what ``domain.content_api`` lists. So they are kept by
both, and a new release, or going back to an earlier one, needs nobody to clear anything.
"""

import gzip
from collections.abc import MutableMapping
from hashlib import blake2b
from typing import Any, Final

import brotli
from starlette.types import Receive, Scope, Send

from .api_requests import ApiKey, ApiRequests
from .backend import Backend
from .encodings import Coding, accepted_codings
from .headers import Headers
from .live_sites import LiveSites
from .replies import Reply, ReplyCache

_SMALLEST_COMPRESSED: Final = 512
_OWN: Final = frozenset({b"content-length", b"etag", b"vary"})


class ApiReplies:
    """Ready replies for reads of the content API."""

    def __init__(self, sites: LiveSites, backend: Backend) -> None:
        self._sites = sites
        self._backend = backend
        self._cache = ReplyCache(max_bytes=32 << 20)
        self._requests: ApiRequests | None = None
        self._languages: object = None

    async def answer(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        host_site: str | None,
        path: str,
        accept_encoding: bytes,
        if_none_match: bytes,
        now: float,
    ) -> None:
        key = self._read(scope, host_site, path)
        release = self._sites.release(key.site) if key else None
        if key is None or release is None:
            await self._backend(scope, receive, send, is_api=True)
            return
        codings = accepted_codings(accept_encoding)
        reply = self._cache.get((key, release, codings[0]), now)
        if reply is None:
            reply = await self._make(scope, receive, send, key, release, codings[0], now)
        if reply is not None:
            await reply.send(scope, if_none_match, send)

    def _read(self, scope: Scope, host_site: str | None, path: str) -> ApiKey | None:
        languages = self._sites.languages()
        if languages is not self._languages:  # the registry has changed
            self._requests, self._languages = ApiRequests(languages), languages
        return self._requests.key(scope, host_site, path) if self._requests else None

    async def _make(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        key: ApiKey,
        release: tuple[int, int],
        coding: Coding,
        now: float,
    ) -> Reply | None:
        """Ask the application behind. An answer that is not to be kept is passed on, and there is no reply."""
        whole = self._cache.get((key, release, None), now) if coding else None
        if whole is None:
            messages: list[MutableMapping[str, Any]] = []

            async def collect(message: MutableMapping[str, Any]) -> None:
                messages.append(message)

            # Asked for the whole, whatever this client has already.
            headers = [(name, value) for name, value in scope["headers"] if name != b"if-none-match"]
            await self._backend({**scope, "method": "GET", "headers": headers}, receive, collect, is_api=True)
            whole = _keepable(messages)
            if whole is None:
                for message in messages:
                    if scope["method"] == "HEAD" and message["type"] == "http.response.body":
                        message = {**message, "body": b""}
                    await send(message)
                return None
            self._cache.add((key, release, None), whole)
        if coding is None or whole.size < _SMALLEST_COMPRESSED:
            return whole
        compressed = _compress(whole, coding)
        self._cache.add((key, release, coding), compressed)
        return compressed


def _keepable(messages: list[MutableMapping[str, Any]]) -> Reply | None:
    """A whole answer that says it may be kept."""
    if not messages or messages[0].get("status") != 200 or messages[-1].get("more_body"):
        return None
    headers = {bytes(name).lower(): bytes(value) for name, value in messages[0]["headers"]}
    if b"no-store" in headers.get(b"cache-control", b"") or b"set-cookie" in headers:
        return None
    return _reply(headers, b"".join(message["body"] for message in messages[1:]), None)


def _reply(headers: dict[bytes, bytes], body: bytes, coding: Coding) -> Reply:
    own: Headers = [(name, value) for name, value in headers.items() if name not in _OWN]
    vary = headers.get(b"vary", b"")
    if b"accept-encoding" not in vary.lower():
        vary = vary + b", Accept-Encoding" if vary else b"Accept-Encoding"
    own.append((b"vary", vary))
    tag = headers.get(b"etag", b'"%s"' % blake2b(body, digest_size=16).hexdigest().encode())[:-1]
    etag = tag + b"-" + coding.encode() + b'"' if coding else tag + b'"'
    return Reply(200, own, body, tag=tag, etag=etag)


def _compress(whole: Reply, coding: Coding) -> Reply:
    body: bytes = whole.body["body"]
    data = brotli.compress(body, quality=6) if coding == "br" else gzip.compress(body, 6, mtime=0)
    headers = {name: value for name, value in whole.start["headers"] if name != b"content-length"}
    headers[b"etag"] = whole.tag + b'"'
    return _reply({**headers, b"content-encoding": str(coding).encode()}, data, coding)
