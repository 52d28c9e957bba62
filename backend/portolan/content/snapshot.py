"""Convert raw stream data for a release: editors' values as JSON, with references to other items.

Reads no database: the caller loads a map of page IDs with one query, for the IDs of ``collect_page_ids``.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from pydantic.alias_generators import to_camel
from wagtail import blocks
from wagtail.documents.blocks import DocumentChooserBlock

from ..domain.references import DELETED_PAGE
from .rich_text import find_page_ids, snapshot_html

TranslationKeys = Mapping[int, str]
"""Translation keys of pages by ID."""

_wire_name = lru_cache(to_camel)


def snapshot_struct(struct: blocks.StructBlock, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any]:
    """Return every field of ``struct``. A field that is newer than the value gets its default."""
    return {
        _wire_name(name): snapshot_value(
            child, raw[name] if name in raw else child.get_prep_value(child.get_default()), pages
        )
        for name, child in struct.child_blocks.items()
    }


def snapshot_stream(stream: blocks.StreamValue, pages: TranslationKeys) -> list[Any]:
    """Return the values of a stream whose blocks need no ID (menus, footers), in order."""
    return [
        snapshot_value(stream.stream_block.child_blocks[child["type"]], child["value"], pages)
        for child in stream.raw_data
    ]


def snapshot_value(block: blocks.Block, raw: Any, pages: TranslationKeys) -> Any:
    own_form: Callable[..., Any] | None = getattr(block, "snapshot", None)
    if isinstance(block, blocks.StructBlock):
        return own_form(raw or {}, pages) if own_form else snapshot_struct(block, raw or {}, pages)
    if own_form:
        return own_form(raw or "", pages)
    if isinstance(block, blocks.ListBlock):
        return [snapshot_value(block.child_block, item, pages) for item in list_items(raw)]
    if isinstance(block, blocks.RichTextBlock):
        return {"$html": snapshot_html(raw or "", pages)}
    if isinstance(block, DocumentChooserBlock):
        return {"$document": str(raw)} if raw else None
    if isinstance(block, blocks.MultipleChoiceBlock):
        return list(raw or ())
    if isinstance(block, blocks.ChoiceBlock):
        return raw or None
    if isinstance(block, blocks.CharBlock | blocks.TextBlock | blocks.URLBlock | blocks.EmailBlock):
        return raw or ""
    if isinstance(block, blocks.DateTimeBlock | blocks.DateBlock | blocks.TimeBlock):
        return _print_time(raw) if raw else None
    if isinstance(block, blocks.BooleanBlock | blocks.IntegerBlock | blocks.FloatBlock):
        return raw
    raise TypeError(f"{type(block).__name__} cannot be stored in a release. Add its type to {__name__}.snapshot_value")


def _print_time(raw: Any) -> str:
    """Return ISO 8601, times of day to the minute. Unsaved values are not texts yet."""
    text = raw if isinstance(raw, str) else raw.isoformat()
    return text[:5] if re.fullmatch(r"\d\d:\d\d(:\d\d.*)?", text) else text


def list_items(raw: Any) -> list[Any]:
    """Return the values of a list block's raw data, in which each has an ID (or none, in hand-written data)."""
    return [item["value"] if isinstance(item, dict) and item.get("type") == "item" else item for item in raw or ()]


def translation_key_of(page: int, pages: TranslationKeys) -> str:
    """Return the key of a page; if the page was deleted, a key without a target, so that the broken link is
    reported."""
    return pages.get(int(page), f"{DELETED_PAGE}{page}")


def collect_page_ids(raw: Any) -> set[int]:
    """Return the IDs of all pages that raw stream data links to, for the map that ``snapshot`` needs."""
    if isinstance(raw, str):
        return find_page_ids(raw) if 'linktype="page"' in raw else set()
    if isinstance(raw, list):
        return set().union(*map(collect_page_ids, raw)) if raw else set()
    if isinstance(raw, dict):
        own = {int(raw["page"])} if isinstance(raw.get("page"), int) else set()
        return own.union(*map(collect_page_ids, raw.values()))
    return set()
