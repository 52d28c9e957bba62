"""Reject requests whose headers can be read in two ways.

If a header is repeated, one reader uses the first value, another the last, a third both. The edge would then count,
cache or allow another request than the one that is answered.
"""

from collections.abc import Iterable
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from ..domain.content_api import READS
from .plain_replies import build_refusal
from .undeclared_proxies import UndeclaredProxies

LISTS: Final = frozenset(
    (
        b"accept",
        b"accept-encoding",
        b"accept-language",
        b"connection",
        b"forwarded",
        b"if-none-match",
        b"x-forwarded-for",
    )
)
"""Headers that may be repeated. All readers join them to one list (RFC 9110, section 5.3)."""
ONE_VALUE: Final = frozenset(
    (
        b"access-control-request-headers",
        b"access-control-request-method",
        b"api-version",
        b"authorization",
        b"content-encoding",
        b"content-length",
        b"content-type",
        b"cookie",
        b"email-validation",
        b"host",
        b"idempotency-key",
        b"if-modified-since",
        b"if-range",
        b"if-unmodified-since",
        b"integration",
        b"origin",
        b"range",
        b"referer",
        b"sec-fetch-mode",
        b"sec-fetch-site",
        b"transfer-encoding",
        b"user-agent",
        b"x-csrftoken",
        b"x-forwarded-proto",
        b"x-request-id",
        b"x-requested-with",
        *(header.lower().encode() for read in READS for header in read.headers),
    )
)
"""Headers of which the edge, Django or a library reads one value."""
_NO_HOST: Final = "This request has no Host header. Send one."
"""RFC 9112, section 3.2. For a URL in absolute form, the server adds a missing Host."""
_FORWARDED: Final = frozenset((b"x-forwarded-for", b"forwarded"))


class OneReading:
    """An ASGI application around another one."""

    def __init__(self, app: ASGIApp, undeclared: UndeclaredProxies, more: Iterable[str] = ()) -> None:
        """``more``: further headers with one value, from the settings."""
        self._app = app
        self._undeclared = undeclared
        self._one_value = ONE_VALUE | {name.lower().encode("latin-1") for name in more if name}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            seen: set[bytes] = set()
            is_forwarded = False
            has_host = scope.get("http_version") != "1.1"  # the server passes "1" for HTTP/1.0, which needs no Host
            for name, value in scope["headers"]:
                if name in self._one_value:
                    fault = _find_fault(name, value, seen)
                    if fault:
                        await build_refusal(scope, 400, "bad-request", fault).send(scope, b"", send)
                        return
                    seen.add(name)
                    has_host = has_host or (name == b"host" and value != b"")
                elif name in _FORWARDED:
                    is_forwarded = True
            if not has_host:
                await build_refusal(scope, 400, "bad-request", _NO_HOST).send(scope, b"", send)
                return
            self._undeclared.note(scope, is_forwarded=is_forwarded)
        await self._app(scope, receive, send)


def _find_fault(name: bytes, value: bytes, seen: set[bytes]) -> str | None:
    if name in seen:
        return f"This request has the header {name.decode('latin-1')} twice. Send it once."
    if name == b"transfer-encoding" and value.strip().lower() != b"chunked":
        return "This Transfer-Encoding is not supported. Send the body as it is, or in chunks."
    if (name == b"content-length" and b"transfer-encoding" in seen) or (
        name == b"transfer-encoding" and b"content-length" in seen
    ):
        return "This request has both Content-Length and Transfer-Encoding. Send only one of them."
    return None
