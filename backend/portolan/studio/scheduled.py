"""Find and describe scheduled changes: pages, entries, settings and redirects that go live or expire.

Only dates that an editor has set are included. Other dates, such as the end of an event, are left out.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models.fields.json import KeyTextTransform
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.text import capfirst
from django.utils.timesince import timesince
from django.utils.translation import gettext
from wagtail.models import Page, PageLogEntry, Revision
from wagtail.permission_policies.pages import PagePermissionPolicy
from wagtail.permissions import policy_registry

from ..content.collections import COLLECTIONS
from ..content.collections.base import TranslatedEntry
from ..content.drafts import Drafted
from ..content.export import inherited_site
from ..content.may import sites_where
from ..content.page_rows import load_hidden_ids
from ..content.redirects import Redirect
from ..content.scheduling import name_zone, say_moment_there
from ..content.site_records import SiteRoot, load_site_roots
from ..content.site_setting import SiteSetting
from ..domain.roles import Action
from ..releases.models import Moment
from .authors import name_of
from .site_names import name_sites

GRACE: Final = timedelta(minutes=1)
"""Due changes happen within seconds, or after a running publish. Later than this they are overdue."""
_SCHEDULED_BY: Final = "wagtail.publish.schedule"


class Draft(NamedTuple):
    """A scheduled draft of a page."""

    at: datetime
    expire_at: datetime | None
    by: str
    hidden: bool
    """True if it hides the page on its own site."""


class PageMoment(NamedTuple):
    at: datetime
    goes_live: bool
    """False if it expires."""
    of_draft: bool = False


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A scheduled change of a page or an entry."""

    at: datetime
    goes_live: bool
    """False if it expires."""
    title: str
    kind: str
    """Name of the type, such as Contact page or Phone."""
    is_page: bool
    sites: tuple[str, ...]
    """Sites on which visitors see it; empty for none."""
    zone: str
    """Time zone of its form."""
    edit_url: str
    """Empty if the editor may not change it."""
    by: str = ""
    replaces: bool = False
    """True if it replaces a live version."""

    def is_overdue(self, now: datetime) -> bool:
        return self.at < now - GRACE


def moments_of(live: bool, expire_at: datetime | None, draft: Draft | None, now: datetime) -> list[PageMoment]:
    """Return the scheduled changes of a page.

    ``expire_at`` is the date of the live version. When the draft goes live, the draft's date replaces it. Due drafts go
    live before anything expires.
    """
    moments = []
    if live and expire_at and (draft is None or (now < draft.at and expire_at < draft.at)):
        moments.append(PageMoment(expire_at, goes_live=False))
    if draft:
        moments.append(PageMoment(draft.at, goes_live=True, of_draft=True))
        if draft.expire_at:
            moments.append(PageMoment(draft.expire_at, goes_live=False, of_draft=True))
    return moments


def in_order(found: Iterable[Scheduled], now: datetime) -> list[Scheduled]:
    """Sort by time, overdue changes first."""
    return sorted(found, key=lambda row: (not row.is_overdue(now), row.at, row.title))


def find_scheduled(user: User | AnonymousUser, now: datetime) -> list[Scheduled]:
    """Return the scheduled changes that ``user`` may edit or see.

    Changes that they may only see have no ``edit_url``.
    """
    roots, own = load_site_roots(), sites_where(user, Action.SEE)
    found = (*_find_pages(user, now, roots), *_find_entries(user, roots), *_find_drafts_of_rows(user, roots))
    seen = (row for row in found if row.edit_url or not own.isdisjoint(row.sites))
    return in_order(seen, now)


