"""The form data of an editor's browser after changing a few fields."""

from collections.abc import Iterator
from typing import Any

from django.http import QueryDict
from wagtail import blocks
from wagtail.blocks.field_block import ChooserBlock
from wagtail.fields import StreamField
from wagtail.models import Page
from wagtail.test.utils.form_data import querydict_from_html


def form_data(html: str, instance: Any) -> QueryDict:
    """Return the form in a page of the studio, with the streams of ``instance``, which scripts would add."""
    data = querydict_from_html(html, form_id="page-edit-form" if isinstance(instance, Page) else "w-editor-form")
    for field in instance._meta.fields:
        if isinstance(field, StreamField):
            for name, value in _stream(field.stream_block, getattr(instance, field.name), field.name):
                data[name] = value
    return data


def _stream(block: blocks.StreamBlock, value: blocks.StreamValue, prefix: str) -> Iterator[tuple[str, str]]:
    yield f"{prefix}-count", str(len(value))
    for index, child in enumerate(value):
        place = f"{prefix}-{index}"
        yield f"{place}-deleted", ""
        yield f"{place}-order", str(index)
        yield f"{place}-type", child.block_type
        yield f"{place}-id", child.id or ""
        yield from _value(child.block, child.value, f"{place}-value")


def _value(block: blocks.Block, value: Any, prefix: str) -> Iterator[tuple[str, str]]:
    if isinstance(block, blocks.StreamBlock):
        yield from _stream(block, value, prefix)
    elif isinstance(block, blocks.StructBlock):
        for name, child in block.child_blocks.items():
            yield from _value(child, value.get(name), f"{prefix}-{name}")
    elif isinstance(block, blocks.ListBlock):
        yield f"{prefix}-count", str(len(value))
        for index, entry in enumerate(value):
            yield f"{prefix}-{index}-deleted", ""
            yield f"{prefix}-{index}-order", str(index)
            yield from _value(block.child_block, entry, f"{prefix}-{index}-value")
    elif isinstance(block, ChooserBlock):
        chosen = block.get_prep_value(value)
        yield prefix, "" if chosen is None else str(chosen)
    elif isinstance(block, blocks.BooleanBlock):
        if value:
            yield prefix, "on"
    elif isinstance(block, blocks.FieldBlock):
        shown = block.field.widget.format_value(block.value_for_form(value))
        for one in shown if isinstance(shown, list) else [shown]:
            yield prefix, "" if one is None else str(one)
