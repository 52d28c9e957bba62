"""Observe requests from outside the application: their ids, and how they ended."""

import time
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from .request_id import HEADER, choose_id, current

_NO_ANSWER = 499
"""Status of an unanswered request: the client has gone, or the connection broke."""


class AnsweredRequest(NamedTuple):
    """The public facts of one request: no query, headers or bodies."""

    id: str
    site: str
    """Key of the site, or the studio's mark; empty for an unknown host."""
    method: str
    path: str
    status: int
    seconds: float
    address: str
    """Address of the client."""


class ObservedRequests:
    """An ASGI application around another one.

    ``is_trusted`` returns True for a request from a trusted proxy, ``address`` the client's address, and ``site`` the
    site of the request's host.
    """

    def __init__(
        self,
        app: ASGIApp,
        is_trusted: Callable[[Scope], bool],
        address: Callable[[Scope], str],
        site: Callable[[Scope], str],
        watchers: Sequence[Callable[[AnsweredRequest], None]],
    ) -> None:
        self._app = app
        self._is_trusted = is_trusted
        self._address = address
        self._site = site
        self._watchers = tuple(watchers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = next((value for name, value in scope["headers"] if name == HEADER), None)
        id = choose_id(given if given is not None and self._is_trusted(scope) else None)
        sent = id.encode()
        headers = [*(header for header in scope["headers"] if header[0] != HEADER), (HEADER, sent)]
        status = _NO_ANSWER

        async def answer(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # Replies are stored and sent many times, so change a copy.
                own = [header for header in message.get("headers", ()) if bytes(header[0]).lower() != HEADER]
                message = {**message, "headers": [*own, (HEADER, sent)]}
            await send(message)

        token = current.set(id)
        began = time.perf_counter()
        try:
            await self._app({**scope, "headers": headers}, receive, answer)
        finally:
            seconds = time.perf_counter() - began
            seen = AnsweredRequest(
                id, self._site(scope), scope["method"], scope["path"], status, seconds, self._address(scope)
            )
            for watcher in self._watchers:
                watcher(seen)
            current.reset(token)
