"""Which change set has a thing, and what is live of it beside the set."""

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
"""Content type and id, as revisions have them."""


class HeldElsewhere(Exception):
    """Another change set has it."""

    def __init__(self, change_set: ChangeSet) -> None:
        self.change_set = change_set
        super().__init__(
            gettext("It is in the change set “{change_set}” already. Take it out there first.").format(
                change_set=change_set
            )
        )


def subject_of(thing: Any) -> Subject:
    """Of pages, the content type of all pages: the same page, whatever its family."""
    model = Page if isinstance(thing, Page) else type(thing)
    return ContentType.objects.get_for_model(model).pk, str(thing.pk)


def find_item(thing: Any) -> ChangeSetItem | None:
    """In the open set that has it."""
    if thing.pk is None:
        return None
    type_id, id = subject_of(thing)
    items = ChangeSetItem.objects.filter(content_type=type_id, object_id=id, is_open=True)
    return items.select_related("change_set").first()


def add(
    change_set: ChangeSet, thing: Any, by: Any = None, what: str = ChangeSetItem.PUBLISH, title: str = ""
) -> ChangeSetItem:
    """Add something; in the set already, it only gets another ``what``. Raises HeldElsewhere."""
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
    """The page moves below another one with the set; a draft of it that the set has goes live too. Raises HeldElsewhere."""
    held = find_item(page)
    if held is None or held.change_set_id != change_set.pk:
        held = add(change_set, page, by, ChangeSetItem.MOVE)
    ChangeSetItem.objects.filter(pk=held.pk).update(below=parent.pk)
    held.below = parent.pk
    return held


class Standing(NamedTuple):
    """What there is of a thing now."""

    live: int | None
    """The revision that is live; none where none is."""
    draft: int | None
    """The newest revision."""


def standings(items: Iterable[ChangeSetItem]) -> dict[int, Standing]:
    """By item, with a query for each kind of things; items whose object is gone for good are left out."""
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
    """Those of which something else went live since they were added, and those that are gone."""
    rows = list(items)
    now = standings(rows)
    return [row for row in rows if is_overtaken(row, now.get(row.pk))]


def is_overtaken(item: ChangeSetItem, now: Standing | None) -> bool:
    """What only moves takes no text of others along."""
    if now is None or item.is_gone():
        return True
    return item.what != ChangeSetItem.MOVE and now.live != item.base


def load_things(items: Iterable[ChangeSetItem]) -> None:
    """What ``load`` gives, with a query or two for each kind of things."""
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
    """On which visitors may see it: also those that inherit it. ``keys``: its items, where they are known already."""
    sites = {key.site for key in (keys_of(thing) if keys is None else keys)}
    if ALL_SITES in sites:
        return set(load_site_roots())
    return sites or own_sites(thing)


def own_sites(thing: Any) -> set[str]:
    """Those that it is a part of, and whose rules it goes by: a page's site, a menu's, a redirect's; none for what belongs to
    the company, such as an entry."""
    roots = load_site_roots().values()
    if isinstance(thing, Page):
        return {root.key for root in roots if thing.path.startswith(root.root_path)}
    site = getattr(thing, "site_id", None)
    if isinstance(site, str):
        return {site}
    return {root.key for root in roots if site is not None and root.wagtail_site_id == site}


def reviewed_sites() -> set[str]:
    """On which a reviewer publishes."""
    return once(
        "reviewed sites", lambda: set(SiteRecord.objects.filter(is_reviewed=True).values_list("key", flat=True))
    )
