"""Decode the path of a request once, or reject it."""

import re
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from ..domain.cdn import escape_path

LONGEST_PATH: Final = 2048
"""No page, file or image has a longer path."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_DOT_SEGMENT = re.compile(r"(?:^|[/\\])\.{1,2}(?:[/\\;]|$)")
_MEMO_SIZE: Final = 4096
_memo: dict[bytes, str] = {}


def read_path(scope: Any) -> str | None:
    """Return the decoded path of an ASGI request, or None if it is invalid.

    Invalid are escapes that are not UTF-8, control characters, and dot segments, also after backslashes and escapes.
    """
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    path = _memo.get(raw)
    if path is None:
        path = decode_path(raw)
        if path is not None and len(raw) <= 256:
            if len(_memo) >= _MEMO_SIZE:
                _memo.clear()
            _memo[raw] = path
    return path


def is_exact(scope: Any, path: str) -> bool:
    """Return whether the request has the canonical spelling of this path and no query, so that a purge can name it."""
    if scope["query_string"]:
        return False
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw == (path if path.isascii() else escape_path(path)).encode()


def decode_path(raw: bytes) -> str | None:
    """
    >>> decode_path(b"/%D1%83")
    '/у'
    >>> decode_path(b"/a/%2e%2e/b") is None
    True
    """
    if len(raw) > LONGEST_PATH or not raw.startswith(b"/"):
        return None
    try:
        path = unquote_to_bytes(raw.partition(b"?")[0]).decode()
    except UnicodeDecodeError:
        return None
    if _CONTROL.search(path) or _DOT_SEGMENT.search(path):
        return None
    return path
