"""Send videos and other large files whole, or the requested range of bytes.

Safari only plays videos with ranges, and broken downloads can continue.
"""

import os
import re
from typing import Final

from starlette.types import Scope, Send

from .replies import NOTHING, FileReply

_RANGE: Final = re.compile(rb"bytes=(\d{0,18})-(\d{0,18})")
_PART_BYTES: Final = 1 << 16
_NOT_IN_416: Final = frozenset({b"content-length", b"content-type", b"content-disposition"})


def read_range(value: bytes, size: int) -> tuple[int, int] | bool:
    """Return the first and last byte of the range; True for the whole file; False if the range is outside the file.

    Everything except a single range of bytes is ignored (RFC 9110, 14.2).

    >>> read_range(b"bytes=0-1", 10), read_range(b"bytes=4-", 10), read_range(b"bytes=-3", 10), read_range(b"bytes=5-99", 10)
    ((0, 1), (4, 9), (7, 9), (5, 9))
    >>> read_range(b"bytes=10-", 10), read_range(b"bytes=-0", 10), read_range(b"bytes=3-2", 10), read_range(b"lines=1-2", 10)
    (False, False, True, True)
    """
    match = _RANGE.fullmatch(value.strip())
    if match is None or match[0] == b"bytes=-":
        return True
    first, last = match[1], match[2]
    if not first:
        length = int(last)
        return (max(0, size - length), size - 1) if length and size else False
    if last and int(last) < int(first):
        return True
    return (int(first), min(int(last), size - 1) if last else size - 1) if int(first) < size else False


class RangedReply(FileReply):
    """A file that is too large for memory, or is requested in parts."""

    __slots__ = ()

    def __init__(self, headers: list[tuple[bytes, bytes]], path: str, size: int, tag: bytes) -> None:
        super().__init__([*headers, (b"accept-ranges", b"bytes")], path, size, tag)

    async def send(self, scope: Scope, if_none_match: bytes, send: Send, cookie: bytes | None = None) -> None:
        wanted = self._wanted(scope)
        if wanted is True or if_none_match:
            await super().send(scope, if_none_match, send, cookie)
        elif wanted is False:
            headers = [header for header in self.start["headers"] if header[0] not in _NOT_IN_416]
            none = [(b"content-range", b"bytes */%d" % self._length()), (b"content-length", b"0")]
            await send({**self.start, "status": 416, "headers": [*headers, *none]})
            await send(NOTHING)
        else:
            await self._send_range(*wanted, send)

    def _wanted(self, scope: Scope) -> tuple[int, int] | bool:
        asked = {name: value for name, value in scope["headers"] if name in (b"range", b"if-range")}
        changed = b"if-range" in asked and asked[b"if-range"] != self.tag + b'"'
        if scope["method"] != "GET" or b"range" not in asked or changed:
            return True
        return read_range(asked[b"range"], self._length())

    def _length(self) -> int:
        return int(next(value for name, value in self.start["headers"] if name == b"content-length"))

    async def _send_range(self, first: int, last: int, send: Send) -> None:
        headers = [header for header in self.start["headers"] if header[0] != b"content-length"]
        part = [
            (b"content-range", b"bytes %d-%d/%d" % (first, last, self._length())),
            (b"content-length", b"%d" % (last - first + 1)),
        ]
        await send({**self.start, "status": 206, "headers": [*headers, *part]})
        await self._send_bytes(first, last, send)

    async def _send_bytes(self, first: int, last: int, send: Send) -> None:
        file = os.open(self.path, os.O_RDONLY)
        try:
            at = first
            while at <= last and (data := os.pread(file, min(_PART_BYTES, last + 1 - at), at)):
                await send({"type": "http.response.body", "body": data, "more_body": True})
                at += len(data)
        finally:
            os.close(file)
        await send(NOTHING)
