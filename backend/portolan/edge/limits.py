"""Limit the requests of one client to the API, and their size."""

import time
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from ..domain.client_limits import name_client, take_share
from ..domain.content_api import LARGEST_HEADERS
from ..observing.event import Event
from .plain_replies import build_problem
from .replies import Reply

_MOST_CLIENTS: Final = 100_000
"""Number of clients that are counted at once. Beyond it, all counts are dropped: stop such a flood in front of the edge."""

ASKED_TOO_MUCH: Final = "This client has sent {most} requests within a minute. Try again in {wait} s."
MISSED_TOO_MUCH: Final = (
    "This client has sent {most} requests within a minute that no cache could answer. Try again in {wait} s. "
    "Cached replies are still sent."
)

LARGEST_BODY: Final = 30 << 20
LARGEST_PLAIN_FORM: Final = 64 << 20
"""More than a lead may have, so that a visitor without scripts gets a page about too many files, not a bare 413."""
HEADERS_TOO_LARGE: Final = build_problem(
    431,
    "headers-too-large",
    "Request header fields too large",
    f"All headers of a request may have {LARGEST_HEADERS} bytes. Send shorter headers.",
)


_name = lru_cache(maxsize=4096)(name_client)

LIMIT_HIT: Final[Event[[str]]] = Event()
"""Sent when a client reaches a limit: ``requests`` or ``misses``."""


class RateLimit:
    """Limits a client's requests per minute. ``per_minute`` 0: no limit."""

    def __init__(self, per_minute: int, too_many: str = ASKED_TOO_MUCH, shared: "MemoryCounts | None" = None) -> None:
        """``too_many``: the message, with ``{most}`` requests and ``{wait}`` seconds to wait. ``shared``: counts that
        other edges add to, by the wall clock."""
        self._most = per_minute
        self._too_many = too_many
        self._counts = shared or MemoryCounts()
        self._is_shared = shared is not None

    def refusal(self, address: str, now: float) -> Reply | None:
        """Return the reply for a client over its limit, else None."""
        wait = take_share(self._counts, _name(address), self._most, time.time() if self._is_shared else now)
        if not wait:
            return None
        LIMIT_HIT("misses" if self._too_many is MISSED_TOO_MUCH else "requests")
        return build_problem(
            429,
            "too-many-requests",
            "Too many requests",
            self._too_many.format(most=self._most, wait=wait),
            retry_after_s=wait,
        )


class MemoryCounts:
    """Counts of the two newest minutes, for one thread."""

    def __init__(self) -> None:
        self._windows: dict[int, dict[str, int]] = {}

    def add(self, client: str, window: int, more: int) -> int:
        counts = self._windows.get(window)
        if counts is None or len(counts) > _MOST_CLIENTS:
            counts = {}
            self._windows = {window - 1: self._windows.get(window - 1, {}), window: counts}
        count = counts[client] = counts.get(client, 0) + more
        return count

    def read(self, client: str, window: int) -> int:
        return self._windows.get(window, {}).get(client, 0)


def find_excess(scope: Scope, largest_body: int = LARGEST_BODY) -> Reply | None:
    """Return the reply if headers or the declared body are too large, else None."""
    size = 0
    for name, value in scope["headers"]:
        size += len(name) + len(value)
        if name == b"content-length" and (not value.isdigit() or int(value[:19]) > largest_body):
            return _build_too_large(largest_body)
    return HEADERS_TOO_LARGE if size > LARGEST_HEADERS else None


def _build_too_large(largest_body: int) -> Reply:
    most = f"{largest_body >> 20} MiB" if largest_body >= 1 << 20 else f"{largest_body} bytes"
    return build_problem(413, "body-too-large", "Content too large", f"A request may have {most}. Send a smaller one.")


class LimitedBody:
    """Forwards a request's body, and stops if it exceeds ``largest`` although its headers do not say so."""

    def __init__(self, receive: Receive, send: Send, largest: int = LARGEST_BODY) -> None:
        self._receive = receive
        self._send = send
        self._largest = largest
        self._size = 0
        self._started = False
        self.is_too_large = False

    async def receive(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > self._largest:
            self.is_too_large = True
            return {"type": "http.disconnect"}
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if not self.is_too_large:
            self._started = True
            await self._send(message)

    async def finish(self, scope: Scope) -> None:
        """Send the error if the body was stopped before a reply."""
        if self.is_too_large and not self._started:
            await _build_too_large(self._largest).send(scope, b"", self._send)
