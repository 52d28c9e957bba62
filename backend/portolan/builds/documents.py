"""Documents that builds offer: a document is public as long as a page of a kept build leads to it, and no longer."""

import os
import re
import time
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from ..domain.media_addresses import DOCUMENTS, MEDIA
from .store import ContentStore

UNUSED_BEFORE_REMOVAL_S: Final = 7 * 86_400
"""A page that offers the document may be held back for some days."""

_MENTION: Final = re.compile(rb"""/media/documents/[^"'<>\s?#&\\]+""")
_COPY: Final = re.compile(r"[0-9a-f]{16}")
"""Folder of a copy that a release made. Other folders hold editors' uploads, which belong to the studio."""


def find_documents(store: ContentStore, pages: Iterable[str]) -> frozenset[str]:
    """Addresses that stand in these pages of the store (by digest)."""
    found: set[bytes] = set()
    for digest in pages:
        found.update(_MENTION.findall(store.read(digest) or b""))
    return frozenset(name_documents(mention.decode("utf-8", "replace") for mention in found))


def name_documents(mentions: Iterable[str]) -> tuple[str, ...]:
    """Addresses as they are asked for, each once, of those that stand in HTML."""
    return tuple(sorted({unquote(mention) for mention in mentions}))


def remove_unoffered(media: Path, offered: Collection[str], now: float | None = None) -> int:
    """Remove releases' copies of documents that no kept build offers (``offered``: addresses); returns how many."""
    before = (time.time() if now is None else now) - UNUSED_BEFORE_REMOVAL_S
    folder = media / DOCUMENTS.removeprefix(MEDIA)
    removed = 0
    for copies in folder.iterdir() if folder.is_dir() else ():
        if not _COPY.fullmatch(copies.name) or not copies.is_dir():
            continue
        for file in copies.iterdir():
            if f"{DOCUMENTS}{copies.name}/{file.name}" not in offered and file.stat().st_mtime < before:
                file.unlink(missing_ok=True)
                removed += 1
        if not os.listdir(copies):  # noqa: PTH208  (nothing of it is wanted)
            copies.rmdir()
    return removed
