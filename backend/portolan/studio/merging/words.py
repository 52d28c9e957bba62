"""Describe differences between two versions of a page, as its form shows them."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any, Final

from django.db import models
from django.utils.dateparse import parse_date, parse_datetime, parse_time
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from modelcluster.fields import ParentalKey
from wagtail import blocks
from wagtail.fields import RichTextField
from wagtail.models import Page

from ...content.snapshot import collect_page_ids, list_items, snapshot_value
from ...domain.merging import BODY, Path
from ..block_changes import Comparison
from ..moments import say_moment
from ..problem_names import StudioNames
from .base import stream_of
from .lists import Lists
from .translations import Translations
from .versions import Content

_PLACE_OF_ROW: Final = ("pk", "sort_order", "id")
"""Columns that editors do not fill in."""


class Words:
    """Describes ``versions``. The first one numbers the blocks."""

    def __init__(self, form: Any, *versions: Content) -> None:
        self._form = form
        self._stream = stream_of(form.instance)
        self._versions = versions
        self._names = StudioNames()
        self._say = Comparison().say

    def where(self, path: Path) -> str:
        match path:
            case (name,):
                return gettext("Order of the blocks") if name == BODY else self._label(name)
            case (_, id):
                return self._name_block(id)
            case (_, id, name):
                part = self._part(id, name)
                return f"{self._name_block(id)}, {capfirst(str(part.label)) if part else name}"
        raise ValueError(path)

    def value(self, path: Path, content: Content) -> str:
        match path:
            case ("body",):
                return ", ".join(map(self._name_kind, content.blocks.values()))
            case (name,):
                return self._say_field(name, content.fields.get(name)) or gettext("empty")
            case (_, id):
                return gettext("Changed") if id in content.blocks else gettext("Deleted")
            case (_, id, name):
                part, raw = self._part(id, name), content.blocks[id]["value"].get(name)
                return (self._say_part(part, raw) if part else self._say(raw)) or gettext("empty")
        raise ValueError(path)

    def _label(self, name: str) -> str:
        field = self._form.fields.get(name)
        return capfirst(gettext(str((field.label if field else None) or name.replace("_", " "))))

    def _block(self, id: str) -> tuple[int, Mapping[str, Any]]:
        """Return the block and its number on the page."""
        for content in self._versions:
            if block := content.blocks.get(id):
                return [*content.blocks].index(id) + 1, block
        raise KeyError(id)

    def _name_block(self, id: str) -> str:
        number, block = self._block(id)
        if isinstance(self._stream, Lists | Translations):
            return self._stream.name_of(block)
        return gettext("Block {number} ({kind})").format(number=number, kind=self._names.block(block["type"]))

    def _name_kind(self, block: Mapping[str, Any]) -> str:
        return (
            self._stream.name_of(block)
            if isinstance(self._stream, Lists | Translations)
            else self._names.block(block["type"])
        )

    def _part(self, id: str, name: str) -> Any:
        _, block = self._block(id)
        return getattr(self._stream.child_blocks[block["type"]], "child_blocks", {}).get(name)

    def _say_field(self, name: str, raw: Any) -> str:
        """Describe a field as a revision stores it; a list of rows has all its rows."""
        if raw in (None, "", []):
            return ""
        model = type(self._form.instance)
        if name in self._form.formsets:
            rows = model._meta.get_field(name).related_model
            return "\n".join(
                _of_row(self._say_column(rows, column, value) for column, value in row.items()) for row in raw
            )
        return self._say_column(model, name, raw)

    def _say_column(self, model: Any, name: str, raw: Any) -> str:
        if name in _PLACE_OF_ROW or raw in (None, ""):
            return ""
        field = model._meta.get_field(name)
        if isinstance(field, ParentalKey):
            return ""  # the page itself
        if field.is_relation:
            keys = raw if isinstance(raw, list) else [raw]
            return ", ".join(map(_title, field.related_model._default_manager.filter(pk__in=keys)))
        if field.choices:
            return str(dict(field.flatchoices).get(raw, raw))
        if isinstance(field, RichTextField):
            return self._say({"$html": raw})
        if isinstance(field, models.DateField | models.TimeField):
            return _say_time(raw)
        return self._say(raw)

    def _say_part(self, part: blocks.Block, raw: Any) -> str:
        """Describe a block's value as a revision stores it."""
        if isinstance(part, blocks.ChoiceBlock | blocks.MultipleChoiceBlock):
            labels = dict(_flat(part.field.choices))
            chosen = raw if isinstance(raw, list) else [raw]
            return ", ".join(str(labels.get(each, each)) for each in chosen if each not in (None, ""))
        if isinstance(part, blocks.DateBlock | blocks.DateTimeBlock | blocks.TimeBlock):
            return _say_time(raw) if raw else ""
        if isinstance(part, blocks.ListBlock):
            return "\n".join(self._say_part(part.child_block, item) for item in list_items(raw))
        if isinstance(part, blocks.StructBlock) and not hasattr(part, "snapshot"):
            said = (
                (child.label, self._say_part(child, (raw or {}).get(name))) for name, child in part.child_blocks.items()
            )
            return ", ".join(f"{capfirst(str(label))}: {value}" for label, value in said if value)
        ids = collect_page_ids(raw)
        keys = Page.objects.filter(pk__in=ids).values_list("pk", "translation_key") if ids else ()
        return self._say(snapshot_value(part, raw, {pk: str(key) for pk, key in keys}))


def _of_row(columns: Iterable[str]) -> str:
    return ", ".join(filter(None, columns))


def _title(row: Any) -> str:
    return str(row.get_admin_display_title() if isinstance(row, Page) else row)


def _flat(choices: Iterable[Any]) -> Iterable[tuple[Any, Any]]:
    """Yield choices without their groups."""
    for value, label in choices:
        if isinstance(label, list | tuple):
            yield from label
        else:
            yield value, label


def _say_time(raw: Any) -> str:
    text = raw.isoformat() if isinstance(raw, date | time) else str(raw)
    moment = parse_datetime(text) if "T" in text or " " in text else None
    if isinstance(moment, datetime):
        return say_moment(moment)
    if day := parse_date(text):
        return date_format(day)
    at = parse_time(text)
    return f"{at:%H:%M}" if at else text
