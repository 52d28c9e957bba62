"""Serve the content API from a cache of Django's replies.

A cached reply is valid until another release is live on the site. It depends on the site's live release and on the
values that ``domain.content_api`` lists. Both are in the cache key, so a new release or rollback clears nothing.
"""

import asyncio
import gzip
import logging
from collections.abc import Coroutine, MutableMapping
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import brotli
from starlette.types import Scope, Send

from ..domain.content_api import CONTENT_HEADER, READ_IN_SCOPE, SITE_IN_SCOPE
from ..observing.event import Event
from .api_requests import ApiKey, ApiRequests
from .backend import Backend
from .encodings import Coding, accepted_codings
from .headers import Headers
from .limits import RateLimit
from .live_sites import LiveSites
from .plain_replies import API_BUSY, API_FAILED, API_UNAVAILABLE
from .ready_replies import ReadyReplies
from .replies import Reply

_SMALLEST_COMPRESSED: Final = 512
_OWN: Final = frozenset({b"content-length", b"etag", b"vary"})
_UNAVAILABLE: Final = 503
_REFUSALS: Final = (404, 422)
_REFUSALS_KEPT_S: Final = 10
"""Seconds for which refusals are kept. They stay valid longer, but are rarely requested again."""
_MOST_AT_ONCE: Final = 64
"""Requests to Django that run or wait, each some milliseconds. More would only wait longer."""

_LONGEST_ANSWER_S: Final = 10
"""Seconds after which a client gets 503, and its request is dropped if it was not sent to Django yet."""

_CONTENT_HEADER: Final = CONTENT_HEADER.lower().encode()

API_REPLIED: Final[Event[[bool]]] = Event()
"""Sent for each cacheable read of the API, with True if its reply was cached."""

_log = logging.getLogger(__name__)


class _Place(NamedTuple):
    """The cache key of a reply."""

    key: ApiKey
    release: tuple[int, int]
    coding: Coding


class _Answer(Reply):
    """A reply of the API, unchanged."""

    __slots__ = ("content_mark",)

    content_mark: bytes
    """See ``CONTENT_HEADER``. Empty if the reply depends on no content."""


