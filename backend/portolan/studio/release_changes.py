"""Describe the changes of a release, with one row for each item and the sites with the same change."""

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext, gettext_noop

from ..delivery_status.status import Pair
from ..releases.diff import compare_items
from ..releases.reader import Item, ItemId, ReleaseInfo, ReleaseReader
from .block_changes import BlockRow, Comparison, name_fields, within_sentence
from .edit_urls import find_editables
from .numbers import say_number
from .site_names import name_sites
from .version_history_urls import find_version_history_url

_MOST_NAMED: Final = 3
_MOST_COMPARED: Final = 60
"""Above this number, the list of releases only shows the number of changes."""
MOST_TOLD: Final = 150
"""The most items of one release to compare."""
_MOST_BLOCKS: Final = 100
"""The most blocks to compare in all items, which takes a tenth of a second. New items have many changed blocks."""
_WORDS: Final = {"added": gettext_noop("New"), "changed": gettext_noop("Changed"), "removed": gettext_noop("Removed")}
_KINDS: Final = {
    "page": gettext_noop("Page"), "project": gettext_noop("Card"), "news": gettext_noop("Card"), "event": gettext_noop("Card"), "blueprint": gettext_noop("Card"), "facet": gettext_noop("Facet value"),
    "rate_card": gettext_noop("Rate card"), "words": gettext_noop("Interface words"), "figures": gettext_noop("Figures"),
}  # fmt: skip


class ChangeRow(NamedTuple):
    """A changed item."""

    change: str
    """New, Changed or Removed, translated."""
    title: str
    detail: str
    """Type and path, if the title does not include them."""
    edit_url: str
    version_history_url: str
    """URL of its version history; empty if it has none."""
    keys: tuple[str, ...]
    """Keys of the sites; an empty key for all sites."""
    blocks: tuple[BlockRow, ...]

    @property
    def sites(self) -> str:
        return name_sites(self.keys)


class Changes(NamedTuple):
    rows: list[ChangeRow]
    more: int
    """Number of further items."""


def tell_changes(pairs: Sequence[Pair], count: int | None = None) -> Changes:
    """Describe the first changes. ``count``: the number of all changes, if not all were read."""
    told, rows = _compare(pairs[:MOST_TOLD], _MOST_BLOCKS)
    return Changes(rows, (len(pairs) if count is None else count) - told)


def say_changes(pairs: Iterable[Pair]) -> list[ChangeRow]:
    """Describe changes. The same change on several sites is one row."""
    return _compare(list(pairs))[1]


def _compare(pairs: Sequence[Pair], most_blocks: float = math.inf) -> tuple[int, list[ChangeRow]]:
    """Return the number of compared items and the rows."""
    blocks = told = 0
    known = [(compare_items(*pair), [_body(each) for each in pair]) for pair in pairs]
    titles = find_editables([ItemId(change.site, change.kind, change.key) for change, _ in known])
    comparison = Comparison()
    comparison.know(body for _, bodies in known for body in bodies)
    rows: dict[tuple[Any, ...], ChangeRow] = {}
    for change, bodies in known:
        id = ItemId(change.site, change.kind, change.key)
        found = titles.get(id)
        title, detail = name_thing(id, change.name, found.title if found else "")
        row = ChangeRow(
            gettext(_WORDS[change.change]),
            title,
            detail,
            found.edit_url if found else "",
            find_version_history_url(id),
            (change.site,),
            comparison.compare(*bodies),
        )
        same = (row.change, row.title, row.detail, row.blocks)
        if same in rows:
            row = rows[same]._replace(keys=(*rows[same].keys, *row.keys))
        rows[same] = row
        told += 1
        blocks += len(row.blocks)
        if blocks >= most_blocks:
            break
    return told, list(rows.values())


def sum_up(reader: ReleaseReader, release: ReleaseInfo) -> str:
    """Describe a release in one line: ``Office “Berlin”: phone, “About us”: hero and 3 more``."""
    count = release.items
    if count > _MOST_COMPARED or not reader.exists(release.number - 1):
        return gettext("{count} items on all sites together").format(count=say_number(count))
    return sum_up_changes(reader.changes(release.number - 1, release.number))


def sum_up_changes(pairs: Iterable[Pair]) -> str:
    known = [(compare_items(*pair), pair) for pair in pairs]
    titles = find_editables([ItemId(change.site, change.kind, change.key) for change, _ in known])
    named: dict[str, None] = {}
    for change, pair in known:
        id = ItemId(change.site, change.kind, change.key)
        title, detail = name_thing(id, change.name, titles[id].title if id in titles else "")
        if detail == gettext("Card"):
            continue
        fields = name_fields(*map(_body, pair)) if change.change == "changed" else [gettext(_WORDS[change.change])]
        said = ", ".join(map(within_sentence, fields[:_MOST_NAMED]))
        named[f"{title}: {said}" if said else title] = None
    rows = list(named)
    more = len(rows) - _MOST_NAMED
    return "; ".join(rows[:_MOST_NAMED]) + (gettext(" and {more} more").format(more=more) if more > 0 else "")


def name_thing(id: ItemId, name: str, known: str) -> tuple[str, str]:
    """Return title and detail of an item. ``name`` is from its body; ``known`` is from the studio or empty."""
    is_named = bool(known) and known.strip("“”„") != id.key
    kind = gettext(_KINDS.get(id.kind, id.kind.replace("_", " ").capitalize()))
    if not is_named:
        return f"{kind} {name}", ""
    return known, f"{kind} {name}" if id.kind == "page" else kind if kind == gettext("Card") else ""


def _body(item: Item | None) -> Any:
    return json.loads(item.body) if item else None
