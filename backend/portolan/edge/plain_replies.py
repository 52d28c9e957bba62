"""Replies of the edge itself, if a site's own page is unavailable or of no help."""

from html import escape
from http import HTTPStatus
from typing import Final

import orjson
from starlette.types import Scope

from ..domain.content_api import API_PREFIX, API_VERSION
from .headers import HARMLESS, NO_STORE, REVALIDATE, Headers
from .replies import Reply

_PAGE: Final = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">{head}<title>{title}</title>
<style>body{{font:1.125rem/1.6 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.25rem;color:#020d1c}}
code{{background:#eef0f3;padding:.1em .35em;border-radius:.25em}}</style></head>
<body><h1>{title}</h1>{body}</body></html>
"""
_POLICY: Final = (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")


def build_page(status: int, title: str, body: str, *, reload_s: int = 0, language: str = "en") -> Reply:
    """Return a page of the edge. ``body`` is HTML."""
    head = f'<meta http-equiv="refresh" content="{reload_s}">' if reload_s else ""
    headers: Headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"cache-control", NO_STORE),
        (b"x-robots-tag", b"noindex"),
        HARMLESS,
        _POLICY,
    ]
    if status == 503:
        headers.append((b"retry-after", b"5"))
    return Reply(status, headers, _PAGE.format(language=language, head=head, title=escape(title), body=body).encode())


def build_text(status: int, text: str, *extra: tuple[bytes, bytes], cache: bytes = NO_STORE) -> Reply:
    headers: Headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", cache), HARMLESS, *extra]
    return Reply(status, headers, text.encode() + b"\n")


def build_problem(status: int, code: str, title: str, detail: str, *, retry_after_s: int = 0) -> Reply:
    """Return an error of the API (RFC 9457)."""
    document = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail, "errors": []}
    headers: Headers = [
        (b"content-type", b"application/problem+json"),
        (b"cache-control", NO_STORE),
        (b"content-language", b"en"),
        (b"api-version", API_VERSION.encode()),
        # Pages of any origin may read the error and the time to retry.
        (b"cross-origin-resource-policy", b"cross-origin"),
        (b"access-control-allow-origin", b"*"),
        (b"access-control-expose-headers", b"Api-Version, Content-Language, Retry-After"),
        HARMLESS,
    ]
    if status == 503 or retry_after_s:
        headers.append((b"retry-after", b"%d" % (retry_after_s or 5)))
    return Reply(status, headers, orjson.dumps(document))


def build_refusal(scope: Scope, status: int, code: str, sentence: str, *, retry_after_s: int = 0) -> Reply:
    """Return an error, as problem+json for requests to the API."""
    if scope["path"].startswith(API_PREFIX):
        return build_problem(status, code, HTTPStatus(status).phrase, sentence, retry_after_s=retry_after_s)
    extra = [(b"retry-after", b"%d" % retry_after_s)] if retry_after_s else []
    return build_text(status, sentence, *extra)


BAD_REQUEST: Final = build_text(400, "This is not a valid URL.")
UNKNOWN_HOST: Final = build_text(421, "No site has this host name.")
NOT_FOUND: Final = build_text(404, "Not found.", cache=REVALIDATE)
WRONG_METHOD: Final = build_text(405, "This URL only supports GET and HEAD.", (b"allow", b"GET, HEAD"))
FAILED: Final = build_page(500, "Something went wrong", "<p>Please try again in a moment.</p>")
DAMAGED: Final = build_page(503, "This page is being repaired", "<p>Please try again in a moment.</p>", reload_s=5)
NOT_PUBLISHED: Final = build_page(
    503,
    "This site is not published yet",
    "<p>It appears as soon as its first build is live.</p>"
    "<p>To publish the studio's content, run <code>portolan publish</code>.</p>",
    reload_s=5,
)
FORM_UNAVAILABLE: Final = build_page(
    503,
    "Your message could not be sent",
    "<p>The server cannot receive it at the moment, and stored nothing. Go back: the form still has your text. "
    "Send it again in a few minutes.</p>",
)
API_BAD_REQUEST: Final = build_problem(
    400, "bad-request", "Bad request", "The request cannot be read. Check its host, URL and headers."
)
API_UNKNOWN_HOST: Final = build_problem(
    421, "unknown-host", "Misdirected request", "No site has this host name. Send the request to a site's host."
)
API_UNAVAILABLE: Final = build_problem(
    503, "unavailable", "Service unavailable", "The API cannot be reached. Published pages are not affected."
)
API_BUSY: Final = build_problem(
    503, "unavailable", "Service unavailable", "Too many requests at once. Try again in a moment.", retry_after_s=2
)
API_FAILED: Final = build_problem(500, "internal-error", "Internal server error", "The request could not be answered.")
