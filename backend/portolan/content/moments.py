"""Find the times at which items change without an edit: an entry's start and end, and the end of an event's last day.

These times follow from stored dates. ``releases`` stores the future ones.
"""

from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Model
from django.utils import timezone

from .collections import COLLECTIONS
from .collections.base import Entry
from .drafts import Drafted
from .items import REDIRECT
from .pages.event import EventPage
from .redirects import Redirect
from .site_records import load_site_roots

EVENT: Final = EventPage.card_kind()


EXPIRING: Final[tuple[type[Drafted], ...]] = (*COLLECTIONS.values(), Redirect)
"""Models other than pages whose rows may expire."""


class Timed(NamedTuple):
    """An item that has the same key on every site and changes at certain times."""

    kind: str
    key: str


def timed_item(instance: Model) -> Timed | None:
    """Return the item that may change at certain times: an entry, a redirect, or an event's card."""
    if isinstance(instance, Entry):
        return Timed(instance.kind, instance.key)
    if isinstance(instance, Redirect):
        return Timed(REDIRECT, instance.source)
    return Timed(EVENT, str(instance.translation_key)) if isinstance(instance, EventPage) else None


def coming_moments(item: Timed) -> list[datetime]:
    """Return the future times in order."""
    now = timezone.now()
    moments = _ends_of_event(item.key) if item.kind == EVENT else _dates_of_rows(item)
    return sorted(at for at in moments if at > now)


def _dates_of_rows(item: Timed) -> set[datetime]:
    """Return the dates of live rows. The date on which a draft goes live is in its revision."""
    of_redirect = item.kind == REDIRECT
    model: type[Drafted] = Redirect if of_redirect else COLLECTIONS[item.kind]
    rows = model._default_manager.filter(live=True, **{"source" if of_redirect else "key": item.key})
    dates = rows.values_list("go_live_at", "expire_at")
    return {at for row in dates for at in row if at}


def _ends_of_event(key: str) -> set[datetime]:
    """Return the ends of the event on all sites, which differ with the time zone."""
    roots = load_site_roots().values()
    ends = {
        page.ends_at(settings.SITES_REGISTRY.time_zone(root.key))
        for page in EventPage.objects.filter(translation_key=key).only("path", "start", "end")
        for root in roots
        if page.path.startswith(root.root_path)
    }
    return ends - {None}
