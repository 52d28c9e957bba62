"""Media files of a release: images by reference, others by URL in a body."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote

import orjson

from ..domain.media_addresses import read_media_name
from ..domain.references import Reference
from ..releases.index import chunks, index_references
from ..releases.reader import ALL_SITES, Item, ItemId, ReleaseReader

COPIES: Final = (".br", ".gz")
"""Suffixes of the compressed copies of a drawing, which the edge sends."""
_SOME: Final = 500
"""Items whose bodies are in memory at once."""
_MENTION: Final = re.compile(rb"""/media/(?:pictures|videos)/[^"'<>\s?#&\\]+""")
_DRAWING: Final = ".svg"


class ReleaseMedia:
    def __init__(self, reader: ReleaseReader) -> None:
        self._reader = reader

    def names(self, release: int, covers: Mapping[str, str]) -> set[str]:
        """Return names of a release's files that ``covers`` may lack.

        Compares with the nearest release in ``covers`` (number and mark).
        """
        known = [int(number) for number, mark in covers.items() if self._reader.mark(int(number)) == mark]
        if not known:
            return self.of_items(release, self._every_item(release))
        nearest = min(known, key=lambda number: abs(number - release))
        changed = (after for _, after in self._reader.changes(nearest, release) if after)
        return self.of_items(release, changed)

    def _every_item(self, release: int) -> Iterator[Item]:
        for site, kind in self._reader.kinds(release):
            if kind not in ("picture", "document"):
                for keys in chunks(self._reader.digests(release, site, kind), _SOME):
                    yield from self._reader.some_items(release, site, kind, keys)

    def of_items(self, release: int, items: Iterable[Item]) -> set[str]:
        """Return the files of these items: referenced images, and URLs in bodies."""
        found: set[str] = set()
        pictures: set[str] = set()
        for item in items:
            if item.kind == "picture":
                if self._reader.holders(release, Reference("picture", item.key)):
                    pictures.add(item.key)
                continue
            found.update(_names_in(item.body))
            references = index_references(item.kind, orjson.loads(item.body))
            pictures.update(key for kind, key in references if kind == "picture")
        for picture in self._reader.some_items(release, ALL_SITES, "picture", pictures):
            found.update(_names_in(picture.body))
        return found

    def of_blocked(self, rows: Iterable[Sequence[Any]]) -> set[str]:
        """Return the files of items in an earlier state (``release_view.pack_blocked``)."""
        found: set[str] = set()
        for *id, release in rows:
            item = self._reader.item(int(release), *ItemId(*map(str, id)))
            if item:
                found |= self.of_items(int(release), [item])
        return found


def _names_in(body: bytes) -> Iterator[str]:
    """Yield the names of open files whose URLs are in a snapshot's body."""
    for mention in _MENTION.findall(body):
        name = read_media_name(unquote(mention.decode("utf-8", "replace")))
        if name:
            yield name
            if name.endswith(_DRAWING):
                yield from (name + suffix for suffix in COPIES)
