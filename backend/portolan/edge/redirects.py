"""Redirect to pages: from other spellings of their URL (the trailing-slash rule), and by the redirects of the live build.

Each redirect takes one step.
"""

import re
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

import orjson

from ..domain.redirects import GONE, NOT_IN_BUILDS, Redirect, add_query, own_path
from ..domain.routes import normalise_path, page_data_path, page_of_data
from .headers import HARMLESS, NO_STORE, REVALIDATE
from .live_sites import LiveSite
from .plain_replies import build_text
from .replies import Reply

_GONE_DATA: Final = build_text(GONE, "Gone.", cache=REVALIDATE)

_LONGEST_QUERY = 8192
"""Longer than the parameters of all advertisers together. A longer query is dropped."""
_UNSAFE_IN_QUERY = re.compile(rb"[^\x21-\x7e]")
_AS_IT_IS: Final = "/:?#[]@!$&'()*+,;=%"


def choose_redirect(path: str, is_page: Callable[[str], bool]) -> str | None:
    """Return the page for a path without a file, or ``None``. Only paths for which ``is_page`` is true are returned.

    ``/about-us/``, ``/About-Us``, ``//about-us`` and ``/about-us/index.html`` mean ``/about-us``. The result is a path
    of the site instead of a part of the request, so it cannot point to another host.
    """
    candidate = normalise_path(path.removesuffix("/index.html") if path.endswith("/index.html") else path)
    for page in (candidate, candidate.lower()):
        if page != path and is_page(page):
            return page
    return None


def find_redirect(site: LiveSite, path: str) -> Redirect | None:
    """Return the redirect of the live build for a path without a file, or ``None``."""
    return site.redirects.find(path, lambda own: own.startswith(NOT_IN_BUILDS) or site.file(own) is not None)


def redirect_data(site: LiveSite, path: str, query: bytes) -> Reply | None:
    """Return the reply for missing page data: the data of the page to which the page's URL redirects, or None.

    If the target is outside the site, or has a query or anchor, return page data without a build. The page
    runtime then loads the document.
    """
    page = page_of_data(path)
    redirect = find_redirect(site, page) if page else None
    if page is None or redirect is None:
        return None
    if redirect.status == GONE:
        return _GONE_DATA
    if redirect.target == own_path(redirect.target) and site.is_page(redirect.target):
        return build_redirect(redirect.status, page_data_path(redirect.target), query)
    body = orjson.dumps({"path": page, "html": "", "build": ""})
    return Reply(200, [(b"content-type", b"application/json"), (b"cache-control", NO_STORE), HARMLESS], body)


def build_redirect(status: int, target: str, query: bytes = b"") -> Reply:
    return build_text(status, "Moved.", (b"location", location(target, query)), cache=REVALIDATE)


def location(target: str, query: bytes) -> bytes:
    """Return the ``Location`` of a redirect, with the request's query."""
    if len(query) > _LONGEST_QUERY:
        query = b""
    kept = _UNSAFE_IN_QUERY.sub(lambda match: b"%%%02X" % match[0][0], query)
    return quote(add_query(target, kept.decode("ascii")), safe=_AS_IT_IS).encode("ascii")
