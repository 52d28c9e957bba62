"""Find the entries of the calendar by day, in the reader's time zone.

Entries are scheduled changes, change sets and events.
"""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from wagtail.permission_policies.pages import PagePermissionPolicy

from ...content.change_sets.holding import own_sites, sites_of
from ...content.may import sites_where
from ...content.pages.event import EventPage
from ...content.site_records import load_site_roots
from ...domain.change_sets import State
from ...domain.roles import Action
from ..scheduled import find_scheduled, say_what
from ..site_names import name_sites
from .seeing import sets_seen_by

_FAR = 92
"""The most days of an event to show."""


class Entry(NamedTuple):
    """An entry on one day."""

    day: date
    time: str
    """Local time of the reader; empty for a whole day."""
    what: str
    """Goes live, Expires, Event …"""
    title: str
    url: str
    """Empty if the reader may not change it."""
    sites: tuple[str, ...]
    kind: str
    """``live``, ``expires``, ``set`` or ``event``, for the style."""

    @property
    def where(self) -> str:
        return name_sites(self.sites) if self.sites else gettext("no site")


def find_entries(user: Any, first: date, last: date, site: str, zone: str) -> list[Entry]:
    """Return entries from ``first`` to ``last``, both included. ``site`` limits them to one site."""
    found = [*_scheduled(user, zone), *_sets(user, first, last, zone), *_events(user, first, last)]
    chosen = (row for row in found if first <= row.day <= last and (not site or site in row.sites))
    return sorted(chosen, key=lambda row: (row.day, row.time, row.title))


def by_day(entries: Iterable[Entry]) -> dict[date, list[Entry]]:
    days: dict[date, list[Entry]] = {}
    for entry in entries:
        days.setdefault(entry.day, []).append(entry)
    return days


def _scheduled(user: Any, zone: str) -> Iterator[Entry]:
    for row in find_scheduled(user, timezone.now()):
        kind = "live" if row.goes_live else "expires"
        yield Entry(*_split(row.at, zone), say_what(row), row.title, row.edit_url, row.sites, kind)


def _sets(user: Any, first: date, last: date, zone: str) -> Iterator[Entry]:
    begin = datetime.combine(first, datetime.min.time(), ZoneInfo(zone))
    end = datetime.combine(last, datetime.min.time(), ZoneInfo(zone)) + timedelta(days=1)
    ahead = Q(state=State.SCHEDULED.value, go_live_at__gte=begin, go_live_at__lt=end)
    past = Q(state__in=[State.LIVE.value, State.REVERTED.value], live_at__gte=begin, live_at__lt=end)
    for row in sets_seen_by(user).filter(ahead | past).prefetch_related("items__content_type"):
        at = row.go_live_at if row.at is State.SCHEDULED else row.live_at
        assert at
        what = {State.SCHEDULED: gettext("Change set goes live"), State.LIVE: gettext("Change set went live")}.get(
            row.at, gettext("Change set was live, then reverted")
        )
        sites = set().union(*(sites_of(thing) for item in row.items.all() if (thing := item.load()) is not None))
        yield Entry(
            *_split(at, zone), what, row.name, reverse("studio_change_set", args=[row.pk]), tuple(sorted(sites)), "set"
        )


def _events(user: Any, first: date, last: date) -> Iterator[Entry]:
    """Yield events on the reader's sites, on each of their days. An event of several sites is one."""
    own = sites_where(user, Action.SEE)
    shown: Any = EventPage.objects.filter(live=True, hidden_here=False, start__isnull=False, start__lte=last)
    shown = shown.annotate(until=Coalesce(F("end"), F("start"))).filter(until__gte=first)
    together: dict[str, list[Any]] = {}
    for page in shown.order_by("path"):
        if own_sites(page):
            together.setdefault(str(page.translation_key), []).append(page)
    ids = [page.pk for pages in together.values() for page in pages]
    may_change = PagePermissionPolicy().instances_user_has_permission_for(user, "change")
    changeable = set(may_change.filter(pk__in=ids).values_list("pk", flat=True))
    for pages in together.values():
        page = next((page for page in pages if page.alias_of_id is None), pages[0])
        sites = tuple(
            root.key for root in load_site_roots().values() if any(p.path.startswith(root.root_path) for p in pages)
        )
        if own.isdisjoint(sites):
            continue
        begin, end = max(page.start, first), min(page.until, last, page.start + timedelta(days=_FAR))
        url = reverse("wagtailadmin_pages:edit", args=[page.pk]) if page.pk in changeable else ""
        for number in range((end - begin).days + 1):
            yield Entry(begin + timedelta(days=number), "", gettext("Event"), page.title, url, sites, "event")


def _split(at: datetime, zone: str) -> tuple[date, str]:
    there = at.astimezone(ZoneInfo(zone))
    return there.date(), f"{there:%H:%M}"
