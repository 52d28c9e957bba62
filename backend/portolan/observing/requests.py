"""Watches requests from outside of the application that answers them: gives each its id, and tells how it ended."""

import time
from collections.abc import Callable, MutableMapping, Sequence
from typing import Any, NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from .request_id import HEADER, choose_id, current

_NO_ANSWER = 499
"""Status of a request that nobody answered: its client has gone, or the connection was broken off."""


class AnsweredRequest(NamedTuple):
    """One request, as far as anybody is to know of it: neither query nor headers nor bodies."""

    id: str
    site: str
    """Key of the site, or the studio's mark; empty for a host that nobody serves."""
    method: str
    path: str
    status: int
    seconds: float
    address: str
    """Of the client."""


class ObservedRequests:
    """An ASGI application around another one. ``is_trusted`` says of a request whether a trusted proxy sent it, ``address``
    who the client is, ``site`` whose host it names."""

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
                # Replies are kept and sent many times: theirs must not be changed.
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
