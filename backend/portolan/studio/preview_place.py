"""Find a page on which to preview an entry, menu, footer or rate card."""

from collections.abc import Collection, Iterable, Iterator

from django.conf import settings

from ..content.collections.base import Entry
from ..content.items import PAGE, RATE_CARD, ItemKey
from ..content.site_setting import SiteSetting
from ..publisher.snapshot import Snapshot
from .uses import FRAME, Use, find_entry_uses


def find_place(row: Entry | SiteSetting, items: Collection[ItemKey], snapshot: Snapshot) -> ItemKey | None:
    """Return a page of ``snapshot`` that shows the row, or ``None``."""
    return next(iter(find_places(row, items, snapshot)), None)


def find_places(row: Entry | SiteSetting, items: Collection[ItemKey], snapshot: Snapshot) -> list[ItemKey]:
    """Return a page of each site that shows the row. For entries, the default site is first."""
    if isinstance(row, SiteSetting):
        found = [_page_at(snapshot, item.site, "estimate" if item.kind == RATE_CARD else "") for item in items]
        return list(filter(None, found))
    uses = find_entry_uses(snapshot, settings.SITES_REGISTRY, row.kind, row.key)
    default = settings.SITES_REGISTRY.company.default_site
    by_site: dict[str, ItemKey] = {}
    for place in sorted(_places(uses, snapshot), key=lambda place: place.site != default):
        by_site.setdefault(place.site, place)
    return list(by_site.values())


def _places(uses: Iterable[Use], snapshot: Snapshot) -> Iterator[ItemKey]:
    """Yield pages first. Header and footer are on the home page too, but less visible there."""
    for use in uses:
        if use.item.kind == PAGE:
            yield ItemKey(use.item.site, PAGE, use.item.key)
    for use in uses:
        if use.item.kind == FRAME and (home := _page_at(snapshot, use.item.site, "")):
            yield home


def _page_at(snapshot: Snapshot, site: str, page_type: str) -> ItemKey | None:
    """Return the site's page of this type, else its home page."""
    pages = snapshot.pages((site,))
    wanted = [page for page in pages if page.template == page_type] or [page for page in pages if page.path == "/"]
    return next((ItemKey(site, PAGE, page.key) for page in wanted), None)
