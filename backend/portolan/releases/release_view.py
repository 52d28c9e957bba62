"""Define release views: a release as sites show it. Blocked items are shown as in an earlier release."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .reader import Blocked, Item, ItemId, ReleaseReader


class ReleaseView(NamedTuple):
    """A release without its blocked changes. Equal views have equal content."""

    release: int
    mark: str
    """``ReleaseReader.mark``. It differs if a restored database gives the same number to another release."""
    blocked: Blocked
    """Blocked items, by the release whose state is shown. If that release lacks the item, it is not shown at all."""

    def blocking(self, more: Blocked) -> "ReleaseView":
        return self._replace(blocked={**self.blocked, **more})


class ItemChange(NamedTuple):
    """An item on both sides of a difference; None if a side lacks it."""

    id: ItemId
    before: Item | None
    after: Item | None


def newest_release_view(reader: ReleaseReader) -> ReleaseView | None:
    """Return the newest release with all its items, or None before the first release."""
    release = reader.latest()
    return None if release is None else release_view_of(reader, release)


def release_view_of(reader: ReleaseReader, release: int) -> ReleaseView:
    """Return a release with all its items."""
    return ReleaseView(release, reader.mark(release) or "", {})


def read_difference(reader: ReleaseReader, older: ReleaseView, newer: ReleaseView) -> list[ItemChange]:
    """Return the items that differ between two release views of one database, in a stable order."""
    found = {
        ItemId(item.site, item.kind, item.key): (before, after)
        for before, after in reader.changes(older.release, newer.release)
        if (item := after or before)
    }
    blocked = {*older.blocked, *newer.blocked}
    sides = [(reader.with_blocked(release_view.blocked), release_view.release) for release_view in (older, newer)]
    found |= {id: _pair(sides, id) for id in blocked}
    return [ItemChange(id, *found[id]) for id in sorted(found) if _digest(found[id][0]) != _digest(found[id][1])]


class Differences:
    """Cache of differences between release views of one database. Use one object per publish."""

    def __init__(self, reader: ReleaseReader) -> None:
        self._reader = reader
        self._known: dict[tuple[Any, ...], list[ItemChange]] = {}

    def between(self, older: ReleaseView, newer: ReleaseView) -> list[ItemChange]:
        """Return the result of ``read_difference``, which is cached."""
        sides = (older.release, frozenset(older.blocked.items())), (newer.release, frozenset(newer.blocked.items()))
        if sides[0] == sides[1]:
            return []
        if sides not in self._known:
            self._known[sides] = read_difference(self._reader, older, newer)
        return self._known[sides]


def pack_blocked(blocked: Blocked) -> list[list[Any]]:
    """Return JSON: a list for each item."""
    return [[*id, release] for id, release in sorted(blocked.items())]


def unpack_blocked(rows: Iterable[Iterable[Any]]) -> Mapping[ItemId, int]:
    """Read the JSON of ``pack_blocked``. Raise ValueError or TypeError for other values."""
    return {ItemId(str(site), str(kind), str(key)): int(release) for site, kind, key, release in rows}


def _pair(sides: Iterable[tuple[ReleaseReader, int]], id: ItemId) -> tuple[Item | None, Item | None]:
    before, after = (reader.item(release, *id) for reader, release in sides)
    return before, after


def _digest(item: Item | None) -> str | None:
    return item and item.digest