def may_see(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether the user works on pages or entries."""
    if PagePermissionPolicy().user_has_any_permission(user, {"add", "change", "publish"}):
        return True
    return any(_policy(kind).user_has_any_permission(user, {"add", "change", "view"}) for kind in _kinds())


# Finding


def _find_pages(user: User | AnonymousUser, now: datetime, roots: Mapping[str, SiteRoot]) -> Iterator[Scheduled]:
    drafts = _find_drafts()
    pages = Page.objects.filter(pk__in=drafts) | Page.objects.filter(alias_of=None, live=True, expire_at__isnull=False)
    rows: list[Any] = list(pages.select_related("content_type"))
    if not rows:
        return
    copies: dict[int, list[Any]] = defaultdict(list)
    for copy in Page.objects.filter(alias_of__in=[page.pk for page in rows]).only("pk", "path", "alias_of"):
        copies[copy.alias_of_id].append(copy)
    hidden = load_hidden_ids()
    may_change = PagePermissionPolicy().instances_user_has_permission_for(user, "change")
    changeable = set(may_change.filter(pk__in=[page.pk for page in rows]).values_list("pk", flat=True))
    for page in rows:
        places = {copy.pk: site for copy in (page, *copies[page.pk]) if (site := _site_of(copy.path, roots))}
        if not places:  # the page is in the trash
            continue
        draft = drafts.get(page.pk)
        for moment in moments_of(page.live, page.expire_at, draft, now):
            unseen = hidden
            if draft and moment.of_draft:
                unseen = hidden | {page.pk} if draft.hidden else hidden - {page.pk}
            yield Scheduled(
                at=moment.at,
                goes_live=moment.goes_live,
                title=page.draft_title or page.title,
                kind=_kind_of(page.content_type.model_class() or Page),
                is_page=True,
                sites=tuple(site for pk, site in places.items() if pk not in unseen),
                zone=settings.SITES_REGISTRY.time_zone(next(iter(places.values()))),
                edit_url=reverse("wagtailadmin_pages:edit", args=[page.pk]) if page.pk in changeable else "",
                by=draft.by if draft and moment.of_draft else "",
                replaces=moment.goes_live and page.live,
            )


def _find_drafts() -> dict[int, Draft]:
    """Return the scheduled drafts by page ID.

    The page's log has the person who scheduled the draft; its revision has the author.
    """
    revisions = list(
        Revision.page_revisions.filter(approved_go_live_at__isnull=False)
        .defer("content")
        .annotate(expire_at=KeyTextTransform("expire_at", "content"), hidden=KeyTextTransform("hidden_here", "content"))
        .select_related("user")
    )
    entries = PageLogEntry.objects.filter(action=_SCHEDULED_BY, revision__in=[one.pk for one in revisions])
    by = {entry.revision_id: entry.user for entry in entries.order_by("timestamp").select_related("user")}
    drafts = {}
    for revision in revisions:
        user = by.get(revision.pk) or revision.user
        drafts[int(revision.object_id)] = Draft(
            revision.approved_go_live_at,
            parse_datetime(revision.expire_at) if revision.expire_at else None,
            name_of(user) if user else "",
            str(revision.hidden) in ("true", "1"),
        )
    return drafts


def _find_entries(user: User | AnonymousUser, roots: Mapping[str, SiteRoot]) -> Iterator[Scheduled]:
    """Yield scheduled entries from the moments of the publisher, which deletes each one when it is done."""
    moments: dict[str, list[Moment]] = defaultdict(list)
    for moment in Moment.objects.filter(kind__in=_kinds()):
        moments[moment.kind].append(moment)
    for kind, rows in moments.items():
        model: Any = COLLECTIONS[kind]
        related = ("translations__locale",) if issubclass(model, TranslatedEntry) else ()
        entries = model.objects.filter(key__in={row.key for row in rows}).prefetch_related(*related)
        by_key = {entry.key: entry for entry in entries}
        may_change = _policy(kind).user_has_permission(user, "change")
        edit = model.snippet_viewset.get_url_name("edit")
        for row in rows:
            entry = by_key.get(row.key)
            if entry is None or row.at not in (entry.go_live_at, entry.expire_at):
                continue
            yield Scheduled(
                at=row.at,
                goes_live=row.at == entry.go_live_at,
                title=str(entry),
                kind=_kind_of(model),
                is_page=False,
                sites=_sites_of_entry(entry, roots),
                zone=settings.SITES_REGISTRY.company.time_zone,
                edit_url=reverse(edit, args=[entry.pk]) if may_change else "",
            )


def _find_drafts_of_rows(user: User | AnonymousUser, roots: Mapping[str, SiteRoot]) -> Iterator[Scheduled]:
    """Yield scheduled drafts of entries, menus, footers, rate cards and redirects."""
    revisions = Revision.objects.not_page_revisions().filter(approved_go_live_at__isnull=False)
    for revision in revisions.select_related("user", "content_type"):
        model: Any = revision.content_type.model_class()
        if model is None or not issubclass(model, Drafted):
            continue
        row = model._default_manager.filter(pk=revision.object_id).first()
        if row is None:
            continue
        may_change = policy_registry.get(row).user_has_permission_for_instance(user, "change", row)
        url = reverse(model.snippet_viewset.get_url_name("edit"), args=[row.pk]) if may_change else ""
        yield Scheduled(
            at=revision.approved_go_live_at,
            goes_live=True,
            title=revision.object_str,
            kind=_kind_of(model),
            is_page=False,
            sites=_sites_of_row(revision.as_object(), roots),
            zone=settings.SITES_REGISTRY.company.time_zone,
            edit_url=url,
            by=name_of(revision.user) if revision.user else "",
            replaces=row.live,
        )


def _sites_of_row(row: Any, roots: Mapping[str, SiteRoot]) -> tuple[str, ...]:
    if isinstance(row, SiteSetting):
        own = {key for key, root in roots.items() if root.wagtail_site_id == row.site_id}
        return tuple(key for key in roots if key in own or inherited_site(key) in own)
    return tuple(row.sites()) if isinstance(row, Redirect) else _sites_of_entry(row, roots)


def _kinds() -> Collection[str]:
    return list(COLLECTIONS)


def _policy(kind: str) -> Any:
    model: Any = COLLECTIONS[kind]
    return model.snippet_viewset.permission_policy


def _kind_of(model: Any) -> str:
    return str(capfirst(model._meta.verbose_name))


def _site_of(path: str, roots: Mapping[str, SiteRoot]) -> str:
    return next((root.key for root in roots.values() if path.startswith(root.root_path)), "")


def _sites_of_entry(entry: Any, roots: Mapping[str, SiteRoot]) -> tuple[str, ...]:
    if not isinstance(entry, TranslatedEntry):
        return tuple(roots)
    written = {row.locale_id for row in entry.translations.all()}
    own = {key for key, root in roots.items() if root.locale_id in written}
    return tuple(key for key in roots if key in own or inherited_site(key) in own)


# Wording


def say_when(row: Scheduled, own_zone: str = "") -> tuple[str, str, str]:
    """Return the time, its time zone, and the time in ``own_zone`` (empty if it is the same)."""
    there = say_moment_there(row.at, row.zone)
    own = say_moment_there(row.at, own_zone) if own_zone else there
    day, _, hour = own.partition(", ")
    if own == there:
        return there, name_zone(row.zone), ""
    shorter = hour if there.startswith(f"{day},") else own
    return (
        there,
        name_zone(row.zone),
        gettext("{shorter} in {zone}, your time").format(shorter=shorter, zone=name_zone(own_zone)),
    )


def say_what(row: Scheduled) -> str:
    if not row.goes_live:
        return gettext("Expires")
    return gettext("Changes go live") if row.replaces else gettext("Goes live")


def say_where(row: Scheduled) -> str:
    if row.sites:
        return name_sites(row.sites)
    return gettext("no site: it is hidden") if row.is_page else gettext("no site: translation missing")


def say_mark(row: Scheduled, now: datetime) -> str:
    """Return a note if it is overdue; else an empty text."""
    return (
        gettext("Overdue by {timesince}").format(timesince=timesince(row.at, now, depth=1))
        if row.is_overdue(now)
        else ""
    )


def say_what_to_do(row: Scheduled, is_publishing: bool) -> str:
    """Explain an overdue change. ``is_publishing``: the publisher runs."""
    if not is_publishing:
        return gettext(
            "The publisher is not running. Overdue changes go live when it runs again. Ask an administrator."
        )
    if not row.is_page:
        return gettext("Publishing is slow or failing. See the dashboard for the reason.")
    if row.goes_live:
        return gettext(
            "It could not go live and is retried. Press “Cancel scheduled publish” in its form, then publish it: "
            "the form shows the problem."
        )
    return gettext("It could not expire and is retried. Unpublish it by hand: the studio shows the problem.")
