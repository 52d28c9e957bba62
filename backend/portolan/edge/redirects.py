"""The trailing-slash rule: every page has one address, and other spellings are redirected there in one step."""

import re
from collections.abc import Callable
from urllib.parse import quote

from ..domain.routes import normalise_path

_LONGEST_QUERY = 8192
"""The parameters of all advertisers together are shorter. A longer query is no campaign's and is dropped."""
_UNSAFE_IN_QUERY = re.compile(rb"[^\x21-\x7e]")


def choose_redirect(path: str, is_page: Callable[[str], bool]) -> str | None:
    """The page that is meant by a path without a file, or None. It returns only paths that ``is_page`` knows.

    ``/about-us/``, ``/About-Us``, ``//about-us`` and ``/about-us/index.html`` mean ``/about-us``. The answer is a path
    of the site's own list and never a part of the request, so it cannot lead to another host.
    """
    candidate = normalise_path(path.removesuffix("/index.html") if path.endswith("/index.html") else path)
    for page in (candidate, candidate.lower()):
        if page != path and is_page(page):
            return page
    return None


def location(page: str, query: bytes) -> bytes:
    """The ``Location`` of a redirect to a page, with the request's query kept where it is one."""
    target = quote(page).encode("ascii")
    if not query or len(query) > _LONGEST_QUERY:
        return target
    return target + b"?" + _UNSAFE_IN_QUERY.sub(lambda match: b"%%%02X" % match[0][0], query)
