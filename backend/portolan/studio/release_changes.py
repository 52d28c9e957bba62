"""What a release changed, in the words of editors: one row for each thing and all sites on which it changed alike."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from ..releases.diff import FieldChange, ItemChange, diff_releases, say_field
from ..releases.reader import ItemId, ReleaseInfo, ReleaseReader
from .edit_urls import find_editables
from .site_names import name_sites

_MOST_FIELDS: Final = 8
_LONGEST: Final = 160
_MOST_NAMED: Final = 3
_MOST_COMPARED: Final = 60
"""A release with more changes than this is summed up by their number in the list of releases."""
_WORDS: Final = {"added": "New", "changed": "Changed", "removed": "Gone"}
_KINDS: Final = {
    "page": "Page", "project": "Card", "news": "Card", "event": "Card", "blueprint": "Card", "facet": "Facet value",
    "rate_card": "Rate card", "figures": "Figures",
}  # fmt: skip


class FieldRow(NamedTuple):
    field: str
    before: str
    after: str


class ChangeRow(NamedTuple):
    """One thing that changed."""

    change: str
    """New, Changed or Gone."""
    title: str
    detail: str
    """Kind and address, where the title does not say them."""
    edit_url: str
    keys: tuple[str, ...]
    """Of the sites; one that is empty belongs to all."""
    fields: list[FieldRow]
    more: int
    """Fields that are not listed."""

    @property
    def sites(self) -> str:
        return name_sites(self.keys)


def list_changes(reader: ReleaseReader, older: int, newer: int) -> list[ChangeRow]:
    """What differs between two releases."""
    return say_changes(diff_releases(reader, older, newer))


def say_changes(changes: Iterable[ItemChange]) -> list[ChangeRow]:
    """One row for each thing; what changed alike on several sites is one."""
    found = list(changes)
    titles = find_editables([ItemId(change.site, change.kind, change.key) for change in found])
    rows: dict[tuple[Any, ...], ChangeRow] = {}
    for change in found:
        known = titles.get(ItemId(change.site, change.kind, change.key))
        named = known is not None and known.title.strip("“”") != change.key
        kind = _KINDS.get(change.kind, change.kind.replace("_", " ").capitalize())
        title = known.title if known and named else f"{kind} {change.name}"
        detail = f"{kind} {change.name}" if change.kind == "page" and named else kind if kind == "Card" else ""
        fields = [_say_field(field) for field in change.fields if field.field != "changed"]
        row = ChangeRow(
            _WORDS[change.change],
            title,
            detail,
            known.edit_url if known else "",
            (change.site,),
            fields[:_MOST_FIELDS],
            max(0, len(fields) - _MOST_FIELDS),
        )
        same = (row.change, row.title, row.detail, tuple(row.fields))
        if same in rows:
            row = rows[same]._replace(keys=(*rows[same].keys, *row.keys))
        rows[same] = row
    return list(rows.values())


def sum_up(reader: ReleaseReader, release: ReleaseInfo) -> str:
    """A release in a line: the first things that it changed."""
    count = release.added + release.changed + release.removed
    if count > _MOST_COMPARED or not reader.exists(release.number - 1):
        return f"{count:,} items, on all sites together"
    rows = [row for row in list_changes(reader, release.number - 1, release.number) if row.detail != "Card"]
    named = dict.fromkeys(f"{row.title}{'' if row.change == 'Changed' else f' ({row.change.lower()})'}" for row in rows)
    titles = list(named)
    more = len(titles) - _MOST_NAMED
    return ", ".join(titles[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _say_field(change: FieldChange) -> FieldRow:
    return FieldRow(say_field(change.field), _say(change.before), _say(change.after))


def _say(value: Any) -> str:
    if isinstance(value, dict) and set(value) == {"$html"}:
        value = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", value["$html"])).strip()
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
