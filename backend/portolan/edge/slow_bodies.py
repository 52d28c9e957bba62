"""Limit request bodies: disconnect clients that send too slowly, or too many bodies at once."""

import asyncio
from collections import deque
from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any, Final, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from ..domain.client_limits import name_client
from .clients import Clients
from .plain_replies import build_refusal


class Pace(NamedTuple):
    """Minimum speed of a body, and number of bodies at once."""

    grace_s: float = 10
    """First seconds, without a minimum."""
    least: int = 1_000
    """Bytes per second after that."""
    longest_s: float = 120
    """Time limit for a body slower than ``quick``. Faster ones have no limit."""
    quick: int = 64 << 10
    """Bytes per second: a large file over a poor connection."""
    of_client: int = 64
    """Bodies of one client at once: an IPv4 address or an IPv6 network."""
    of_all: int = 1_024

    def left_s(self, waited: float, received: int) -> float:
        """Return the seconds left to wait for the next part."""
        slow = self.grace_s + received / self.least
        whole = self.longest_s + received / self.quick
        return min(slow, whole) - waited


_BUSY_S: Final = 5
_GATHERED: Final = 64 << 10
"""Bytes of a body to collect before the application is called, so that a slow one costs little more than a connection."""


class SlowBodies:
    """An ASGI application around another one. Requests without a body pass unchanged.

    At the limit, the oldest body of the client with the most bodies is dropped. So a few addresses cannot block all
    others, and bodies at normal speed are rarely the oldest.
    """

    def __init__(self, app: ASGIApp, clients: Clients, pace: Pace | None = None) -> None:
        self._app = app
        self._clients = clients
        self._pace = pace or Pace()
        self._sending: dict[str, list[_TimedBody]] = {}
        """Incomplete bodies by client, oldest first."""
        self._count = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not has_body(scope):
            await self._app(scope, receive, send)
            return
        client = name_client(self._clients.address(scope))
        if refusal := self._find_room(client):
            status, code, sentence = refusal
            await build_refusal(scope, status, code, sentence, retry_after_s=_BUSY_S).send(scope, b"", send)
        else:
            await self._take(client, scope, receive, send)

    def _find_room(self, client: str) -> tuple[int, str, str] | None:
        """Return status, code and message if this client is over its limit, else None."""
        own = len(self._sending.get(client, ()))
        if own >= self._pace.of_client:
            return 429, "too-many-requests", "This client is sending too many requests at once."
        if self._count >= self._pace.of_all:
            most = max(self._sending.values(), key=len)
            if len(most) <= own:
                return 503, "unavailable", "Too many requests are being sent at once."
            most[0].give_up()
        return None

    async def _take(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        # An object, not a closure: closures of thousands of bodies slow Python's garbage collection.
        body = _TimedBody(receive, send, self._pace, partial(self._forget, client))
        self._sending.setdefault(client, []).append(body)
        self._count += 1
        try:
            await body.gather()
            # A read ignores its body, so an invalid one does not matter.
            is_read = scope["method"] in ("GET", "HEAD")
            if body.is_broken_off and not body.is_too_slow and not is_read:
                # The client is still connected if its chunks were invalid.
                sentence = "The request's body ended too early. Send it again."
                await build_refusal(scope, 400, "bad-request", sentence).send(scope, b"", send)
            elif not body.is_too_slow:
                await self._app(scope, body.receive, body.send)
            if body.is_too_slow and not body.is_answered:
                sentence = "The request's body was sent too slowly. Send it again."
                await build_refusal(scope, 408, "body-too-slow", sentence, retry_after_s=_BUSY_S).send(scope, b"", send)
        finally:
            self._forget(client, body)

    def _forget(self, client: str, body: "_TimedBody") -> None:
        """Forget a body that is complete, dropped or gone."""
        bodies = self._sending.get(client, [])
        if body in bodies:
            bodies.remove(body)
            self._count -= 1
            if not bodies:
                del self._sending[client]


class _TimedBody:
    def __init__(self, receive: Receive, send: Send, pace: Pace, note_end: Callable[["_TimedBody"], None]) -> None:
        self._receive = receive
        self._send = send
        self._pace = pace
        self._note_end = note_end
        self._waiting: asyncio.Timeout | None = None
        self._gathered: deque[MutableMapping[str, Any]] = deque()
        self._waited = 0.0
        self._received = 0
        self._is_whole = False
        self.is_too_slow = False
        self.is_broken_off = False
        """It ended before the application was called. Thousands may end at once."""
        self.is_answered = False

    def give_up(self) -> None:
        """End the body now, at any speed."""
        self.is_too_slow = True
        self._note_end(self)
        if self._waiting and not self._waiting.expired():  # otherwise it has ended already
            self._waiting.reschedule(asyncio.get_running_loop().time())

    async def gather(self) -> None:
        """Wait for the whole body, or for its first ``_GATHERED`` bytes."""
        size = 0
        is_coming = True
        while is_coming and size < _GATHERED:
            message = await self._next()
            self.is_broken_off = message["type"] == "http.disconnect"
            size += len(message.get("body", b""))
            is_coming = message.get("more_body", False)  # False if the client has disconnected
            self._gathered.append(message)

    async def receive(self) -> MutableMapping[str, Any]:
        return self._gathered.popleft() if self._gathered else await self._next()

    async def _next(self) -> MutableMapping[str, Any]:
        if self._is_whole:
            return await self._receive()  # waits for the client to leave
        if self.is_too_slow:
            return {"type": "http.disconnect"}
        clock = asyncio.get_running_loop().time
        began = clock()
        try:
            async with asyncio.timeout(self._pace.left_s(self._waited, self._received)) as self._waiting:
                message = await self._receive()
        except TimeoutError:
            self.is_too_slow = True
            self._note_end(self)
            return {"type": "http.disconnect"}
        finally:
            self._waiting = None
        self._waited += clock() - began
        self._received += len(message.get("body", b""))
        if not message.get("more_body", False):
            self._is_whole = True
            self._note_end(self)
        return message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if self.is_too_slow and not self.is_answered:
            return  # a reply to an incomplete body is of no use
        self.is_answered = True
        await self._send(message)


def has_body(scope: Scope) -> bool:
    for name, value in scope["headers"]:
        if (name == b"content-length" and value != b"0") or name == b"transfer-encoding":
            return True
    return False