class ApiReplies:
    """Replies to reads of the API.

    ``misses`` limits cache misses by client. ``at_once``: number of concurrent requests to Django, which answers one
    after the other in this process.
    """

    def __init__(self, sites: LiveSites, backend: Backend, misses: RateLimit, at_once: int = 1) -> None:
        self._sites = sites
        self._backend = backend
        self._misses = misses
        self._ready = ReadyReplies()
        self._requests: ApiRequests | None = None
        self._languages: object = None
        self._flights: dict[_Place, asyncio.Task[Reply]] = {}
        self._asking_apart = 0
        self._turn = asyncio.Semaphore(at_once)
        self._failure: Reply | None = None
        """The last reply that said Django is unavailable."""

    def with_site(self, scope: Scope, host_site: str | None) -> Scope:
        """Return the request with its site, so that Django chooses the same one."""
        requests = self._known()
        return scope if requests is None else {**scope, SITE_IN_SCOPE: requests.site(scope, host_site)}

    async def answer(
        self,
        scope: Scope,
        send: Send,
        host_site: str | None,
        path: str,
        accept_encoding: bytes,
        if_none_match: bytes,
        now: float,
    ) -> None:
        """Answer a GET or HEAD without reading its body."""
        requests = self._known()
        if requests is None:
            await API_UNAVAILABLE.send(scope, b"", send)
            return
        site = requests.site(scope, host_site)
        key = requests.key(scope, site, path)
        release = self._sites.release(site)
        client = scope["client"][0] if scope["client"] else ""
        if key is None or release is None:
            # Ask for a whole reply, even if this client has a copy, because the reply is kept for others.
            headers = [(name, value) for name, value in scope["headers"] if name != b"if-none-match"]
            question = {**scope, "method": "GET", "headers": headers, SITE_IN_SCOPE: site, READ_IN_SCOPE: True}
            reply = self._refusal(client, now) or await self._ask_apart(question)
        else:
            place = _Place(key, release, accepted_codings(accept_encoding)[0])
            ready = self._ready.get(place, now)
            API_REPLIED(ready is not None)
            reply = ready or await self._make(place, requests, client, now)
        await reply.send(scope, if_none_match, send)

    def _known(self) -> ApiRequests | None:
        languages = self._sites.languages()
        if languages is not self._languages and languages:  # the site configuration has changed
            self._requests, self._languages = ApiRequests(languages), languages
            self._ready = ReadyReplies()
        return self._requests

    def _refusal(self, client: str, now: float) -> Reply | None:
        is_busy = len(self._flights) + self._asking_apart >= _MOST_AT_ONCE
        return API_BUSY if is_busy else self._misses.refusal(client, now)

    def _fly(self, place: _Place, making: Coroutine[Any, Any, Reply]) -> asyncio.Task[Reply]:
        """Start making a reply. All requests for the same reply wait for it."""
        flight = self._flights[place] = asyncio.create_task(making)
        flight.add_done_callback(lambda _: self._flights.pop(place, None))
        return flight

    async def _make(self, place: _Place, requests: ApiRequests, client: str, now: float) -> Reply:
        plain = place._replace(coding=None)
        whole = self._ready.get(plain, now)
        if whole is None:
            flight = self._flights.get(plain)
            if flight is None:
                refusal = self._refusal(client, now)
                if refusal is not None:
                    return refusal
                flight = self._fly(plain, self._make_whole(plain, requests, now))
            whole = await asyncio.shield(flight)  # continues if this client disconnects, because others wait too
        if place.coding is None or not whole.tag or whole.size < _SMALLEST_COMPRESSED:
            return whole
        return await asyncio.shield(self._flights.get(place) or self._fly(place, self._make_compressed(place, whole)))

    async def _make_compressed(self, place: _Place, whole: Reply) -> Reply:
        compressed = await asyncio.to_thread(_compress, whole, place.coding)
        self._ready.add(place, compressed)
        return compressed

    async def _make_whole(self, place: _Place, requests: ApiRequests, now: float) -> Reply:
        """Request a reply from Django, and cache it if allowed."""
        site = place.key.site
        mark = self._sites.content_mark(site)
        asked = await self._ask(requests.question(place.key, self._sites.origin(site)))
        status, headers = asked.start["status"], dict(asked.start["headers"])
        language = headers.get(b"content-language", b"").decode("latin-1")
        if status in (200, *_REFUSALS) and language != self._sites.languages().get(site):
            _log.error(
                "%s was requested for site %s, but its reply is in %r. It is not cached.",
                place.key.path,
                site,
                language,
            )
        elif isinstance(asked, _Answer) and asked.content_mark not in (b"", mark):
            pass  # the API has switched earlier or later than this edge: send the reply without caching it
        elif status in _REFUSALS:
            asked.valid_until = now + _REFUSALS_KEPT_S
            self._ready.add(place, asked)
        elif status == 200 and b"no-store" not in headers.get(b"cache-control", b"") and b"set-cookie" not in headers:
            reply = _build(headers, asked.body["body"], None)
            self._ready.add(place, reply)
            return reply
        asked.tag = b""  # the reply is not cached, so clients get no tag
        return asked

    async def _ask_apart(self, question: Scope) -> Reply:
        self._asking_apart += 1
        try:
            return await self._ask(question)
        finally:
            self._asking_apart -= 1

    async def _ask(self, question: Scope) -> Reply:
        """Return the whole reply to a read when it is its turn."""
        known = self._failure
        try:
            await self._backend.wait()
            return await asyncio.wait_for(self._ask_in_turn(question, known), _LONGEST_ANSWER_S)
        except TimeoutError:
            return API_BUSY
        except Exception:  # the reply broke off; this is logged already
            return API_FAILED

    async def _ask_in_turn(self, question: Scope, known: Reply | None) -> Reply:
        async with self._turn:
            if self._failure is not known and self._failure is not None:
                # Detecting that the database is down takes seconds, so all waiting requests get the same reply.
                return self._failure
            reply = await self._put(question)
            if reply.start["status"] == _UNAVAILABLE:
                self._failure = reply
            return reply

    async def _put(self, question: Scope) -> Reply:
        messages: list[MutableMapping[str, Any]] = []
        is_read = False

        async def receive() -> MutableMapping[str, Any]:
            nonlocal is_read
            if is_read:  # never disconnects, because the reply is for all clients
                await asyncio.get_running_loop().create_future()
            is_read = True
            return {"type": "http.request", "body": b"", "more_body": False}

        async def collect(message: MutableMapping[str, Any]) -> None:
            messages.append(message)

        await self._backend(question, receive, collect, is_api=True)
        start, *parts = messages
        headers = {bytes(name).lower(): bytes(value) for name, value in start["headers"]}
        tag = headers.pop(b"etag", b"") if start["status"] == 200 else b""
        headers.pop(b"content-length", None)
        mark = headers.pop(_CONTENT_HEADER, b"")
        body = b"".join(part["body"] for part in parts)
        answer = _Answer(start["status"], list(headers.items()), body, tag=tag[:-1], etag=tag)
        answer.content_mark = mark
        return answer


def _build(headers: dict[bytes, bytes], body: bytes, coding: Coding) -> Reply:
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
    return _build({**headers, b"content-encoding": str(coding).encode()}, data, coding)
