"""Limit the size of requests to the studio: small before signing in, large images after."""

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any, Final
from urllib.parse import urlsplit

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.db import connection
from django.http import HttpRequest
from starlette.types import ASGIApp, Receive, Scope, Send

from ..domain.content_api import API_PREFIX
from ..edge.replies import Reply
from ..edge.spoken_pages import SpokenPage, Words

BEFORE_SIGN_IN: Final = 64 << 10
SIGNED_IN: Final = 25 << 20
_READ_ON: Final = 4 * SIGNED_IN
"""Bytes to read from a body that is too large, because browsers show the reply only after sending."""

_SIGN_IN_FIRST: Final = SpokenPage(
    413,
    {
        "en": Words(
            "Sign in first",
            "<p>You have to be signed in to send this much. Sign in in another tab, go back to the form here, where your "
            "input still is, and send it again.</p>",
        ),
        "de": Words(
            "Melden Sie sich zuerst an",
            "<p>Um so viel zu senden, müssen Sie angemeldet sein. Melden Sie sich in einem anderen Tab an, gehen Sie hier "
            "zurück zum Formular, in dem Ihre Eingaben noch stehen, und senden Sie es noch einmal.</p>",
        ),
    },
)
_MOST_MIB: Final = SIGNED_IN >> 20
_TOO_MUCH: Final = SpokenPage(
    413,
    {
        "en": Words(
            "Request too large",
            f"<p>The limit is {_MOST_MIB} MiB, including files. Go back, choose a smaller file and send it again.</p>",
        ),
        "de": Words(
            "Anfrage zu groß",
            f"<p>Die Grenze liegt bei {_MOST_MIB} MiB, mit allen Dateien. Gehen Sie zurück, wählen Sie eine kleinere Datei und "
            "senden Sie noch einmal.</p>",
        ),
    },
)

IsSignedIn = Callable[[Scope], Awaitable[bool]]


async def is_signed_in(scope: Scope) -> bool:
    """Return whether the request's session belongs to a user of the studio."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    try:
        session = SimpleCookie(cookies).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return False
    if session is None:
        return False
    async with ThreadSensitiveContext():
        return await sync_to_async(_is_editor)(session.value)


def _is_editor(session_key: str) -> bool:
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    try:
        return get_user(request).has_perm("wagtailadmin.access_admin")
    finally:
        if not connection.in_atomic_block:  # the thread ends here, so close its connection
            connection.close()


class StudioBodies:
    """An ASGI application around Django. Bodies for the API are limited before."""

    def __init__(self, app: ASGIApp, is_signed_in: IsSignedIn = is_signed_in) -> None:
        self._app = app
        self._is_signed_in = is_signed_in
        self._host = (urlsplit(settings.WAGTAILADMIN_BASE_URL).hostname or "").encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").lower().partition(b":")[0]
        length = headers.get(b"content-length", b"")
        declared = int(length[:19]) if length.isdigit() else None
        is_small = declared is not None and declared <= BEFORE_SIGN_IN
        has_body = declared is not None or b"transfer-encoding" in headers
        if is_small or not has_body or host != self._host or scope["path"].startswith(API_PREFIX):
            await self._app(scope, receive, send)
            return
        may_send = await self._is_signed_in(scope)
        most, refusal = (SIGNED_IN, _TOO_MUCH) if may_send else (BEFORE_SIGN_IN, _SIGN_IN_FIRST)
        if declared is not None and declared > most:
            await _refuse(refusal.for_reader(scope), receive if may_send else None, send)
            return
        body = _BoundedBody(receive, send, most)
        await self._app(scope, body.receive, body.send)
        if body.is_too_much and not body.is_answered:
            await _refuse(refusal.for_reader(scope), None, send)


class _BoundedBody:
    """Counts the bytes of a body without a declared size."""

    def __init__(self, receive: Receive, send: Send, most: int) -> None:
        self._receive = receive
        self._send = send
        self._left = most
        self.is_too_much = False
        self.is_answered = False

    async def receive(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        self.is_too_much = self.is_too_much or self._left < 0
        return {"type": "http.disconnect"} if self.is_too_much else message

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if not self.is_too_much:
            self.is_answered = True
            await self._send(message)


async def _refuse(reply: Reply, receive: Receive | None, send: Send) -> None:
    """Send the reply at once. With ``receive``, end it only after the rest of the body is read."""
    await send(reply.start)
    await send({**reply.body, "more_body": True})
    left = _READ_ON
    while receive and left > 0:
        message = await receive()
        left -= len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.body", "body": b""})
