"""List names that the product uses itself, which pages' paths and blocks' anchors must avoid.

IDs of our own HTML need no entry, because their underscore is impossible in anchors.
"""

from typing import Final

FOLDERS: Final = ("api", "assets", "media", "page-data")
"""First segments of paths that pages cannot have. Other such paths have characters that a slug cannot have."""
PREFIXES: Final = (*(f"/{folder}/" for folder in FOLDERS), "/__")
"""Prefixes of paths that pages cannot have, on every site."""
INDEX: Final = "/index"
"""The home page for web servers that look for ``index.html``."""
_INDEX_FILE: Final = "/index.html"

ANCHORS: Final = frozenset(
    {
        # IDs of the previous version's HTML, to which an installation can go back.
        *("islands", "main", "menu", "runtime", "visitor"),
        # Browsers scroll to the top of the page.
        "top",
        # An element is a global variable named by its ID. Scripts test these names to detect their environment.
        *("define", "exports", "module", "require", "navigation", "scheduler"),
        *("grecaptcha", "gtag", "partytown", "turnstile"),
    }
)


def is_reserved_path(path: str) -> bool:
    """Return whether the product itself uses a normalised path, so that a page there would be hidden.

    >>> [is_reserved_path(path) for path in ("/index", "/media/press", "/about/media", "/indexes")]
    [True, True, False, False]
    """
    return path == INDEX or path.endswith(_INDEX_FILE) or path.removeprefix("/").partition("/")[0] in FOLDERS


def is_reserved_anchor(anchor: str) -> bool:
    return anchor in ANCHORS
