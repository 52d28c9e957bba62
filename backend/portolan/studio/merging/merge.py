"""Merge another person's saved changes into a form before it is saved."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from wagtail.models import Revision

from ...domain.merging import BODY, Merge, Path, Side, Version, merge
from .base import name_revision, names_of, read_base, stream_of
from .versions import Content, put_together, read_content
from .words import Words

SEEN: Final = "merge_seen"
_CHOICE: Final = "merge_choice"


class Conflict(NamedTuple):
    name: str
    """Name of the form's field for the choice."""
    where: str
    mine: str
    theirs: str
    chosen: str


class Merged(NamedTuple):
    taken: list[str]
    """Descriptions of their merged changes."""
    conflicts: list[Conflict]
    """If there are conflicts, the form is unchanged."""
    seen: str
    """Name of their revision."""
    is_own: bool
    """True if the editor saved the other version, in another window."""


def merge_with(form: Any, latest: Revision) -> Merged:
    """Merge their changes into the page of a valid form, which the form then saves."""
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
    words = Words(form, mine, theirs)
    is_own = latest.user_id == form.for_user.pk

    def tell(path: Path) -> Conflict:
        values = words.value(path, mine), words.value(path, theirs)
        return Conflict(_name(path), words.where(path), *values, choices.get(path, ""))

    if found.conflicts:
        return Merged([], list(map(tell, asked)), seen, is_own)
    _apply(form, latest, found, theirs, mine)
    return Merged(list(dict.fromkeys(map(words.where, found.taken))), [], seen, is_own)


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
        page.body = form.cleaned_data[BODY] = stream.to_python(put_together(found, theirs, mine))
