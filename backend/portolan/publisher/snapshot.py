"""One edition in memory: its items, its pages, and which items depend on which. It moves to another edition by applying
what changed."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Self

import orjson

from ..domain.cards import FACT_LISTS
from ..domain.frozen_bodies import EntryBody, FiguresBody, Frozen, PageBody
from ..domain.references import Reference, find_references
from ..releases.edition import Edition, ItemChange, read_difference
from ..releases.reader import ALL_SITES, Item, ItemId, ReleaseReader


class Page(NamedTuple):
    """A page item without its content: what routes, sitemaps and breadcrumbs are made of."""

    site: str
    key: str
    """Translation key: the same on every site that has the page."""
    path: str
    template: str
    title: str
    parent: str | None
    changed: str | None
    """ISO time of its last publish that changed anything."""
    switcher_hidden: bool


class Change(NamedTuple):
    """One item that differs between two editions; for a page, the page on either side."""

    item: ItemId
    before: Page | None
    after: Page | None


class _FrozenEntry(NamedTuple):
    value: Frozen
    pages: Sequence[str]
    """Pages it is placed on, by translation key."""


class Snapshot:
    """Items of one edition. Pages keep their bodies as bytes: they are parsed when they are rendered.

    Ten thousand parsed pages take a gigabyte of Python objects, their bytes 150 MB.
    """

    def __init__(self, edition: Edition, items: Iterable[Item]) -> None:
        self.edition = edition
        self._items: dict[ItemId, Item] = {}
        self._pages: dict[ItemId, Page] = {}
        self._values: dict[ItemId, Any] = {}
        self._collections: dict[tuple[str, str], list[_FrozenEntry]] = {}
        self._references: dict[ItemId, frozenset[Reference]] = {}
        self._dependants: dict[Reference, set[ItemId]] | None = None
        for item in items:
            self._put(_item_id(item), item)

    @classmethod
    def load(cls, reader: ReleaseReader, edition: Edition) -> Self:
        return cls(edition, reader.with_held(edition.held).items(edition.release))

    def with_items(self, items: Iterable[Item]) -> Self:
        """A copy of this snapshot in which these items replace its own or are added to them."""
        other = type(self)(self.edition, ())
        other._items, other._pages = dict(self._items), dict(self._pages)
        other._values, other._collections = dict(self._values), dict(self._collections)
        for item in items:
            other._put(_item_id(item), item)
        return other

    def is_of(self, reader: ReleaseReader) -> bool:
        """Whether the database still has this snapshot's release. A restored database may not."""
        return reader.mark(self.edition.release) == self.edition.mark

    def move_to(self, edition: Edition, changes: Iterable[ItemChange]) -> None:
        """Become ``edition``, from which this one differs by ``changes``."""
        for id, _, after in changes:
            if after:
                self._put(id, after)
            else:
                self._remove(id)
        self.edition = edition

    def pages(self) -> Iterable[Page]:
        return self._pages.values()

    def digest(self, item_id: ItemId) -> str | None:
        item = self._items.get(item_id)
        return item and item.digest

    def body(self, item_id: ItemId) -> Any:
        """The parsed body, with references not resolved; None if the release lacks the item. Do not change it."""
        if item_id in self._pages:
            return orjson.loads(self._items[item_id].body)
        if item_id not in self._values:
            item = self._items.get(item_id)
            self._values[item_id] = item and orjson.loads(item.body)
        return self._values[item_id]

    def page_body(self, page: Page) -> PageBody:
        """The body of one of ``pages``, likewise."""
        body: PageBody = self.body(ItemId(page.site, "page", page.key))
        return body

    def picture(self, key: str) -> dict[str, Any] | None:
        value: dict[str, Any] | None = self.body(ItemId(ALL_SITES, "picture", key))
        return value

    def document(self, key: str) -> dict[str, Any] | None:
        value: dict[str, Any] | None = self.body(ItemId(ALL_SITES, "document", key))
        return value

    def figures(self) -> FiguresBody:
        return self.body(ItemId(ALL_SITES, "figures", "company")) or {}

    def collection(self, site: str, kind: str) -> list[Any]:
        """Values of all items of a kind in the editors' order, with references not resolved."""
        return [entry.value for entry in self._entries(site, kind)]

    def placed(self, site: str, kind: str, page: str) -> list[Any]:
        """Values of the items of a kind that are placed on a page, likewise."""
        return [entry.value for entry in self._entries(site, kind) if page in entry.pages]

    def dependants(self, reference: Reference) -> set[ItemId]:
        """Items whose body holds ``reference``, itself not resolved further."""
        if self._dependants is None:  # a first publish renders everything and never asks
            self._dependants = {}
            for item_id in self._items:
                self._index(item_id)
        return self._dependants.get(reference, set())

    def _entries(self, site: str, kind: str) -> list[_FrozenEntry]:
        if (site, kind) not in self._collections:
            found = [item_id for item_id in self._items if item_id.site == site and item_id.kind == kind]
            bodies: list[tuple[EntryBody, str]] = sorted(
                ((self.body(item_id), item_id.key) for item_id in found), key=_order
            )
            self._collections[site, kind] = [_FrozenEntry(body["value"], body.get("pages", ())) for body, _ in bodies]
        return self._collections[site, kind]

    def _put(self, item_id: ItemId, item: Item) -> None:
        self._forget(item_id)
        self._items[item_id] = item
        if item.kind == "page":
            self._pages[item_id] = _page(item)
        if self._dependants is not None:
            self._index(item_id)

    def _remove(self, item_id: ItemId) -> None:
        self._forget(item_id)
        del self._items[item_id]
        self._pages.pop(item_id, None)

    def _forget(self, item_id: ItemId) -> None:
        self._values.pop(item_id, None)
        self._collections.pop((item_id.site, item_id.kind), None)
        for reference in self._references.pop(item_id, ()):
            if self._dependants is not None:
                self._dependants[reference].discard(item_id)

    def _index(self, item_id: ItemId) -> None:
        references = frozenset(self._read_references(item_id))
        self._references[item_id] = references
        if self._dependants is not None:
            for reference in references:
                self._dependants.setdefault(reference, set()).add(item_id)

    def _read_references(self, item_id: ItemId) -> Iterator[Reference]:
        if item_id.kind not in ("picture", "document", "figures"):
            yield from find_references(orjson.loads(self._items[item_id].body))
            if item_id.kind == "page":
                yield from find_references(FACT_LISTS.get(self._pages[item_id].template, {}))


