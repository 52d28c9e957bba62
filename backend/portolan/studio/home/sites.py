"""List the sites on the dashboard with their live release and problems."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import Final, Literal, NamedTuple

from django.conf import settings
from django.db.models import Count
from django.urls import reverse

from ...builds.live import LivePointer
from ...content.items import PAGE
from ...content.site_records import load_site_roots
from ...publisher.publish_records import read_records
from ...releases.models import ReleaseItem
from ..blocked import ProblemRow
from ..pins import read_pointer
from ..site_names import site_name

_MOST_READ: Final = 2000
"""Publish records to read, newest first. A site without a change in them shows no time."""


class SiteRow(NamedTuple):
    name: str
    language: str
    inherits: str
    address: str
    pages: int
    """Pages in the newest release."""
    explore_url: str
    release: int
    """The live release; 0 if the site was never live."""
    since: datetime | None
    """When the current build went live; None if unknown."""
    state: Literal["follows", "waits", "stays", "pinned"]
    """All changes are live; some changes are blocked; all changes are blocked by a problem; the site is pinned."""
    waiting: int
    """Number of problems to fix."""


def list_sites(problems: Sequence[ProblemRow], among: Collection[str]) -> list[SiteRow]:
    """Return a row for each synced site, in the order of the site configuration."""
    live = read_pointer()
    roots = load_site_roots()
    since = _find_since(live) if live else {}
    counted = ReleaseItem.objects.filter(until=None, kind=PAGE, site__in=among).order_by()
    pages = dict(counted.values_list("site").annotate(Count("pk")))
    return [
        SiteRow(
            name=site.name,
            language=f"{site.endonym} ({site.language})",
            inherits=site_name(site.inherits) if site.inherits else "",
            address=settings.SITE_ORIGINS[key],
            pages=pages.get(key, 0),
            explore_url=reverse("wagtailadmin_explore", args=[roots[key].root_page_id]),
            release=live.releases.get(key, 0) if live else 0,
            since=since.get(key),
            state=_find_state(key, problems, live),
            waiting=sum(key in problem.sites for problem in problems),
        )
        for key, site in settings.SITES_REGISTRY.sites.items()
        if key in roots and key in among
    ]


def _find_state(
    site: str, problems: Iterable[ProblemRow], live: LivePointer | None
) -> Literal["follows", "waits", "stays", "pinned"]:
    if live and site in live.pins:
        return "pinned"
    if any(site in problem.stopped for problem in problems):
        return "stays"
    return "waits" if any(site in problem.sites for problem in problems) else "follows"


def _find_since(live: LivePointer) -> dict[str, datetime]:
    """Return for each site when its current build last went live."""
    found: dict[str, datetime] = {}
    for record in islice(read_records(settings.BUILDS_DIR), _MOST_READ):
        for site, build in record.builds.items():
            if site not in found and live.builds.get(site) == build:
                found[site] = datetime.fromisoformat(record.at)
        if len(found) == len(live.builds):
            break
    return found
