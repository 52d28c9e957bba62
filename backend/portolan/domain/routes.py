"""Paths: one rule for the publisher, the edge and the sitemap (spec §2: trailing-slash rule)."""

import re
from typing import Final

OFFLINE_PAGE: Final = "/offline.html"
"""The page that the service worker shows if a page can neither be loaded nor found in its cache."""

_SEGMENT: Final = r"[a-z0-9]+(?:[-.][a-z0-9]+)*"
_PAGES_BY_NAME: Final = {"/index": "/", "/_index": "/index"}
_PAGE_PATH: Final = re.compile(rf"/(?:{_SEGMENT}(?:/{_SEGMENT})*)?")


def normalise_path(path: str) -> str:
    """The canonical form of a page's path: one leading slash, none at the end, no empty segments.

    >>> normalise_path("/about-us/")
    '/about-us'
    >>> normalise_path("")
    '/'
    """
    return "/" + "/".join(segment for segment in path.split("/") if segment)


def is_page_path(path: str) -> bool:
    """Whether ``path`` is a normalised path a page may have: lower case, digits, hyphens, dots inside a segment."""
    return _PAGE_PATH.fullmatch(path) is not None


def page_key(path: str) -> str:
    """Page key of a normalised path: ``home`` for ``/``, else the path without the leading slash."""
    return path[1:] or "home"


def page_path(key: str) -> str:
    """Path of a page key: the reverse of ``page_key``."""
    return "/" if key == "home" else f"/{key}"


def page_data_path(path: str) -> str:
    """Return the path of the page data of a normalised path: ``/page-data/index/page-data.json`` for ``/``. A page at
    ``/index`` has a name that no path can have, so that no two pages share a file.

    >>> page_data_path("/"), page_data_path("/index")
    ('/page-data/index/page-data.json', '/page-data/_index/page-data.json')
    """
    name = "_index" if path == "/index" else path[1:] or "index"
    return f"/page-data/{name}/page-data.json"


def page_of_data(path: str) -> str | None:
    """The path of the page whose data is served at ``path``; None where that is no page data.

    >>> page_of_data("/page-data/about-us/page-data.json")
    '/about-us'
    """
    name = path.removeprefix("/page-data").removesuffix("/page-data.json")
    if f"/page-data{name}/page-data.json" != path or not name.startswith("/"):
        return None
    return _PAGES_BY_NAME.get(name, name)


def html_file(path: str) -> str:
    """Name of a page's HTML file in an exported tree: ``index.html``, ``about-us/index.html``, ``404.html``."""
    if path.endswith(".html"):
        return path[1:]
    return f"{path[1:]}/index.html".lstrip("/")
