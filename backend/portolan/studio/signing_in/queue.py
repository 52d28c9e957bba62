"""Process sign-ins one at a time.

Otherwise thirty clients that guess passwords use thirty threads, and visitors' pages wait for the processor.
"""

import asyncio
from collections import Counter
from collections.abc import MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from starlette.types import ASGIApp, Receive, Scope, Send

from ...domain.client_limits import name_client
from ...edge.spoken_pages import SpokenPage, Words

MOST_WAITING: Final = 30
"""About ten seconds of work."""
MOST_OF_CLIENT: Final = 3
"""So that a few clients cannot fill the queue."""

CROWDED: Final = SpokenPage(
    503,
    {
        "en": Words(
            "Too many sign-ins at once",
            "<p>You are not signed in, because too many people are signing in. Go back and try again in a few seconds.</p>",
        ),
        "de": Words(
            "Zu viele Anmeldungen gleichzeitig",
            "<p>Sie sind nicht angemeldet, weil sich gerade zu viele anmelden. Gehen Sie zurück und versuchen Sie es in einigen "
            "Sekunden noch einmal.</p>",
        ),
    },
)

_Message = MutableMapping[str, Any]


class SignInQueue:
    """ASGI application around Django that queues sign-ins.

    A request waits without a thread until its whole body has arrived. The response is sent after its turn. So a slow
    client delays no others. Body sizes are limited before this application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._host = (urlsplit(settings.WAGTAILADMIN_BASE_URL).hostname or "").encode()
        self._turn = asyncio.Semaphore(1)
        self._waiting: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._is_sign_in(scope):
            await self._app(scope, receive, send)
            return
        first = await _read(receive)
        client = name_client(scope["client"][0] if scope["client"] else "")
        if self._waiting.total() >= MOST_WAITING or self._waiting[client] >= MOST_OF_CLIENT:
            await CROWDED.for_reader(scope).send(scope, b"", send)
            return
        self._waiting[client] += 1
        answer: list[_Message] = []
        try:
            async with self._turn:
                await self._app(scope, _then(first, receive), _keep(answer))
        finally:
            self._waiting[client] -= 1
            if not self._waiting[client]:
                del self._waiting[client]
        for message in answer:
            await send(message)

    def _is_sign_in(self, scope: Scope) -> bool:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].startswith("/admin/login/"):
            return False
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        return bool(host.lower().partition(b":")[0] == self._host)


async def _read(receive: Receive) -> _Message:
    """Return the whole body as one message, or the message that the client disconnected."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return message
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return {"type": "http.request", "body": b"".join(parts), "more_body": False}


def _then(first: _Message, receive: Receive) -> Receive:
    left = [first]

    async def get() -> _Message:
        return left.pop() if left else await receive()

    return get


def _keep(answer: list[_Message]) -> Send:
    async def keep(message: _Message) -> None:
        answer.append(message)

    return keep
