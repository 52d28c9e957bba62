"""Find words in all content that a user may edit: in its draft, or in the live version if there is no draft."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any, Final, NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from wagtail.admin.models import EditingSession
from wagtail.models import Page, Revision
from wagtail.permissions import policy_registry

from ...content.change_sets.holding import Subject, subject_of
from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.collections import COLLECTIONS
from ...content.collections.offices import OfficeCategory
from ...content.entry_rights import locales_of, may_change_all, sites_showing
from ...content.export import SETTINGS
from ...content.pages import PAGE_TYPES
from ...content.site_records import SiteRoot, load_site_roots, site_roots_kept
from ...content.texts import Text, has_unknown_blocks, list_texts
from ...domain.replacing import Place, Replacing, find_places, replace_at
from ...domain.roles import ALL_SITES
from ..authors import name_of
from ..moments import say_moment
from ..site_names import name_sites, site_name
from .stored import load_in_parts, rows_with

MOST: Final = 500
"""Number of places to show and replace at once."""
_AROUND: Final = 60
_UNSAVED_FOR: Final = timedelta(minutes=1)


class Asked(NamedTuple):
    replacing: Replacing
    sites: Mapping[str, SiteRoot]
    """The selected sites. Shared content of the company needs all sites."""
    change_set: ChangeSet | None
    """Change set for the drafts; None: a new one."""
    user: Any


class Hit(NamedTuple):
    id: str
    """Id of content, text and place. It changes if the text changes."""
    text: Text
    number: int
    """Index among the places of its text."""
    place: Place
    """The place with shortened context."""
    problem: str
    """Why the changed text would be invalid, as a sentence."""


class Thing(NamedTuple):
    """A page, entry or menu with the places found in it."""

    subject: Subject
    draft: Any
    """The draft or live version, in memory."""
    title: str
    kind: str
    where: str
    edit_url: str
    note: str
    """Author of an existing draft, as a sentence; empty if there is no draft."""
    obstacle: str
    """Why it cannot be changed, as a sentence."""
    hits: list[Hit]


class Found(NamedTuple):
    things: list[Thing]
    """Content that can be changed."""
    others: list[Thing]
    """Content with an obstacle."""
    is_all: bool
    """False if there are more places than shown."""

    @property
    def places(self) -> int:
        return sum(len(thing.hits) for thing in self.things)


def find(asked: Asked) -> Found:
    """Return the places: first of entries, then by site of menus and footers, then of pages."""
    things: list[Thing] = []
    others: list[Thing] = []
    places = 0
    typing = _find_unsaved(asked.user)
    for thing in _look(asked, typing):
        (others if thing.obstacle else things).append(thing)
        places += len(thing.hits)
        if places >= MOST:
            return Found(things, others, is_all=False)
    return Found(things, others, is_all=True)


def _look(asked: Asked, typing: Mapping[Subject, str]) -> Iterator[Thing]:
    with site_roots_kept():
        held = _find_held()
        for row, where in _candidates(asked):
            if row is not None and (found := _examine(row, where, asked, held, typing)):
                yield found


def _candidates(asked: Asked) -> Iterator[tuple[Any, str]]:
    """Yield rows that may contain the words, with the name of their site.

    Each kind is queried once and loaded in parts, for any number of sites.
    """
    entries: tuple[Any, ...] = (*COLLECTIONS.values(), OfficeCategory)
    for model in entries:
        if policy_registry.get_by_type(model).user_has_permission(asked.user, "change"):
            ids = rows_with(model._default_manager.all(), asked.replacing).values_list("pk", flat=True)
            yield from ((row, "") for row in load_in_parts(_with_drafts(model), list(ids)))
    by_kind = {**_find_settings(asked), **_find_pages(asked)}
    rows = {
        kind: load_in_parts(_with_drafts(kind), [id for key in asked.sites for id in by_site.get(key, ())])
        for kind, by_site in by_kind.items()
    }
    for key in asked.sites:
        for kind, by_site in by_kind.items():
            yield from ((next(rows[kind]), site_name(key)) for _ in by_site.get(key, ()))


def _find_settings(asked: Asked) -> dict[Any, dict[str, list[Any]]]:
    """Return the keys of menus and footers by kind and site."""
    sites = {root.wagtail_site_id: root.key for root in asked.sites.values()}
    found: dict[Any, dict[str, list[Any]]] = {}
    for setting, _check in SETTINGS.values():
        rows = rows_with(setting._default_manager.filter(site_id__in=sites), asked.replacing)
        for pk, site_id in rows.values_list("pk", "site_id"):
            found.setdefault(setting, {}).setdefault(sites[site_id], []).append(pk)
    return found


def _find_pages(asked: Asked) -> dict[Any, dict[str, list[Any]]]:
    """Return the keys of pages by page type and site."""
    sites = {root.root_path: root.key for root in asked.sites.values()}
    found: dict[Any, dict[str, list[Any]]] = {}
    below = reduce(or_, (Q(path__startswith=root) for root in sites), Q(pk__in=[]))
    for page_type in PAGE_TYPES:
        rows = rows_with(page_type._default_manager.filter(below, alias_of=None), asked.replacing)
        for pk, path in rows.order_by("path").values_list("pk", "path"):
            if key := next((key for root, key in sites.items() if path.startswith(root)), None):
                found.setdefault(page_type, {}).setdefault(key, []).append(pk)
    return found


def _with_drafts(model: Any) -> Any:
    rows = model._default_manager.select_related("latest_revision__user")
    return rows.annotate_approved_schedule() if issubclass(model, Page) else rows


def _examine(
    row: Any, where: str, asked: Asked, held: Mapping[Subject, ChangeSetItem], typing: Mapping[Subject, str]
) -> Thing | None:
    """Return the places in ``row`` that the user may change, if any."""
    if not policy_registry.get(row).user_has_permission_for_instance(asked.user, "change", row):
        return None
    revision: Revision | None = row.latest_revision
    has_draft = bool(revision) and (row.has_unpublished_changes or not row.live)
    draft = row.with_content_json(revision.content) if revision and has_draft else row
    subject = subject_of(row)
    texts = [text for text in list_texts(draft) if _may_replace(text, row, asked)]
    hits = [hit for text in texts for hit in _find_hits(text, subject, asked.replacing)]
    if not hits:
        return None
    return Thing(
        subject,
        draft,
        title=str(getattr(draft, "draft_title", "") or draft),
        kind=str(capfirst(row._meta.verbose_name)),
        where=where or _say_sites(row),
        edit_url=_edit_url(row),
        note=_say_draft(revision) if revision and has_draft else "",
        obstacle=_find_obstacle(row, draft, asked, held.get(subject), typing.get(subject)),
        hits=hits,
    )


def _find_hits(text: Text, subject: Subject, asked: Replacing) -> Iterator[Hit]:
    places = find_places(text.value, asked, text.is_html)
    if not places:
        return
    said = repr((text.way, text.value)).encode()
    mark = f"{subject[0]}.{subject[1]}.{sha256(said).hexdigest()[:16]}"
    were = set(text.problems(text.value))

    def find_problem(changed: Sequence[Place]) -> str:
        after = replace_at(changed, text.value, asked, text.is_html)
        return next((problem for problem in text.problems(after) if problem not in were), "")

    is_fine = not find_problem(places)  # then each single place is fine too, and a long text is checked once
    for number, place in enumerate(places[:MOST]):
        yield Hit(f"{mark}.{number}", text, number, _shorten(place), "" if is_fine else find_problem([place]))


def _may_replace(text: Text, row: Any, asked: Asked) -> bool:
    """Return True if the user may change this text on the selected sites.

    An entry's translation needs a site with this language. Its shared text needs all sites that show it.
    """
    if isinstance(row, Page) or hasattr(row, "site_id"):
        return True
    if text.locale_id is None:
        shown = set(load_site_roots()) if ALL_SITES in (keys := sites_showing(row)) else keys
        return shown <= set(asked.sites) and may_change_all(asked.user, row)
    own = locales_of(asked.user, type(row))
    return (own is None or text.locale_id in own) and any(
        text.locale_id == root.locale_id for root in asked.sites.values()
    )


def _find_obstacle(row: Any, draft: Any, asked: Asked, held: ChangeSetItem | None, typing: str | None) -> str:
    if held and (asked.change_set is None or held.change_set_id != asked.change_set.pk):
        if held.change_set.owner:
            text = _(
                "It is in the change set “%(name)s” of %(owner)s. Select that change set above, or remove it there."
            )
        else:
            text = _("It is in the change set “%(name)s”. Select that change set above, or remove it there.")
        owner = name_of(held.change_set.owner) if held.change_set.owner else ""
        return text % {"name": held.change_set, "owner": owner}
    if held and held.what == ChangeSetItem.UNPUBLISH:
        return _("This change set unpublishes it.")
    if typing:
        return _("%(name)s is editing it and has unsaved changes.") % {"name": typing}
    lock = row.get_lock()
    if lock and lock.for_user(asked.user):
        return _("It is locked, or its draft is scheduled. First unlock it or cancel the schedule.")
    if has_unknown_blocks(draft):
        return _("It has blocks of a plugin that is not in the site configuration. A change would delete these blocks.")
    return ""


def _find_held() -> dict[Subject, ChangeSetItem]:
    """Return the items of open change sets by content."""
    found = ChangeSetItem.objects.filter(is_open=True).select_related("change_set__owner")
    return {(item.content_type_id, item.object_id): item for item in found}


def _find_unsaved(user: Any) -> dict[Subject, str]:
    """Return for each content the other user who has unsaved changes."""
    sessions = EditingSession.objects.filter(is_editing=True, last_seen_at__gte=timezone.now() - _UNSAVED_FOR)
    found: dict[Subject, str] = {}
    for session in sessions.exclude(user=user).select_related("user", "content_type"):
        model = session.content_type.model_class()
        if model is not None and (thing := model._default_manager.filter(pk=session.object_id).first()):
            found[subject_of(thing)] = name_of(session.user)
    return found


def _say_draft(revision: Revision) -> str:
    if revision.user:
        text = _(
            "It already has a draft by %(name)s of %(date)s. Your change is added to it, and both go live together."
        )
    else:
        text = _("It already has a draft of %(date)s. Your change is added to it, and both go live together.")
    name = name_of(revision.user) if revision.user else ""
    return text % {"name": name, "date": say_moment(revision.created_at)}


def _say_sites(row: Any) -> str:
    return name_sites(sites_showing(row)) if hasattr(row, "key") else ""


def _edit_url(row: Any) -> str:
    if isinstance(row, Page):
        return reverse("wagtailadmin_pages:edit", args=[row.pk])
    return reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk])


def _shorten(place: Place) -> Place:
    before, after = place.before, place.after
    if len(before) > _AROUND:
        before = f"… {before[-_AROUND:].partition(' ')[2]}"
    if len(after) > _AROUND:
        after = f"{after[:_AROUND].rpartition(' ')[0]} …"
    return place._replace(before=before, after=after)
