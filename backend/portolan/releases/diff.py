"""List the changes between two releases: items, and their fields by name."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal, NamedTuple

from .reader import Item, ReleaseReader

_ABSENT = object()
_ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+")
_KEYS: Final = (("id",), ("role", "seniority"), ("service",), ("role",))
"""Fields that name an entry of a list. The first combination is used that all entries have, with a different value
each."""
_NAME: Final = re.compile(r"[0-9A-Za-z_-]+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


class FieldChange(NamedTuple):
    """A value that differs. ``field`` is its path in the body, e.g. ``blocks.hero-1.title``."""

    field: str
    before: Any
    after: Any


class ItemChange(NamedTuple):
    change: Literal["added", "changed", "removed"]
    site: str
    kind: str
    key: str
    name: str
    """The item's name for editors: a page's path, an office's city, else its key."""
    fields: list[FieldChange]
    """Empty unless ``changed``."""


def diff_releases(reader: ReleaseReader, older: int, newer: int) -> list[ItemChange]:
    """Return the items that differ, in a stable order. If ``older`` is the newer release, the diff is reversed."""
    return [compare_items(before, after) for before, after in reader.changes(older, newer)]


def diff_bodies(before: Any, after: Any) -> list[FieldChange]:
    """Return the fields that differ between two JSON values, in the order of their names.

    Entries of lists with an ID (blocks) or the key of a rate are compared by it. So an inserted block is one change,
    although it moves all blocks below it.
    """
    return list(_differences(before, after, ""))


def say_field(field: str) -> str:
    """Return a field's path in words: ``Hero › Title``, without the IDs of blocks and entries."""
    parts = [part for part in field.split(".") if part != "value" and not _ID.fullmatch(part)]
    words = " › ".join(_HUMP.sub(" ", part).replace("_", " ").lower() for part in parts)
    return words[:1].upper() + words[1:]


def name_of(item: Item) -> str:
    """Return the item's name for editors."""
    body = json.loads(item.body)
    match item.kind:
        case "page":
            return str(body["path"])
        case "office":
            return str(body["value"]["city"])
        case "picture":
            url = body["vector"] or next(
                (body[size]["webp"] for size in ("desktop", "tablet", "mobile") if body[size]), ""
            )
            return url.rpartition("/")[2] or item.key
        case "document":
            return str(body["url"]).rpartition("/")[2]
        case _:
            value = body.get("value") or {}
            return str(value.get("title") or item.key)


def compare_items(before: Item | None, after: Item | None) -> ItemChange:
    """Compare two states of one item, of which one may be missing."""
    present = after or before
    if present is None:
        raise ValueError("An item that is missing in both releases cannot differ.")
    address = (present.site, present.kind, present.key, name_of(present))
    if before is None:
        return ItemChange("added", *address, [])
    if after is None:
        return ItemChange("removed", *address, [])
    return ItemChange("changed", *address, diff_bodies(json.loads(before.body), json.loads(after.body)))


def _differences(before: Any, after: Any, field: str) -> Iterator[FieldChange]:
    if before == after:
        return
    sides = _members(before, after)
    if sides is None:
        yield FieldChange(field, None if before is _ABSENT else before, None if after is _ABSENT else after)
        return
    old, new = sides
    if list(old) != list(new) and isinstance(before, list) and set(old) == set(new):
        yield FieldChange(f"{field} (order)", list(old), list(new))
    for name in dict.fromkeys([*old, *new]):
        yield from _differences(old.get(name, _ABSENT), new.get(name, _ABSENT), f"{field}.{name}".lstrip("."))


def _members(before: Any, after: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return both values as named members, or None for plain values."""
    if isinstance(before, dict) and isinstance(after, dict):
        return before, after
    if isinstance(before, list) and isinstance(after, list):
        for key in _KEYS:
            old, new = _by_key(before, key), _by_key(after, key)
            if old is not None and new is not None:
                return old, new
        return {str(n): entry for n, entry in enumerate(before)}, {str(n): entry for n, entry in enumerate(after)}
    return None


def _by_key(entries: list[Any], key: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the entries by their key, e.g. ``designer senior``; None if any entry lacks the key."""
    found = {}
    for entry in entries:
        parts = [str(entry.get(name) or "") for name in key] if isinstance(entry, dict) else [""]
        if not all(map(_NAME.fullmatch, parts)):
            return None
        found[" ".join(parts)] = entry
    return found if len(found) == len(entries) else None
