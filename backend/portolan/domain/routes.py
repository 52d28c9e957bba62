"""Handle paths: one rule for the publisher, the edge and the sitemap (spec §2: trailing-slash rule)."""

import re
from typing import Final

OFFLINE_PAGE: Final = "/offline.html"
"""The page that the service worker shows if a page is neither reachable nor cached."""

_SEGMENT: Final = r"[a-z0-9]+(?:[-.][a-z0-9]+)*"
_PAGES_BY_NAME: Final = {"/index": "/", "/_index": "/index"}
_PAGE_PATH: Final = re.compile(rf"/(?:{_SEGMENT}(?:/{_SEGMENT})*)?")


def normalise_path(path: str) -> str:
    """Return the canonical form of a page's path: one slash at the start, segments with content only.

    >>> normalise_path("/about-us/")
    '/about-us'
    >>> normalise_path("")
    '/'
    """
    return "/" + "/".join(segment for segment in path.split("/") if segment)


def is_page_path(path: str) -> bool:
    """Return whether a normalised path is valid for pages: lower case, digits, hyphens, dots inside a segment."""
    return _PAGE_PATH.fullmatch(path) is not None


def page_key(path: str) -> str:
    """Return the page key of a normalised path: ``home`` for ``/``, else the path without the leading slash."""
    return path[1:] or "home"


def page_path(key: str) -> str:
    """Return the path of a page key: the reverse of ``page_key``."""
    return "/" if key == "home" else f"/{key}"


def page_data_path(path: str) -> str:
    """Return the path of the page data of a normalised path.

    A page at ``/index`` gets a name that is impossible as a path, so that two pages never share a file.

    >>> page_data_path("/"), page_data_path("/index")
    ('/page-data/index/page-data.json', '/page-data/_index/page-data.json')
    """
    name = "_index" if path == "/index" else path[1:] or "index"
    return f"/page-data/{name}/page-data.json"


def page_of_data(path: str) -> str | None:
    """Return the path of the page whose data is at ``path``, or None for other paths.

    >>> page_of_data("/page-data/about-us/page-data.json")
    '/about-us'
    """
    name = path.removeprefix("/page-data").removesuffix("/page-data.json")
    if f"/page-data{name}/page-data.json" != path or not name.startswith("/"):
        return None
    return _PAGES_BY_NAME.get(name, name)


def html_file(path: str) -> str:
    """Return the name of a page's HTML file in an export: ``index.html``, ``about-us/index.html``, ``404.html``."""
    if path.endswith(".html"):
        return path[1:]
    return f"{path[1:]}/index.html".lstrip("/")
