"""Describe the lists of a menu, footer or rate card, so that they are merged like the blocks of a page.

A block here is an element of a stream field, or a row of a child relation. Its type names the list too, such as
``items.item``. Elements with the same permanent name correspond to each other on all sites.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from django.utils.text import capfirst
from modelcluster.models import get_all_child_relations
from wagtail import blocks
from wagtail.fields import StreamField

from ...content.quoted import quoted
from ...content.rate_card import name_rate
from ...content.site_setting import SiteSetting

ROW: Final = "row"
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "item": ("key",), "group": ("key",), "service": ("service",), ROW: ("role", "seniority"),
}  # fmt: skip
"""Fields of an element that identify it, by its type."""
_OF_ROW: Final = ("id", "pk", "sort_order")


class Lists(NamedTuple):
    """The lists of one model."""

    streams: Mapping[str, Any]
    """Stream fields by name."""
    rows: Mapping[str, Any]
    """Child relations by name."""
    child_blocks: Mapping[str, blocks.Block]
    """By type, as in a ``StreamBlock``."""

    def read(self, stored: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the elements of all lists, as raw blocks. ``stored`` is the content of a revision, as JSON."""
        for name in self.streams:
            for child in blocks_in(stored.get(name)):
                yield {**child, "type": f"{name}.{child['type']}"}
        for name in self.rows:
            for row in stored.get(name) or ():
                yield self._as_block(name, row)

    def key_by_name(self, raw: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
        """Return blocks by their permanent name, else by their ID."""
        found: dict[str, Mapping[str, Any]] = {}
        for place, block in enumerate(raw):
            key = self._key(block)
            found[key if key and key not in found else block.get("id") or f"#{place}"] = block
        return found

    def write(self, raw: Iterable[Mapping[str, Any]], stored: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of each list, as a revision stores it. Rows keep the IDs that they have in ``stored``."""
        found: dict[str, list[Any]] = {name: [] for name in (*self.streams, *self.rows)}
        ids = {self._key(self._as_block(name, row)): row["pk"] for name in self.rows for row in stored[name]}
        for block in raw:
            name, _, kind = block["type"].partition(".")
            there = found[name]
            if name in self.rows:
                place = {"pk": ids.get(self._key(block)), self.rows[name].field.name: stored["pk"]}
                there.append({**block["value"], **place, "sort_order": len(there)})
            else:
                there.append({**block, "type": kind})
        return {name: json.dumps(each) if name in self.streams else each for name, each in found.items()}

    def find_places(self, found: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        """Return the place of each block in the form: its content path, or the ID of a row's panel after ``#``."""
        numbers = dict.fromkeys(self.rows, 0)
        places = {}
        for key, block in found.items():
            name = block["type"].partition(".")[0]
            if name in numbers:
                places[key] = f"#inline_child_{name}-{numbers[name]}"
                numbers[name] += 1
            else:
                places[key] = block.get("id") or key
        return places

    def name_of(self, block: Mapping[str, Any]) -> str:
        """Return the name of an element for editors."""
        name, _, kind = block["type"].partition(".")
        if kind == ROW:
            return name_rate(block["value"])
        label = capfirst(str(self.streams[name].verbose_name))
        title = block["value"].get("title") or block["value"].get("service")
        return label if self._is_single(name) or not title else f"{label}, {quoted(title)}"

    def longest(self, name: str) -> int | None:
        """Return the most elements that a list may have."""
        field = self.streams.get(name)
        return field.stream_block.meta.max_num if field else None

    def _as_block(self, name: str, row: Mapping[str, Any]) -> dict[str, Any]:
        hidden = (*_OF_ROW, self.rows[name].field.name)
        value = {column: said for column, said in row.items() if column not in hidden}
        return {"type": f"{name}.{ROW}", "value": value}

    def _key(self, block: Mapping[str, Any]) -> str:
        name, _, kind = block["type"].partition(".")
        if self._is_single(name):
            return name
        said = [str(block["value"].get(part) or "") for part in _NAMES.get(kind, ())]
        return f"{name} {' '.join(said)}" if any(said) else ""

    def _is_single(self, name: str) -> bool:
        return self.longest(name) == 1


def blocks_in(value: Any) -> list[dict[str, Any]]:
    """Return the raw blocks of a stream field, as a revision stores it."""
    found = json.loads(value) if isinstance(value, str) and value else value
    return found if isinstance(found, list) else []


@cache
def lists_of(model: type[SiteSetting]) -> Lists:
    streams = {field.name: field for field in model._meta.fields if isinstance(field, StreamField)}
    rows = {each.get_accessor_name(): each for each in get_all_child_relations(model)}
    children = {
        f"{name}.{type}": child
        for name, field in streams.items()
        for type, child in field.stream_block.child_blocks.items()
    }
    return Lists(streams, rows, children | {f"{name}.{ROW}": _columns(each) for name, each in rows.items()})


def _columns(relation: Any) -> blocks.StructBlock:
    fields = [each for each in relation.related_model._meta.fields if each.name not in _OF_ROW]
    return blocks.StructBlock(
        [(each.name, blocks.CharBlock(label=each.verbose_name)) for each in fields if each.name != relation.field.name]
    )
