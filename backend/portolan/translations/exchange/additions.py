"""Copy blocks and list items of a source that its translation lacks, to the same place among the others."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from ...content.fields import BlocksField
from ..segments import match, read_segments


def add_missing(source: Any, draft: Any, paths: Iterable[str]) -> None:
    """Add blocks to the draft in memory, so that it has a place for these paths of the source.

    A group of fields that a block of the draft lacks, such as an empty link, is not added.
    """
    for path in paths:
        known = _known_places(source, draft)
        steps = path.split("/")
        if not isinstance(_field(draft, steps[0]), BlocksField):
            continue
        lists = ["/".join(steps[:end]) for end in range(1, len(steps))]
        for place, id in zip(lists, steps[1:], strict=True):
            entries = _find(_raw(source, steps[0]), place.split("/")[1:])
            if f"{place}/{id}" not in known and isinstance(entries, list):
                _insert(draft, entries, place, id, known)
                break


def _insert(draft: Any, entries: list[Any], place: str, id: str, known: Mapping[str, str]) -> None:
    head, _, name = place.rpartition("/")
    own_place = f"{known[head]}/{name}" if head else place
    steps = own_place.split("/")
    raw = deepcopy(_raw(draft, steps[0]))
    own = _find(raw, steps[1:])
    number = _position(entries, id)
    if number is None or not isinstance(own, list) or _position(own, id) is not None:
        return
    before = [f"{place}/{_id(entry, position)}" for position, entry in enumerate(entries[:number])]
    last = next((known[path].rpartition("/")[2] for path in reversed(before) if path in known), None)
    after = _position(own, last) if last is not None else None
    own.insert(0 if after is None else after + 1, deepcopy(entries[number]))
    setattr(draft, steps[0], getattr(draft, steps[0]).stream_block.to_python(raw))


def _known_places(source: Any, draft: Any) -> dict[str, str]:
    """Return places in the draft by those of the source: fields, blocks and items that both have."""
    known = {}
    for path, own in match(read_segments(source, with_empty=True), read_segments(draft, with_empty=True)).items():
        steps, own_steps = path.split("/"), own.split("/")
        for end in range(1, len(steps) + 1):
            known["/".join(steps[:end])] = "/".join(own_steps[:end])
    return known


def _find(value: Any, steps: Iterable[str]) -> Any:
    """Return the list or group of fields at a place in raw data, else None."""
    for step in steps:
        if isinstance(value, list):
            number = _position(value, step)
            entry = value[number] if number is not None else None
            value = entry["value"] if isinstance(entry, dict) and "type" in entry else entry
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


def _position(entries: list[Any], id: str) -> int | None:
    return next((number for number, entry in enumerate(entries) if _id(entry, number) == id), None)


def _id(entry: Any, number: int) -> str:
    """Return the step of an entry in paths (``segments``)."""
    return str((entry.get("id") if isinstance(entry, dict) else None) or f"#{number}")


def _raw(page: Any, field: str) -> list[Any]:
    return list(getattr(page, field).raw_data)


def _field(page: Any, name: str) -> Any:
    return page._meta.get_field(name)
