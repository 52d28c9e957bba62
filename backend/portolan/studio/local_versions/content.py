"""Read and write the content that a local version shares with its source."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.text import capfirst
from django.utils.translation import gettext
from modelcluster.models import get_all_child_relations
from wagtail.models import Page

from ...content.collections.base import TranslatedEntry
from ...content.drafts import ROW_STATE
from ...content.local_versions import LEFT_OUT, LocalVersion
from ...content.page_rows import load_translation_keys
from ...content.site_setting import SiteSetting
from ...content.snapshot import collect_page_ids
from ...domain.merging import BODY, Merge, Path, Version, put_between
from ..merging.base import stream_of
from ..merging.lists import Lists, lists_of
from ..merging.translations import locale_of, read_translations, write_translations
from ..merging.versions import Content, put_together, read_content

_SHARED_OF_PAGE: Final = ("title", "seo_title", "search_description")
_OF_ROW: Final = ("pk", "locale", "translation_key")
_OF_SETTING: Final = ROW_STATE | LEFT_OUT | {"pk", "id", "site"}


Thing: TypeAlias = Page | SiteSetting | TranslatedEntry
"""Can be a local version. An entry is its own source: translations follow other translations of it."""


def read_source(source: Thing) -> Content:
    """Return the content that a source shares with its local versions."""
    if isinstance(source, TranslatedEntry):
        return Content({}, read_translations(_store(source), is_source=True))
    return read(source)


def read(thing: Thing) -> Content:
    """Return the shared content of an object in memory. Rows of child objects come without their IDs."""
    stored = _store(thing)
    if isinstance(thing, TranslatedEntry):
        return Content({}, read_translations(stored, is_source=False))
    if isinstance(thing, SiteSetting):
        lists = lists_of(type(thing))
        names = stored.keys() - _OF_SETTING - lists.streams.keys() - lists.rows.keys()
        return Content({name: stored[name] for name in sorted(names)}, lists.key_by_name(lists.read(stored)))
    parents = _parents_of_rows(thing.specific_class)
    for name, parent in parents.items():
        stored[name] = [_strip(row, parent) for row in stored.get(name, ())]
    return read_content(stored, _names(thing.specific_class, tuple(stored)))


def read_base(row: LocalVersion) -> Content:
    model: Any = row.content_type.model_class()
    if issubclass(model, SiteSetting):
        return Content(row.fields, lists_of(model).key_by_name(row.blocks))
    return Content(row.fields, {block.get("id") or f"#{place}": block for place, block in enumerate(row.blocks)})


def find_places(content: Content, thing: Thing) -> dict[str, str]:
    """Return the place of each block in the form, as ``inheritance.js`` finds it."""
    if isinstance(thing, TranslatedEntry):
        return {site: f"@{locale_of(site)}" for site in content.blocks}
    if not isinstance(thing, SiteSetting):
        return {}
    return lists_of(type(thing)).find_places(content.blocks)


def version_of(content: Content, thing: Thing) -> Version:
    """Return the digests of a content. In a menu, links to the same page of different sites are equal."""
    if isinstance(thing, SiteSetting) and (ids := collect_page_ids(list(content.blocks.values()))):
        keys = load_translation_keys(ids)
        content = Content(content.fields, {id: _name_pages(block, keys) for id, block in content.blocks.items()})
    return content.version(stream_of(thing))


def write(thing: Any, found: Merge, source: Content, own: Content) -> Any:
    """Return ``thing`` with the merged content, unsaved. Raise ValidationError if a list becomes too long."""
    stored = _store(thing)
    for name, side in found.fields.items():
        if side == "theirs":
            stored[name] = source.fields[name]
        elif isinstance(own.fields[name], str):  # rows keep their IDs
            stored[name] = own.fields[name]
    blocks = put_together(found, source, own)
    if isinstance(thing, SiteSetting):
        lists = lists_of(type(thing))
        _check_lengths(lists, blocks)
        stored |= lists.write(blocks, stored)
    elif isinstance(thing, TranslatedEntry):
        stored["translations"] = write_translations(blocks, stored)
    elif BODY in stored:
        stored[BODY] = json.dumps(blocks)
    return thing.with_content_json(stored)


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
    """Return the new base of a block; None if the block is still to be added."""
    if (BODY, id) in offered:
        return before
    names = {path[2] for path in offered if path[:2] == (BODY, id) and len(path) == 3}
    if not names:
        return block
    if not isinstance(block["value"], dict) or names & {"", "type"}:
        return before
    before = before or {"value": {}}  # both sides have added it
    value = {**block["value"]}
    for name in names:
        value.pop(name, None)
        if name in before["value"]:
            value[name] = before["value"][name]
    return {**block, "value": value}


def _name_pages(value: Any, keys: Mapping[int, str]) -> Any:
    """Replace the IDs of linked pages by their translation keys, as a release does."""
    if isinstance(value, list):
        return [_name_pages(each, keys) for each in value]
    if not isinstance(value, dict):
        return value
    named = {name: _name_pages(said, keys) for name, said in value.items()}
    return named | {"page": keys.get(page, page)} if isinstance(page := value.get("page"), int) else named


def _store(thing: Any) -> dict[str, Any]:
    """Return the content of a revision of the object as it is in memory."""
    stored: dict[str, Any] = json.loads(json.dumps(thing.serializable_data(), cls=DjangoJSONEncoder))
    return stored


def _check_lengths(lists: Lists, blocks: Iterable[Mapping[str, Any]]) -> None:
    types = [block["type"].partition(".")[0] for block in blocks]
    for name, field in lists.streams.items():
        if (most := lists.longest(name)) and types.count(name) > most:
            said = gettext("“{list}” would have more than {most} elements.")
            raise ValidationError(said.format(list=capfirst(field.verbose_name), most=most))


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
