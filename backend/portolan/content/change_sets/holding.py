"""Find the change set of an object, and its live state outside the set."""

from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.contrib.contenttypes.models import ContentType
from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.translation import gettext
from wagtail.models import Page

from ..changes import keys_of
from ..items import ALL_SITES, ItemKey
from ..once import once
from ..site_records import SiteRecord, load_site_roots
from .models import ChangeSet, ChangeSetItem

Subject = tuple[int, str]
"""Content type and ID, as in revisions."""


class HeldElsewhere(Exception):
    """Another change set contains the object."""

    def __init__(self, change_set: ChangeSet) -> None:
        self.change_set = change_set
        super().__init__(
            gettext("It is already in the change set “{change_set}”. Remove it there first.").format(
                change_set=change_set
            )
        )


def subject_of(thing: Any) -> Subject:
    """Return the object's content type and ID. Pages of all types have the same content type."""
    model = Page if isinstance(thing, Page) else type(thing)
    return ContentType.objects.get_for_model(model).pk, str(thing.pk)


def find_item(thing: Any) -> ChangeSetItem | None:
    """Return the object's item in an open change set, or None."""
    if thing.pk is None:
        return None
    type_id, id = subject_of(thing)
    items = ChangeSetItem.objects.filter(content_type=type_id, object_id=id, is_open=True)
    return items.select_related("change_set").first()


def add(
    change_set: ChangeSet, thing: Any, by: Any = None, what: str = ChangeSetItem.PUBLISH, title: str = ""
) -> ChangeSetItem:
    """Add an object. If the set contains it, only change its ``what``. Raise HeldElsewhere."""
    type_id, id = subject_of(thing)
    row = {"what": what, "title": (title or str(getattr(thing, "draft_title", "") or thing))[:255], "added_by": by}
    row["base"] = thing.live_revision_id if thing.live else None
    try:
        with transaction.atomic():
            known = ChangeSetItem.objects.filter(change_set=change_set, content_type=type_id, object_id=id).first()
            if known:
                ChangeSetItem.objects.filter(pk=known.pk).update(what=what)
                return known
            return ChangeSetItem.objects.create(change_set=change_set, content_type_id=type_id, object_id=id, **row)
    except IntegrityError:
        other = find_item(thing)
        if other is None:
            raise
        raise HeldElsewhere(other.change_set) from None


def add_move(change_set: ChangeSet, page: Page, parent: Page, by: Any = None) -> ChangeSetItem:
    """Move the page below another one with the set, together with its draft in the set. Raise HeldElsewhere."""
    held = find_item(page)
    if held is None or held.change_set_id != change_set.pk:
        held = add(change_set, page, by, ChangeSetItem.MOVE)
    ChangeSetItem.objects.filter(pk=held.pk).update(below=parent.pk)
    held.below = parent.pk
    return held


class Standing(NamedTuple):
    """The current revisions of an object."""

    live: int | None
    """The live revision; None if it is not live."""
    draft: int | None
    """The newest revision."""


def standings(items: Iterable[ChangeSetItem]) -> dict[int, Standing]:
    """Return the revisions by item, with one query per kind of object. Permanently deleted objects are left out."""
    found: dict[int, Standing] = {}
    by_type: dict[int, list[ChangeSetItem]] = {}
    for item in items:
        by_type.setdefault(item.content_type_id, []).append(item)
    for type_id, rows in by_type.items():
        model: Any = ContentType.objects.get_for_id(type_id).model_class()
        if model is None:
            continue
        things: Any = model._default_manager.filter(pk__in=[row.object_id for row in rows])
        known = {
            str(pk): Standing(live if is_live else None, draft)
            for pk, is_live, live, draft in things.values_list("pk", "live", "live_revision_id", "latest_revision_id")
        }
        found |= {row.pk: known[row.object_id] for row in rows if row.object_id in known}
    return found


def find_overtaken(items: Iterable[ChangeSetItem]) -> list[ChangeSetItem]:
    """Return the items whose object was published elsewhere after it was added, or is deleted."""
    rows = list(items)
    now = standings(rows)
    return [row for row in rows if is_overtaken(row, now.get(row.pk))]


def is_overtaken(item: ChangeSetItem, now: Standing | None) -> bool:
    """Return whether the item is outdated. A move alone affects no texts, so it stays valid."""
    if now is None or item.is_gone():
        return True
    return item.what != ChangeSetItem.MOVE and now.live != item.base


def load_things(items: Iterable[ChangeSetItem]) -> None:
    """Call ``load`` for all items, with one or two queries per kind of object."""
    by_type: dict[int, list[ChangeSetItem]] = {}
    for item in items:
        if not item.is_loaded:
            by_type.setdefault(item.content_type_id, []).append(item)
    for type_id, rows in by_type.items():
        model: Any = ContentType.objects.get_for_id(type_id).model_class()
        things: Any = model._default_manager.filter(pk__in=[row.object_id for row in rows]) if model else ()
        found = {str(thing.pk): thing for thing in (things.specific() if model is Page else things)}
        for row in rows:
            row.keep(found.get(row.object_id))


def sites_of(thing: Model, keys: Collection[ItemKey] | None = None) -> set[str]:
    """Return the keys of sites where visitors may see it, including sites that inherit it. ``keys``: its items, if
    known."""
    sites = {key.site for key in (keys_of(thing) if keys is None else keys)}
    if ALL_SITES in sites:
        return set(load_site_roots())
    return sites or own_sites(thing)


def own_sites(thing: Any) -> set[str]:
    """Return the sites that an object belongs to: those of a page, menu or redirect; none for entries, which belong to
    the company."""
    roots = load_site_roots().values()
    if isinstance(thing, Page):
        return {root.key for root in roots if thing.path.startswith(root.root_path)}
    site = getattr(thing, "site_id", None)
    if isinstance(site, str):
        return {site}
    return {root.key for root in roots if site is not None and root.wagtail_site_id == site}


def reviewed_sites() -> set[str]:
    """Return the keys of sites that require a review."""
    return once(
        "reviewed sites", lambda: set(SiteRecord.objects.filter(is_reviewed=True).values_list("key", flat=True))
    )
