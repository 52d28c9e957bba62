"""Add the headers that every reply needs. A reply keeps its own values."""

from collections.abc import Callable, MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Receive, Scope, Send

from .headers import ALLOWS_NOTHING, HARMLESS, HSTS, NO_FRAME, POLICY, REFERRER, Headers

_RESOURCE: Final = b"cross-origin-resource-policy"
_ALL: Final = frozenset((HARMLESS[0], REFERRER[0], POLICY, _RESOURCE, HSTS[0]))


class CommonHeaders:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, is_https: Callable[[Scope], bool]) -> None:
        """``is_https``: whether visitors reach the requested host by https. Browsers only accept HSTS there."""
        self._app = app
        self._is_https = is_https
        self._known: dict[tuple[bytes, bool, frozenset[bytes]], Headers] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def complete(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = message["headers"]
                if not _ALL.issubset(name for name, _ in headers):  # files of sites have all of them
                    message = {**message, "headers": [*headers, *self._missing(headers, self._is_https(scope))]}
            await send(message)

        await self._app(scope, receive, complete)

    def _missing(self, headers: Headers, https: bool) -> Headers:
        names = frozenset(name.lower() for name, _ in headers)
        type = next((value for name, value in headers if name.lower() == b"content-type"), b"")
        key = (type, https, names)
        found = self._known.get(key)
        if found is None:
            found = find_missing(names, type, https)
            if len(self._known) < 1024:  # a client that invents types must not fill the memory
                self._known[key] = found
        return found


def find_missing(names: frozenset[bytes], content_type: bytes, https: bool) -> Headers:
    """Return the headers to add to a reply that has ``names`` (lower case)."""
    type = content_type.partition(b";")[0].strip().lower()
    # Images are public: mails, feeds and partners' pages may show them.
    origin = b"cross-origin" if type.startswith(b"image/") else b"same-origin"
    wanted: Headers = [HARMLESS, REFERRER, (_RESOURCE, origin)]
    if POLICY not in names:
        wanted += [(POLICY, ALLOWS_NOTHING), NO_FRAME]
    if https:
        wanted.append(HSTS)
    return [header for header in wanted if header[0] not in names]
