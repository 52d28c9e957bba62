"""Names that the product uses itself: a page with such a path, or a block with such an anchor, would take its place.

Ids of our own HTML are not listed here. Each has an underscore, which no anchor may have.
"""

from typing import Final

FOLDERS: Final = ("api", "assets", "media", "page-data")
"""First parts of paths that something other than a page answers. Other such paths have characters no slug may have."""
PREFIXES: Final = (*(f"/{folder}/" for folder in FOLDERS), "/__")
"""Beginnings of paths that something other than a page answers on every site."""
INDEX: Final = "/index"
"""The home page to many web servers, which look for ``index.html``."""
_INDEX_FILE: Final = "/index.html"

ANCHORS: Final = frozenset(
    {
        # Ids of the previous version's HTML: an installation can go back to it.
        *("islands", "main", "menu", "runtime", "visitor"),
        # Browsers scroll to the top of the page.
        "top",
        # An element is a global variable by its id. Scripts look for these names to find out where they run.
        *("define", "exports", "module", "require", "navigation", "scheduler"),
        *("grecaptcha", "gtag", "partytown", "turnstile"),
    }
)


def is_reserved_path(path: str) -> bool:
    """Return whether the product itself answers at a normalised path, which hides a page there.

    >>> [is_reserved_path(path) for path in ("/index", "/media/press", "/about/media", "/indexes")]
    [True, True, False, False]
    """
    return path == INDEX or path.endswith(_INDEX_FILE) or path.removeprefix("/").partition("/")[0] in FOLDERS


def is_reserved_anchor(anchor: str) -> bool:
    return anchor in ANCHORS
