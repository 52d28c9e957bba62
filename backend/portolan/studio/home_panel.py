"""The studio's first screen: the sites with their addresses, their last changes, and what holds changes back."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.middleware.csrf import get_token
from django.urls import reverse
from laces.components import Component

from ..builds.live import LivePointer
from ..cdn.purged import say_failures
from ..content.items import PAGE
from ..content.site_records import SiteRecord
from ..releases.live_requests import waiting_request
from ..releases.models import Release, ReleaseItem
from .held_back import ProblemRow, list_problems
from .holds import read_pointer, say_holds
from .publish_status import find_failure, find_publish_status
from .releases import may_publish_everywhere
from .site_names import site_name


class SiteRow(NamedTuple):
    name: str
    language: str
    inherits: str
    address: str
    pages: int
    """Pages in the newest release."""
    explore_url: str
    release: int
    """The release it shows; 0 before it goes live for the first time."""
    state: Literal["follows", "waits", "stays", "held"]
    """Whether everything that was published is live there; something waits; nothing new goes live until a problem is
    fixed; or the site is on hold."""
    waiting: int
    """Problems to fix until everything is live there."""


class SitesPanel(Component):
    name = "sites"
    order = 50
    template_name = "studio/home_panel.html"

    def get_context_data(self, parent_context: Mapping[str, Any] | None = None) -> dict[str, Any]:
        problems = list_problems()
        request = parent_context["request"] if parent_context else None
        return {
            "sites": list_sites(problems),
            "release": Release.objects.first(),
            "state": find_publish_status(),
            "problems": problems,
            "on_hold": say_holds(),
            "waiting": waiting_request(),
            "may_resume": may_publish_everywhere(request.user) if request else False,
            "csrf_token": get_token(request) if request else "",  # panels are rendered without the request's context
            "failure": find_failure(),
            "not_purged": say_failures(settings.BUILDS_DIR),
        }


def list_sites(problems: Sequence[ProblemRow]) -> list[SiteRow]:
    """The registry's sites in its order, without those that are not synced yet."""
    live = read_pointer()
    roots = dict(SiteRecord.objects.values_list("key", "wagtail_site__root_page_id"))
    pages = Counter(ReleaseItem.objects.filter(until=None, kind=PAGE).values_list("site", flat=True))
    return [
        SiteRow(
            name=site.name,
            language=f"{site.endonym} ({site.language})",
            inherits=site_name(site.inherits) if site.inherits else "",
            address=settings.SITE_ORIGINS[key],
            pages=pages[key],
            explore_url=reverse("wagtailadmin_explore", args=[roots[key]]),
            release=live.releases.get(key, 0) if live else 0,
            state=_find_state(key, problems, live),
            waiting=sum(key in problem.sites for problem in problems),
        )
        for key, site in settings.SITES_REGISTRY.sites.items()
        if key in roots
    ]


def _find_state(
    site: str, problems: Iterable[ProblemRow], live: LivePointer | None
) -> Literal["follows", "waits", "stays", "held"]:
    if live and site in live.holds:
        return "held"
    if any(site in problem.stopped for problem in problems):
        return "stays"
    return "waits" if any(site in problem.sites for problem in problems) else "follows"