def follow(snapshot: Snapshot | None, reader: ReleaseReader, edition: Edition) -> tuple[Snapshot, list[Change] | None]:
    """A snapshot of ``edition``, and the changes that led to it. The given snapshot is moved if that is possible, which
    costs only what differs; else a new one is made and there are no changes.
    """
    if snapshot is None or not snapshot.is_of(reader):
        return Snapshot.load(reader, edition), None
    changes = read_difference(reader, snapshot.edition, edition) if snapshot.edition != edition else []
    snapshot.move_to(edition, changes)
    return snapshot, pages_of(changes)


def pages_of(changes: Iterable[ItemChange]) -> list[Change]:
    return [Change(change.id, page_of(change.before), page_of(change.after)) for change in changes]


def _order(entry: tuple[EntryBody, str]) -> tuple[int, str]:
    body, key = entry
    return body["order"], key


def _item_id(item: Item) -> ItemId:
    return ItemId(item.site, item.kind, item.key)


def page_of(item: Item | None) -> Page | None:
    """The page that an item is; none for any other item."""
    return _page(item) if item and item.kind == "page" else None


def _page(item: Item) -> Page:
    body: PageBody = orjson.loads(item.body)
    return Page(
        item.site,
        item.key,
        body["path"],
        body["template"],
        body["title"],
        body["parent"],
        body["changed"],
        body["switcher_hidden"],
    )
