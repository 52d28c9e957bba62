"""Name the paths of uploaded files, and decide which are public."""

from collections.abc import Collection
from typing import Final

MEDIA: Final = "/media/"
DOCUMENTS: Final = f"{MEDIA}documents/"
"""Contains uploads of the studio and, in folders named by a digest, the copies that releases offer."""

_OPEN: Final = (f"{MEDIA}pictures/", f"{MEDIA}videos/")
"""Files for visitors, as soon as a release shows them. Their names contain a digest."""


def read_media_name(path: str) -> str | None:
    """Return the name below MEDIA, or None for an impossible name: hidden files and parent folders are refused."""
    name = path.removeprefix(MEDIA)
    if not name.isprintable() or "\\" in name:
        return None
    return None if any(not segment or segment.startswith(".") for segment in name.split("/")) else name


def folder_of(name: str) -> str:
    """Return the folder of a file (below MEDIA). All files of one image are equally public.

    >>> folder_of("pictures/0123456789abcdef/quay-480.webp")
    'pictures/0123456789abcdef'
    """
    return name.rpartition("/")[0]


def is_open(path: str) -> bool:
    """Return whether the path belongs to files for visitors."""
    return path.startswith(_OPEN)


def is_public(path: str, offered: Collection[str], shown: Collection[str] | None) -> bool:
    """Return whether visitors may download the file at ``path``.

    ``offered``: paths of documents that live pages link to. ``shown``: folders (below MEDIA) of files that releases
    show, None if unknown. Everything else is private to the studio: originals, thumbnails, editors' portraits,
    documents without a link.
    """
    if is_open(path):
        return shown is None or folder_of(path.removeprefix(MEDIA)) in shown
    return path.startswith(DOCUMENTS) and path in offered
