"""List and change the texts of a page, entry or menu that visitors read, without URLs, keys and choices."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.text import capfirst
from modelcluster.models import get_all_child_relations
from wagtail import blocks
from wagtail.admin.forms.models import formfield_for_dbfield
from wagtail.models import COMMENTS_RELATION_NAME

from .blocks.base import HtmlBlock, LineBlock, ParagraphBlock, VerbatimBlock
from .fields import BlocksField, find_unknown_types

Way = tuple[str | int, ...]
"""Field, then names and indexes on the path through blocks or rows."""
_TEXT_BLOCKS: Final = (LineBlock, ParagraphBlock, VerbatimBlock, HtmlBlock)
_OF_THE_TREE: Final = frozenset({"path"})


class Text(NamedTuple):
    way: Way
    called: tuple[Any, ...]
    """Parts of ``label``. They are translated only when needed, because most texts are only searched."""
    value: str
    is_html: bool
    locale_id: int | None
    """Locale of a row that belongs to one site; None for values that all sites share."""
    problems: Callable[[str], list[str]]
    """Returns why another text is invalid at this place, as sentences."""
    block: blocks.Block | None = None
    """The block of the form; None for a field of the object or of a row."""

    @property
    def label(self) -> str:
        """Return the editors' name of the place: ``Block 3 (Text), Title``."""
        return "".join(str(_name(part) if isinstance(part, models.Field) else part) for part in self.called)

    def form_field(self) -> forms.Field:
        """Return the field of the object's form for this text. The browser accepts it empty."""
        field: forms.Field = deepcopy(self.block.field) if self.block else formfield_for_dbfield(self.called[-1])
        field.widget.is_required = field.required = False
        return field

    def read_form(self, data: Any, name: str) -> str:
        """Return the text that a form has sent, as the object's form would store it."""
        if self.block:
            typed = self.block.value_from_datadict(data, {}, name)
            text = str(getattr(typed, "source", typed) or "")
        else:
            field = self.form_field()
            text = str(field.to_python(field.widget.value_from_datadict(data, {}, name)) or "")
        return text.replace("\r\n", "\n")


def list_texts(thing: Any, with_empty: bool = False) -> list[Text]:
    """Return the texts of the object as it is in memory; `with_empty` adds the places where a text may be entered."""
    return [text for text in _walk(thing) if text.value or with_empty]


def set_texts(thing: Any, texts: dict[Way, str]) -> None:
    """Set texts in memory. Streams are parsed again, so that all their values are as if read from the database."""
    streams: dict[str, list[Any]] = {}
    rows: dict[str, list[Any]] = {}
    for way, value in texts.items():
        name = str(way[0])
        if len(way) == 1:
            setattr(thing, name, value)
        elif isinstance(thing._meta.get_field(name), BlocksField):
            raw = streams.setdefault(name, deepcopy(list(getattr(thing, name).raw_data)))
            holder: Any = raw
            for step in way[1:-1]:
                holder = holder[step]
            holder[way[-1]] = value
        else:
            found = rows.setdefault(name, list(getattr(thing, name).get_object_list()))
            setattr(next(row for row in found if row.pk == way[1]), str(way[2]), value)
    for name, raw in streams.items():
        setattr(thing, name, getattr(thing, name).stream_block.to_python(raw))


def text_columns(model: type[models.Model]) -> list[str]:
    """Return the names of fields to search; relations as ``translations__title``."""
    own = [field.name for field in model._meta.fields if _is_text(field) or isinstance(field, BlocksField)]
    others = [
        f"{name}__{field.name}" for name, child in _relations(model) for field in child._meta.fields if _is_text(field)
    ]
    return own + others


def has_unknown_blocks(thing: Any) -> bool:
    """Return whether saving would lose blocks of a missing plugin."""
    streams = [getattr(thing, field.name) for field in thing._meta.fields if isinstance(field, BlocksField)]
    return any(find_unknown_types(stream) for stream in streams)


def _walk(thing: Any) -> Iterator[Text]:
    for field in thing._meta.fields:
        if _is_text(field):
            value = getattr(thing, field.name) or ""
            yield Text((field.name,), (field,), value, False, None, _asking(field.clean, thing))
        elif isinstance(field, BlocksField):
            stream = getattr(thing, field.name)
            named = "Block" if field.name == "body" else field
            for number, raw in enumerate(stream.raw_data):
                block = stream.stream_block.child_blocks.get(raw["type"])
                if block is not None:
                    called = (named, f" {number + 1} (", block.label, ")")
                    yield from _walk_block(block, raw["value"], (field.name, number, "value"), called)
    for name, child in _relations(type(thing)):
        fields = [field for field in child._meta.fields if _is_text(field)]
        for row in getattr(thing, name).all() if fields else ():
            for field in fields:
                value, locale_id = getattr(row, field.name) or "", getattr(row, "locale_id", None)
                yield Text(
                    (name, row.pk, field.name),
                    (row, ", ", field) if locale_id else (field,),
                    value,
                    False,
                    locale_id,
                    _asking(field.clean, row),
                )


def _walk_block(block: blocks.Block, raw: Any, way: Way, called: tuple[Any, ...]) -> Iterator[Text]:
    if isinstance(block, _TEXT_BLOCKS):
        problems = _asking(block.field.clean)
        yield Text(way, called, raw or "", isinstance(block, HtmlBlock), None, problems, block)
    elif isinstance(block, blocks.StructBlock):
        for name, child in block.child_blocks.items():
            # Stored data may lack fields without a value.
            if isinstance(raw, dict) and (name in raw or isinstance(child, _TEXT_BLOCKS)):
                yield from _walk_block(child, raw.get(name), (*way, name), (*called, ", ", child.label))
    elif isinstance(block, blocks.ListBlock):
        for number, item in enumerate(raw or ()):
            is_kept = isinstance(item, dict) and item.get("type") == "item"
            inner = (*way, number, "value") if is_kept else (*way, number)
            yield from _walk_block(
                block.child_block, item["value"] if is_kept else item, inner, (*called, f" {number + 1}")
            )


def _asking(clean: Callable[..., Any], *others: Any) -> Callable[[str], list[str]]:
    def ask(value: str) -> list[str]:
        try:
            clean(value, *others)
        except ValidationError as error:
            return [str(message) for message in error.messages]
        return []

    return ask


def _is_text(field: models.Field[Any, Any]) -> bool:
    """Return True for fields of exactly these classes. Subclasses (URLs, keys, IDs of videos) are not texts."""
    return (
        type(field) in (models.CharField, models.TextField)
        and field.editable
        and not field.choices
        and field.name not in _OF_THE_TREE
        and not any(isinstance(validator, RegexValidator) for validator in field.validators)
    )


def _relations(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    found: list[Any] = get_all_child_relations(model)
    return [
        (relation.get_accessor_name(), relation.related_model)
        for relation in found
        if relation.get_accessor_name() != COMMENTS_RELATION_NAME
    ]


def _name(field: models.Field[Any, Any]) -> str:
    return str(capfirst(str(field.verbose_name)))
