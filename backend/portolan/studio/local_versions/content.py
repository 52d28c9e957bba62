"""Read and write the content that a local version shares with its source."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from modelcluster.models import get_all_child_relations
from wagtail.models import Page

from ...content.local_versions import LEFT_OUT, LocalVersion
from ...domain.merging import BODY, Merge, Path, Version, put_between
from ..merging.base import stream_of
from ..merging.versions import Content, put_together, read_content

_SHARED_OF_PAGE: Final = ("title", "seo_title", "search_description")
_OF_ROW: Final = ("pk", "locale", "translation_key")


def read_page(page: Page) -> Content:
    """Return the shared content of a page in memory. Rows of child objects come without their IDs."""
    stored = json.loads(page.to_json())
    parents = _parents_of_rows(page.specific_class)
    for name, parent in parents.items():
        stored[name] = [_strip(row, parent) for row in stored.get(name, ())]
    return read_content(stored, _names(page.specific_class, tuple(stored)))


def read_base(row: LocalVersion) -> Content:
    return Content(row.fields, {block.get("id") or f"#{place}": block for place, block in enumerate(row.blocks)})


def version_of(content: Content, page: Page) -> Version:
    return content.version(stream_of(page))


def write_page(page: Page, found: Merge, source: Content, own: Content) -> Page:
    """Return ``page`` with the merged content, unsaved."""
    stored = json.loads(page.to_json())
    for name, side in found.fields.items():
        if side == "theirs":
            stored[name] = source.fields[name]
        elif isinstance(own.fields[name], str):  # rows keep their IDs
            stored[name] = own.fields[name]
    if BODY in stored:
        stored[BODY] = json.dumps(put_together(found, source, own))
    return page.with_content_json(stored)


def move_base(row: LocalVersion, source: Content, offered: Iterable[Path]) -> None:
    """Make the source's present content the base, except at ``offered`` paths, whose change is not taken over."""
    base, offered = read_base(row), frozenset(offered)
    row.fields = {name: base.fields.get(name) if (name,) in offered else value for name, value in source.fields.items()}
    blocks: dict[str, Mapping[str, Any]] = {}
    for id, block in source.blocks.items():
        if (kept := _base_of_block(id, block, base.blocks.get(id), offered)) is not None:
            blocks[id] = kept
    gone = [id for id in base.blocks if id not in source.blocks and (BODY, id) in offered]
    blocks |= {id: base.blocks[id] for id in gone}
    orders = [id for id in base.blocks if id in blocks], [id for id in source.blocks if id in blocks]
    order = put_between(*(orders if (BODY,) in offered else reversed(orders)))
    row.blocks = [blocks[id] for id in order]


def _base_of_block(
    id: str, block: Mapping[str, Any], before: Mapping[str, Any] | None, offered: frozenset[Path]
) -> Mapping[str, Any] | None:
    """Return the new base of a block; None if the block is still to be added to the page."""
    if (BODY, id) in offered:
        return before
    names = {path[2] for path in offered if path[:2] == (BODY, id) and len(path) == 3}
    if not names or before is None:
        return block
    if not isinstance(block["value"], dict) or names & {"", "type"}:
        return before
    value = {**block["value"]}
    for name in names:
        value.pop(name, None)
        if name in before["value"]:
            value[name] = before["value"][name]
    return {**block, "value": value}


@cache
def _parents_of_rows(page_type: Any) -> dict[str, str]:
    """Return the child relations of a page type, and the field of their rows that names the page."""
    of_pages = {each.get_accessor_name() for each in get_all_child_relations(Page)}
    relations = (each for each in get_all_child_relations(page_type) if each.get_accessor_name() not in of_pages)
    return {each.get_accessor_name(): each.field.name for each in relations}


@cache
def _names(page_type: Any, stored: tuple[str, ...]) -> list[str]:
    of_pages = {each.name for each in Page._meta.get_fields()}
    of_pages |= {each.get_accessor_name() for each in get_all_child_relations(Page)} | {"pk", "page_ptr"}
    return [*_SHARED_OF_PAGE, *(name for name in stored if name not in of_pages and name not in LEFT_OUT)]


def _strip(row: Mapping[str, Any], parent: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _OF_ROW and name != parent}
