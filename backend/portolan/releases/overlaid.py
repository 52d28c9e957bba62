"""Read a release with some items added, changed or removed."""

from collections.abc import Iterable

import orjson

from .index import Page, index_page
from .reader import Item, ItemId, ReleaseReader


class OverlaidReader(ReleaseReader):
    """Reads any release for the content API. Data from the index, other than pages, is the release's own."""

    def __init__(self, reader: ReleaseReader, drafts: Iterable[Item], gone: Iterable[ItemId]) -> None:
        super().__init__(reader._execute)
        self._drafts = {ItemId(item.site, item.kind, item.key): item for item in drafts}
        self._gone = frozenset(gone)

    def item(self, release: int, site: str, kind: str, key: str) -> Item | None:
        id = ItemId(site, kind, key)
        if id in self._gone:
            return None
        return self._drafts.get(id) or super().item(release, site, kind, key)

    def collection(self, release: int, site: str, kind: str) -> list[Item]:
        return self._lay_over(super().collection(release, site, kind), site, kind, None)

    def some_items(self, release: int, site: str, kind: str, keys: Iterable[str]) -> list[Item]:
        wanted = frozenset(keys)
        return self._lay_over(super().some_items(release, site, kind, wanted), site, kind, wanted)

    def pages(self, release: int, sites: Iterable[str] | None = None) -> list[Page]:
        wanted = None if sites is None else frozenset(sites)
        drafts = {
            id: index_page(id.site, id.key, orjson.loads(item.body))
            for id, item in self._drafts.items()
            if id.kind == "page" and (wanted is None or id.site in wanted)
        }
        found = [
            page
            for page in super().pages(release, wanted)
            if (id := ItemId(page.site, "page", page.key)) not in drafts and id not in self._gone
        ]
        return sorted([*found, *drafts.values()], key=lambda page: page[:2])

    def _lay_over(self, found: list[Item], site: str, kind: str, keys: frozenset[str] | None) -> list[Item]:
        drafts = [
            item
            for id, item in self._drafts.items()
            if (id.site, id.kind) == (site, kind) and (keys is None or id.key in keys)
        ]
        replaced = {item.key for item in drafts} | {id.key for id in self._gone if (id.site, id.kind) == (site, kind)}
        return sorted([*(item for item in found if item.key not in replaced), *drafts], key=lambda item: item[:3])
