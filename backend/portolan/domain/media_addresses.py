"""The addresses of uploaded files, and which of them are public."""

from collections.abc import Collection
from typing import Final

MEDIA: Final = "/media/"
DOCUMENTS: Final = f"{MEDIA}documents/"
"""Uploads of the studio, and below folders named by a digest the copies that releases offer."""

_OPEN: Final = (f"{MEDIA}pictures/", f"{MEDIA}videos/")
"""Files that are made to be shown, once a release shows them. Their names contain a digest."""


def read_media_name(path: str) -> str | None:
    """What follows MEDIA in a decoded path; none where no file is called so: hidden ones and folders above are not."""
    name = path.removeprefix(MEDIA)
    if not name.isprintable() or "\\" in name:
        return None
    return None if any(not segment or segment.startswith(".") for segment in name.split("/")) else name


def folder_of(name: str) -> str:
    """Where a file (below MEDIA) lies: all files of one picture are equally public.

    >>> folder_of("pictures/0123456789abcdef/quay-480.webp")
    'pictures/0123456789abcdef'
    """
    return name.rpartition("/")[0]


def is_open(path: str) -> bool:
    """Whether a file is made to be shown to anybody."""
    return path.startswith(_OPEN)


def is_public(path: str, offered: Collection[str], shown: Collection[str] | None) -> bool:
    """Whether visitors may have what stands at ``path``. ``offered``: addresses of documents that live pages lead to;
    ``shown``: folders (below MEDIA) of files that releases show, None where nobody knows.

    Everything else is private to the studio: originals, thumbnails, portraits of editors, documents no page offers.
    """
    if is_open(path):
        return shown is None or folder_of(path.removeprefix(MEDIA)) in shown
    return path.startswith(DOCUMENTS) and path in offered
