"""A release view in memory: items' bodies, read when needed, and references.

It moves to another release view by dropping the changed items.
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Generic, NamedTuple, TypeVar

import orjson

from ..domain.cards import CARD_KINDS, FACT_LISTS
from ..domain.references import Reference, find_references
from ..domain.snapshot_bodies import EntryBody, FiguresBody, JsonObject, PageBody
from ..releases.index import Page, index_page
from ..releases.reader import ALL_SITES, Item, ItemId, ReleaseReader
from ..releases.release_view import Differences, ItemChange, ReleaseView

_READ_AHEAD: Final = 100
"""Pages whose bodies are in memory at once."""
_KEPT_BODIES: Final = 4_000
"""Parsed bodies, mostly of images, of some 3 kB each."""
_KEPT_ENTRIES: Final = 3_000
"""Parsed entries of collections, of some 5 kB each."""

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class Change(NamedTuple):
    """An item that differs between two release views; a page has its two states."""

    item: ItemId
    before: Page | None
    after: Page | None


class _EntrySnapshot(NamedTuple):
    value: JsonObject
    pages: Sequence[str]
    """Translation keys of the pages it is placed on."""


class _Kept(Generic[_Key, _Value]):
    """Cached values.

    The least recently used ones are dropped, so that memory stays limited.
    """

    def __init__(self, most: int, weigh: Callable[[_Value], int] = lambda value: 1) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._values: OrderedDict[_Key, _Value] = OrderedDict()

    def get(self, key: _Key, read: Callable[[], _Value]) -> _Value:
        if key in self._values:
            self._values.move_to_end(key)
        else:
            self.put(key, read())
        return self._values[key]

    def put(self, key: _Key, value: _Value) -> None:
        self.forget(key)
        self._values[key] = value
        self._weight += self._weigh(value)
        while self._weight > self._most and len(self._values) > 1:
            self._weight -= self._weigh(self._values.popitem(last=False)[1])

    def forget(self, key: _Key) -> None:
        if key in self._values:
            self._weight -= self._weigh(self._values.pop(key))

    def __contains__(self, key: _Key) -> bool:
        return key in self._values


class Snapshot:
    """Items of one release view. Caches only frequently read ones."""

    def __init__(
        self, reader: ReleaseReader, release_view: ReleaseView, drafts: Iterable[Item] = (), gone: Iterable[ItemId] = ()
    ) -> None:
        """``drafts``: items that replace or extend those of the release view.

        ``gone``: items to leave out.
        """
        self.release_view = release_view
        self._reader = reader
        self._read = reader.with_blocked(release_view.blocked)
        self._drafts: Mapping[ItemId, Item] = {_item_id(item): item for item in drafts}
        self._gone = frozenset(gone)
        self._bodies: _Kept[ItemId, Any] = _Kept(_KEPT_BODIES)
        self._collections: _Kept[tuple[str, str], list[_EntrySnapshot]] = _Kept(_KEPT_ENTRIES, len)
        self._ahead: dict[ItemId, Item] = {}

    def is_of(self, reader: ReleaseReader) -> bool:
        """Return True if the database still has this snapshot's release.

        A restored database may lack it.
        """
        return reader.mark(self.release_view.release) == self.release_view.mark

    def move_to(self, release_view: ReleaseView, changes: Iterable[ItemChange]) -> None:
        """Become ``release_view``. ``changes``: the differences from the present release view."""
        for id, _, _ in changes:
            self._bodies.forget(id)
            self._collections.forget((id.site, id.kind))
        self._ahead = {}
        self.release_view = release_view
        self._read = self._reader.with_blocked(release_view.blocked)

    def pages(self, sites: Iterable[str] | None = None) -> list[Page]:
        """Return the pages of these sites, or of all. Read at each call."""
        return self._with_drafts(
            self._read.pages(self.release_view.release, sites), lambda page: not sites or page.site in sites
        )

    def pages_at(self, path: str) -> list[Page]:
        """Return the pages at a path on all sites. Read at each call."""
        return self._with_drafts(self._read.pages_at(self.release_view.release, path), lambda page: page.path == path)

    def translations(self, keys: Iterable[str]) -> list[Page]:
        """Return the pages with these translation keys on all sites. Read at each call."""
        wanted = frozenset(keys)
        return self._with_drafts(
            self._read.translations(self.release_view.release, wanted), lambda page: page.key in wanted
        )

    def body(self, item_id: ItemId) -> Any:
        """Return the parsed body, unresolved, or None if missing. Do not change it."""
        if item_id.kind == "page":  # large, and read once for each rendering
            return self._parse(item_id)
        return self._bodies.get(item_id, lambda: self._parse(item_id))

    def page_body(self, page: Page) -> PageBody:
        """Return the body of an existing page. Do not change it."""
        body: PageBody = self.body(ItemId(page.site, "page", page.key))
        return body

    def ahead(self, pages: Iterable[Page]) -> Iterator[Page]:
        """Yield these pages of one site in order.

        Their items are read for some hundred pages at once.
        """
        rest = iter(pages)
        while some := list(islice(rest, _READ_AHEAD)):
            self._read_ahead(some)
            yield from some
        self._ahead = {}

    def picture(self, key: str) -> dict[str, Any] | None:
        value: dict[str, Any] | None = self.body(ItemId(ALL_SITES, "picture", key))
        return value

    def document(self, key: str) -> dict[str, Any] | None:
        value: dict[str, Any] | None = self.body(ItemId(ALL_SITES, "document", key))
        return value

    def figures(self) -> FiguresBody:
        return self.body(ItemId(ALL_SITES, "figures", "company")) or {}

    def collection(self, site: str, kind: str) -> list[Any]:
        """Return a kind's unresolved values in the editors' order."""
        return [entry.value for entry in self._entries(site, kind)]

    def placed(self, site: str, kind: str, page: str) -> list[Any]:
        """Return the values of a kind's items that are placed on a page, likewise."""
        return [entry.value for entry in self._entries(site, kind) if page in entry.pages]

    def placements(self, site: str, kind: str, pages: Collection[str]) -> Iterator[tuple[str, Any]]:
        """Yield the same for many pages: the page's key and the value."""
        entries = self._entries(site, kind)
        return ((page, entry.value) for entry in entries for page in entry.pages if page in pages)

    def holders(self, reference: Reference) -> set[ItemId]:
        """Return the items whose body has ``reference``."""
        found = set(self._read.holders(self.release_view.release, reference)) - self._drafts.keys() - self._gone
        for id, item in self._drafts.items():
            if reference in find_references(orjson.loads(item.body)):
                found.add(id)
        return found

    def dependants(self, reference: Reference) -> set[ItemId]:
        """Return the items whose body, or whose page's layout, has ``reference``."""
        found = self.holders(reference)
        page_types = [page_type for page_type, lists in FACT_LISTS.items() if reference in find_references(lists)]
        if page_types:
            pages = self._read.pages_of_types(self.release_view.release, page_types)
            found |= {ItemId(page.site, "page", page.key) for page in pages}
        return found

    def dependants_of_any(self, kind: str, keys: Iterable[str]) -> Mapping[str, set[ItemId]]:
        """Return ``dependants`` of many items of one kind, by their keys."""
        wanted = frozenset(keys)
        found: dict[str, set[ItemId]] = {key: set() for key in wanted}
        for id, key in self._read.holders_of_any(self.release_view.release, kind, wanted):
            if id not in self._drafts and id not in self._gone:
                found[key].add(id)
        for id, item in self._drafts.items():
            for reference in find_references(orjson.loads(item.body)):
                if reference.kind == kind and reference.key in wanted:
                    found[reference.key].add(id)
        for lists in FACT_LISTS.values():
            for reference in find_references(lists):
                if reference.kind == kind and reference.key in wanted:
                    found[reference.key] |= self.dependants(reference)
        return found

    def _entries(self, site: str, kind: str) -> list[_EntrySnapshot]:
        return self._collections.get((site, kind), lambda: self._read_entries(site, kind))

    def _read_entries(self, site: str, kind: str) -> list[_EntrySnapshot]:
        found = self._read.collection(self.release_view.release, site, kind)
        items = {id: item for item in found if (id := _item_id(item)) not in self._gone}
        items |= {id: item for id, item in self._drafts.items() if (id.site, id.kind) == (site, kind)}
        bodies: list[tuple[EntryBody, str]] = sorted(
            ((orjson.loads(item.body), id.key) for id, item in items.items()), key=_order
        )
        return [_EntrySnapshot(body["value"], body.get("pages", ())) for body, _ in bodies]

    def _read_ahead(self, pages: Sequence[Page]) -> None:
        self._ahead = {}
        release, site, keys = self.release_view.release, pages[0].site, [page.key for page in pages]
        for kind in ("page", *sorted({CARD_KINDS[page.template] for page in pages if page.template in CARD_KINDS})):
            self._take(self._read.some_items(release, site, kind, keys))
        references = self._read.references(release, site, "page", keys)
        for kind in ("picture", "document"):
            unread = [
                key for found, key in references if found == kind and ItemId(ALL_SITES, kind, key) not in self._bodies
            ]
            self._take(self._read.some_items(release, ALL_SITES, kind, unread))

    def _parse(self, id: ItemId) -> Any:
        if id in self._gone:
            return None
        item = self._drafts.get(id) or self._ahead.get(id) or self._read.item(self.release_view.release, *id)
        return item and orjson.loads(item.body)

    def _take(self, items: Iterable[Item]) -> None:
        for item in items:
            self._ahead[_item_id(item)] = item

    def _with_drafts(self, found: list[Page], covers: Callable[[Page], bool]) -> list[Page]:
        if self._gone:
            found = [page for page in found if ItemId(page.site, "page", page.key) not in self._gone]
        drafts = [page for item in self._drafts.values() if (page := page_of(item))]
        if not drafts:
            return found
        rest = [page for page in found if ItemId(page.site, "page", page.key) not in self._drafts]
        return [*rest, *filter(covers, drafts)]


def follow(
    snapshot: Snapshot | None, reader: ReleaseReader, release_view: ReleaseView, differences: Differences
) -> tuple[Snapshot, list[Change] | None]:
    """Return a snapshot of ``release_view``, and the changes to it.

    Moves the given snapshot if possible. Otherwise returns a new one, with None as the changes.
    """
    if snapshot is None or not snapshot.is_of(reader):
        return Snapshot(reader, release_view), None
    changes = differences.between(snapshot.release_view, release_view)
    snapshot.move_to(release_view, changes)
    return snapshot, pages_of(changes)


def pages_of(changes: Iterable[ItemChange]) -> list[Change]:
    return [Change(change.id, page_of(change.before), page_of(change.after)) for change in changes]


def page_of(item: Item | None) -> Page | None:
    """Return the page of an item, or None for other kinds."""
    return index_page(item.site, item.key, orjson.loads(item.body)) if item and item.kind == "page" else None


def _order(entry: tuple[EntryBody, str]) -> tuple[int, str]:
    body, key = entry
    return body["order"], key


def _item_id(item: Item) -> ItemId:
    return ItemId(item.site, item.kind, item.key)
