"""Where files that editors uploaded stand, and which of them anybody may fetch."""

from collections.abc import Collection
from typing import Final

MEDIA: Final = "/media/"
DOCUMENTS: Final = f"{MEDIA}documents/"
"""Uploads of the studio, and below folders named by a digest the copies that releases offer."""

_OPEN: Final = (f"{MEDIA}pictures/", f"{MEDIA}videos/")
"""Files made to be shown, under names that say what is inside and that nobody guesses."""


def is_open(path: str) -> bool:
    """Whether a file is made to be shown to anybody."""
    return path.startswith(_OPEN)


def is_public(path: str, offered: Collection[str]) -> bool:
    """Whether visitors may have what stands at ``path``. ``offered``: addresses of documents that live pages lead to.

    Everything else is private to the studio: originals, thumbnails, portraits of editors, documents no page offers.
    """
    return is_open(path) or (path.startswith(DOCUMENTS) and path in offered)
