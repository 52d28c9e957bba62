"""Documents: each is public while a page of a kept build links to it."""

import re
import time
from collections.abc import Collection, Iterable
from typing import Final
from urllib.parse import unquote

from ..domain.media_addresses import DOCUMENTS, MEDIA
from .media_source import MediaSource
from .store import ContentStore

UNUSED_BEFORE_REMOVAL_S: Final = 7 * 86_400
"""A page that offers the document may be blocked for some days."""

_MENTION: Final = re.compile(rb"""/media/documents/[^"'<>\s?#&\\]+""")
_COPY: Final = re.compile(r"documents/[0-9a-f]{16}/[^/]+")
"""A copy made by a release. All other files are editors' uploads, which belong to the studio."""


def find_documents(store: ContentStore, pages: Iterable[str]) -> frozenset[str]:
    """Return the URL paths of documents in these pages (digests in the store)."""
    found: set[bytes] = set()
    for digest in pages:
        found.update(_MENTION.findall(store.read(digest) or b""))
    return frozenset(name_documents(mention.decode("utf-8", "replace") for mention in found))


def name_documents(mentions: Iterable[str]) -> tuple[str, ...]:
    """Return the paths of document links in HTML, unquoted, sorted and each once."""
    return tuple(sorted({unquote(mention) for mention in mentions}))


def remove_unoffered(media: MediaSource, offered: Collection[str], now: float | None = None) -> int:
    """Remove releases' copies of documents that are not ``offered``. Return how many.

    ``offered``: URL paths in kept builds. Raise StoreAway if a shared storage does not respond.
    """
    before = (time.time() if now is None else now) - UNUSED_BEFORE_REMOVAL_S
    unwanted = [
        copy.name
        for copy in media.list(DOCUMENTS.removeprefix(MEDIA).rstrip("/"))
        if _COPY.fullmatch(copy.name) and MEDIA + copy.name not in offered and copy.changed_ns < before * 1e9
    ]
    if unwanted:
        media.remove(unwanted)
    return len(unwanted)
