"""Render the pages of a preview when requested, and cache them until the content changes."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.conf import settings

from ...publisher.addresses import Addresses
from ...releases.index import Page
from ..drawing import build_shared, draw_whole
from .overlay import Overlay

_KEPT_BYTES: Final = 32 << 20
_LONGEST_LABEL: Final = 60


class Block(NamedTuple):
    """A block of a rendered page, as a comment refers to it."""

    id: str
    type: str
    title: str


class DrawnPage(NamedTuple):
    """A rendered page, with a placeholder for the secret."""

    html: bytes
    data: bytes
    shared: str
    """Hash of its shared data."""
    page: Page
    blocks: tuple[Block, ...]


class _Kept:
    def __init__(self) -> None:
        self._pages: OrderedDict[tuple[str, str, str], DrawnPage] = OrderedDict()
        self._shared: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: tuple[str, str, str]) -> DrawnPage | None:
        with self._lock:
            if found := self._pages.get(key):
                self._pages.move_to_end(key)
            return found

    def add(self, key: tuple[str, str, str], drawn: DrawnPage, shared: bytes) -> None:
        with self._lock:
            if key not in self._pages:
                self._bytes += _weigh(drawn)
            self._pages[key] = drawn
            self._shared[drawn.shared] = shared
            self._shared.move_to_end(drawn.shared)
            while self._bytes > _KEPT_BYTES and len(self._pages) > 1:
                self._bytes -= _weigh(self._pages.popitem(last=False)[1])
            while len(self._shared) > len(settings.SITES_REGISTRY.sites) * 4:
                self._shared.popitem(last=False)

    def shared(self, hash: str) -> bytes | None:
        return self._shared.get(hash)


_kept: Final = _Kept()


def find_page(overlay: Overlay, site: str, path: str) -> Page | None:
    return next((page for page in overlay.snapshot().pages_at(path) if page.site == site), None)


def is_drawn(overlay: Overlay, page: Page) -> bool:
    return _kept.get((overlay.mark, page.site, page.path)) is not None


def draw_at(overlay: Overlay, page: Page, addresses: Addresses) -> DrawnPage:
    """Render a page. Raises SnapshotError with the page's problems, and UsageError if rendering is not possible here."""
    key = (overlay.mark, page.site, page.path)
    if found := _kept.get(key):
        return found
    whole = draw_whole(page, overlay.snapshot(), addresses)
    blocks = tuple(_describe(block) for block in whole.content["blocks"])
    drawn = DrawnPage(whole.html, whole.data, whole.shared.hash, page, blocks)
    _kept.add(key, drawn, whole.shared.data)
    return drawn


def read_shared(overlay: Overlay, site: str, hash: str, addresses: Addresses) -> bytes | None:
    """Return shared data by its hash, or ``None``."""
    if (known := _kept.shared(hash)) is not None:
        return known
    shared = build_shared(site, overlay.snapshot(), addresses)
    return shared.data if shared.hash == hash else None


def _describe(block: Mapping[str, Any]) -> Block:
    title = next((text for name in ("title", "heading", "name") if isinstance(text := block.get(name), str)), "")
    return Block(str(block.get("id") or ""), str(block.get("type", "")), title[:_LONGEST_LABEL])


def _weigh(drawn: DrawnPage) -> int:
    return len(drawn.html) + len(drawn.data)
