"""Replies that are built once and sent many times. The most recently used are kept in memory."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

from starlette.types import Scope, Send

from ..domain.cdn import ONLY_FOR_CDNS
from .headers import NO_STORE, OWN_VISITOR, Headers

NOTHING: Final[dict[str, Any]] = {"type": "http.response.body", "body": b""}

_HTML: Final = (b"content-type", b"text/html; charset=utf-8")
_ONLY_FOR_CDNS: Final = frozenset(name.encode("ascii") for name in ONLY_FOR_CDNS)
_NOT_IN_304: Final = frozenset({b"content-length", b"content-type", b"content-encoding"})


class Reply:
    """One whole reply. It is immutable, so that it can be sent any number of times."""

    __slots__ = ("body", "is_html", "not_modified", "size", "start", "tag", "valid_until")

    def __init__(self, status: int, headers: Headers, body: bytes, *, tag: bytes = b"", etag: bytes = b"") -> None:
        """``etag`` identifies the bytes; its start, ``tag``, identifies the file of which they are a copy."""
        if etag:
            headers = [*headers, (b"etag", etag)]
        self.start: dict[str, Any] = {
            "type": "http.response.start",
            "status": status,
            "headers": [*headers, (b"content-length", b"%d" % len(body))],
        }
        self.body: dict[str, Any] = {"type": "http.response.body", "body": body} if body else NOTHING
        self.not_modified: dict[str, Any] = {
            "type": "http.response.start",
            "status": 304,
            "headers": [header for header in headers if header[0] not in _NOT_IN_304],
        }
        self.tag = tag
        self.is_html = _HTML in headers
        self.size = len(body)
        self.valid_until = float("inf")
        """Time to check for a better copy."""

    async def send(self, scope: Scope, if_none_match: bytes, send: Send, cookie: bytes | None = None) -> None:
        """Send the reply, only its head, or 304 if the client has it.

        ``cookie``: a cookie to set. The whole reply is then sent as private, because a cache could otherwise drop the
        cookie with a 304, or store it.
        """
        if if_none_match and not cookie and self.tag and (self.tag in if_none_match or if_none_match == b"*"):
            # The client has this file, perhaps with another compression, which is good enough.
            await send(self.not_modified)
            await send(NOTHING)
            return
        await send(_with_cookie(self.start, cookie) if cookie else self.start)
        await send(NOTHING if scope["method"] == "HEAD" else self.body)


class FileReply(Reply):
    """A reply whose body is a file that is too large for memory."""

    __slots__ = ("path",)

    def __init__(self, headers: Headers, path: str, size: int, tag: bytes) -> None:
        super().__init__(200, headers, b"", tag=tag, etag=tag + b'"')
        self.path = path
        self.start["headers"][-1] = (b"content-length", b"%d" % size)

    async def send(self, scope: Scope, if_none_match: bytes, send: Send, cookie: bytes | None = None) -> None:
        if scope["method"] == "HEAD" or self.tag in if_none_match:
            await super().send(scope, if_none_match, send, cookie)
        elif "http.response.pathsend" in scope.get("extensions", {}):
            await send(self.start)
            await send({"type": "http.response.pathsend", "path": self.path})
        else:
            await send(self.start)
            await self._send_parts(send)

    async def _send_parts(self, send: Send) -> None:
        with open(self.path, "rb") as file:  # noqa: PTH123  (only servers without pathsend come here)
            while part := file.read(1 << 16):
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send(NOTHING)


def _with_cookie(start: dict[str, Any], cookie: bytes) -> dict[str, Any]:
    headers = [
        (name, OWN_VISITOR if name == b"cache-control" and value != NO_STORE else value)
        for name, value in start["headers"]
        if name not in _ONLY_FOR_CDNS
    ]
    return {**start, "headers": [*headers, (b"set-cookie", cookie)]}


class ReplyCache:
    """Replies by key, up to a limit of bytes. The least recently used is dropped first."""

    def __init__(self, max_bytes: int = 64 << 20, max_reply_bytes: int = 1 << 20) -> None:
        self._replies: OrderedDict[Hashable, Reply] = OrderedDict()
        self._room = max_bytes
        self._largest = max_reply_bytes

    def get(self, key: Hashable, now: float) -> Reply | None:
        reply = self._replies.get(key)
        if reply is None:
            return None
        if reply.valid_until < now:
            del self._replies[key]
            self._room += reply.size + _OVERHEAD
            return None
        self._replies.move_to_end(key)
        return reply

    def add(self, key: Hashable, reply: Reply) -> None:
        if reply.size > self._largest or key in self._replies:
            return
        self._replies[key] = reply
        self._room -= reply.size + _OVERHEAD
        while self._room < 0:
            _, oldest = self._replies.popitem(last=False)
            self._room += oldest.size + _OVERHEAD


_OVERHEAD: Final = 4096
"""Approximate memory of a reply without a body."""
