"""Find the items whose links change because a page appears or disappears.

They enter the same release. So a release never contains a broken link, and a link returns together with its page.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from wagtail.models import Page, ReferenceIndex

from ..content.changes import keys_of
from ..content.items import FOOTER, MENU, PAGE, ItemKey
from ..content.page_rows import PAGE_KINDS, chunks
from .connection import connected_reader
from .models import Release

_LINKING: Final = frozenset({*PAGE_KINDS, MENU, FOOTER})


def find_linking_items(bodies: Mapping[ItemKey, Any]) -> set[ItemKey]:
    """Return the items that link to appearing or disappearing pages in ``bodies``, without the items of ``bodies``.

    A body of None means a removed item.
    """
    newest = Release.objects.order_by("-number").values_list("number", flat=True).first()
    pages = {key: body for key, body in bodies.items() if key.kind == PAGE}
    if newest is None or not pages:
        return set()
    reader = connected_reader()
    there = {(page.site, page.key) for page in reader.translations(newest, {key.key for key in pages})}
    going = {key.key for key, body in pages.items() if body is None and (key.site, key.key) in there}
    coming = {key.key for key, body in pages.items() if body is not None and (key.site, key.key) not in there}
    found = {ItemKey(*id) for id, _ in reader.holders_of_any(newest, PAGE, going)} if going else set()
    if coming:
        found |= _find_in_content(coming)
    return {key for key in found if key.kind in _LINKING} - bodies.keys()


def _find_in_content(translation_keys: Collection[str]) -> set[ItemKey]:
    """Return the items in all content that link to these pages. Releases do not contain removed links."""
    found: set[ItemKey] = set()
    content_type = ContentType.objects.get_for_model(Page)
    for some in chunks(sorted(translation_keys)):
        ids = Page.objects.filter(translation_key__in=some).values_list("pk", flat=True)
        for few in chunks([str(id) for id in ids]):
            rows = ReferenceIndex.objects.filter(to_content_type=content_type, to_object_id__in=few)
            found |= _keys_of(rows.values_list("base_content_type", "object_id").distinct())
    return found


def _keys_of(rows: Iterable[tuple[int, str]]) -> set[ItemKey]:
    by_type: dict[int, list[str]] = {}
    for content_type, id in rows:
        by_type.setdefault(content_type, []).append(id)
    found: set[ItemKey] = set()
    for content_type, ids in by_type.items():
        model: type[Model] | None = ContentType.objects.get_for_id(content_type).model_class()
        for thing in model._default_manager.filter(pk__in=ids) if model else ():
            found |= keys_of(thing)
    return found
