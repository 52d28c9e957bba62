"""Puts what somebody else has saved meanwhile into a form that is about to be saved."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext
from wagtail.models import Revision

from ...content.freeze import freeze_value
from ...domain.merging import BODY, Merge, Path, Side, Version, merge
from ..block_changes import Comparison
from ..problem_names import StudioNames
from .base import name_revision, names_of, read_base, stream_of
from .versions import Content, read_content

SEEN: Final = "merge_seen"
_CHOICE: Final = "merge_choice"


class Conflict(NamedTuple):
    name: str
    """Of the form's field in which somebody chooses."""
    where: str
    mine: str
    theirs: str
    chosen: str


class Merged(NamedTuple):
    taken: list[str]
    """What of theirs is in it, in words."""
    conflicts: list[Conflict]
    """Where there are any, the form is as it was."""
    seen: str
    """Which version of theirs it was."""


def merge_with(form: Any, latest: Revision) -> Merged:
    """``form`` is valid. What only they changed comes into its page, which the form then saves."""
    form.save(commit=False)
    names = names_of(form)
    theirs, mine = (read_content(each, names) for each in (latest.content, json.loads(form.instance.to_json())))
    stream = stream_of(form.instance)
    base = read_base(form)
    versions = base.version if base else Version({}, {}), theirs.version(stream), mine.version(stream)
    asked = merge(*versions, {}).conflicts
    seen = name_revision(latest)
    choices = _choices(form.data, asked) if form.data.get(SEEN) == seen else {}
    found = merge(*versions, choices)
    words = _Words(form, theirs, mine)
    if found.conflicts:
        return Merged([], [words.conflict(path, choices.get(path, "")) for path in asked], seen)
    _apply(form, latest, found, theirs, mine)
    return Merged(list(dict.fromkeys(map(words.where, found.taken))), [], seen)


def _name(path: Path) -> str:
    return "-".join((_CHOICE, *path))


def _choices(data: Mapping[str, Any], asked: list[Path]) -> dict[Path, Side]:
    chosen = {path: data.get(_name(path)) for path in asked}
    return {path: side for path, side in chosen.items() if side in ("mine", "theirs")}


def _apply(form: Any, latest: Revision, found: Merge, theirs: Content, mine: Content) -> None:
    page, other = form.instance, latest.as_object()
    for name, side in found.fields.items():
        if side == "mine":
            continue
        if name in form.formsets:
            rows = page._meta.get_field(name).related_model
            setattr(page, name, [rows.from_serializable_data(row, check_fks=False) for row in theirs.fields[name]])
            del form.formsets[name]
        else:
            setattr(page, name, getattr(other, name))
            form.cleaned_data[name] = getattr(other, name)
    if stream := stream_of(page):
        page.body = form.cleaned_data[BODY] = stream.to_python(_put_together(found, theirs, mine))


def _put_together(found: Merge, theirs: Content, mine: Content) -> list[dict[str, Any]]:
    sides = {"mine": mine.blocks, "theirs": theirs.blocks}
    body = []
    for id, fields in found.blocks.items():
        own = mine.blocks.get(id) or theirs.blocks[id]
        parts = {name: sides[side][id]["value"] for name, side in fields.items() if name not in ("", "type")}
        value = {name: raw[name] for name, raw in parts.items() if name in raw}
        body.append({**own, "value": value if parts else sides[fields[""]][id]["value"]})
    return body


class _Words:
    def __init__(self, form: Any, theirs: Content, mine: Content) -> None:
        self._form = form
        self._stream = stream_of(form.instance)
        self._theirs = theirs
        self._mine = mine
        self._names = StudioNames()
        self._say = Comparison().say

    def where(self, path: Path) -> str:
        match path:
            case (name,):
                return gettext("Order of the blocks") if name == BODY else self._label(name)
            case (_, id):
                return self._block(id)
            case (_, id, name):
                part = self._part(id, name)
                return f"{self._block(id)}, {capfirst(str(part.label)) if part else name}"
        raise ValueError(path)

    def conflict(self, path: Path, chosen: str) -> Conflict:
        mine, theirs = (self._value(path, content) for content in (self._mine, self._theirs))
        return Conflict(_name(path), self.where(path), mine, theirs, chosen)

    def _label(self, name: str) -> str:
        field = self._form.fields.get(name)
        return capfirst(str((field.label if field else None) or name.replace("_", " ")))

    def _block(self, id: str) -> str:
        for content in (self._mine, self._theirs):
            if block := content.blocks.get(id):
                number = [*content.blocks].index(id) + 1
                kind = self._names.block(block["type"])
                return gettext("Block {number} ({kind})").format(number=number, kind=kind)
        raise KeyError(id)

    def _part(self, id: str, name: str) -> Any:
        block = self._mine.blocks.get(id) or self._theirs.blocks[id]
        return getattr(self._stream.child_blocks[block["type"]], "child_blocks", {}).get(name)

    def _value(self, path: Path, content: Content) -> str:
        match path:
            case ("body",):
                return ", ".join(self._names.block(block["type"]) for block in content.blocks.values())
            case (name,):
                return self._say(content.fields.get(name)) or gettext("empty")
            case (_, id):
                return gettext("Changed") if id in content.blocks else gettext("Deleted")
            case (_, id, name):
                part, value = self._part(id, name), content.blocks[id]["value"]
                frozen = freeze_value(part, value.get(name), {}) if part else value.get(name)
                return self._say(frozen) or gettext("empty")
        raise ValueError(path)
