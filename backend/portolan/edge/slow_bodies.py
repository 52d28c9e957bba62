"""Limits on request bodies: a client that sends too slowly is cut off, and one client cannot send so many at once that
others have to wait."""

import asyncio
from collections import Counter
from collections.abc import Callable, MutableMapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from ..domain.client_limits import name_client
from ..domain.content_api import API_PREFIX
from .clients import Clients
from .plain_replies import build_problem, build_text
from .replies import Reply


class Pace(NamedTuple):
    """How slow a body may be, and how many may be received at once."""

    grace_s: float = 10
    """In these first seconds there is no minimum."""
    least: int = 1_000
    """Bytes a second after that."""
    longest_s: float = 120
    """The time limit for a body slower than ``quick``; a quicker one has no limit."""
    quick: int = 64 << 10
    """Bytes a second: the speed of a large file over a poor connection."""
    of_client: int = 64
    """Bodies of one client at once: an IPv4 address, a network of IPv6."""
    of_all: int = 1_024

    def left_s(self, waited: float, received: int) -> float:
        """Seconds that are left to wait for the next part."""
        slow = self.grace_s + received / self.least
        whole = self.longest_s + received / self.quick
        return min(slow, whole) - waited


_BUSY_S: Final = 5


class SlowBodies:
    """An ASGI application around another one. Requests without a body pass unchanged."""

    def __init__(self, app: ASGIApp, clients: Clients, pace: Pace | None = None) -> None:
        self._app = app
        self._clients = clients
        self._pace = pace or Pace()
        self._sending: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not has_body(scope):
            await self._app(scope, receive, send)
            return
        client = name_client(self._clients.address(scope))
        if self._sending[client] >= self._pace.of_client:
            refusal = _build(scope, 429, "too-many-requests", "This client is sending too many requests at once.")
        elif self._sending.total() >= self._pace.of_all:
            refusal = _build(scope, 503, "unavailable", "Too many requests are being sent at once.")
        else:
            await self._take(client, scope, receive, send)
            return
        await refusal.send(scope, b"", send)

    async def _take(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        is_sending = True

        def note_end() -> None:
            nonlocal is_sending
            if is_sending:
                is_sending = False
                self._sending[client] -= 1
                if not self._sending[client]:
                    del self._sending[client]

        self._sending[client] += 1
        body = _TimedBody(receive, send, self._pace, note_end)
        try:
            await self._app(scope, body.receive, body.send)
            if body.is_too_slow and not body.is_answered:
                await _build(scope, 408, "body-too-slow", "The request's body came too slowly. Send it again.").send(
                    scope, b"", send
                )
        finally:
            note_end()


class _TimedBody:
    def __init__(self, receive: Receive, send: Send, pace: Pace, note_end: Callable[[], None]) -> None:
        self._receive = receive
        self._send = send
        self._pace = pace
        self._note_end = note_end
        self._waited = 0.0
        self._received = 0
        self._is_whole = False
        self.is_too_slow = False
        self.is_answered = False

    async def receive(self) -> MutableMapping[str, Any]:
        if self._is_whole:
            return await self._receive()  # waits for the client to leave
        if self.is_too_slow:
            return {"type": "http.disconnect"}
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(self._pace.left_s(self._waited, self._received)):
                message = await self._receive()
        except TimeoutError:
            self.is_too_slow = True
            self._note_end()
            return {"type": "http.disconnect"}
        self._waited += clock() - began
        self._received += len(message.get("body", b""))
        if not message.get("more_body", False):
            self._is_whole = True
            self._note_end()
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if self.is_too_slow and not self.is_answered:
            return  # nobody needs an answer that was made from half a body
        self.is_answered = True
        await self._send(message)


def has_body(scope: Scope) -> bool:
    for name, value in scope["headers"]:
        if (name == b"content-length" and value != b"0") or name == b"transfer-encoding":
            return True
    return False


def _build(scope: Scope, status: int, code: str, sentence: str) -> Reply:
    if scope["path"].startswith(API_PREFIX):
        return build_problem(status, code, HTTPStatus(status).phrase, sentence, retry_after_s=_BUSY_S)
    return build_text(status, sentence, (b"retry-after", b"%d" % _BUSY_S))
