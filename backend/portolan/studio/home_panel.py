"""The studio's first screen: the sites with their addresses, their last changes, and what holds changes back."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from laces.components import Component

from ..content.items import PAGE
from ..content.site_records import SiteRecord
from ..releases.models import Release, ReleaseItem
from .held_back import list_problems
from .holds import say_holds
from .publish_status import find_failure, find_publish_status
from .site_names import site_name


class SiteRow(NamedTuple):
    name: str
    language: str
    inherits: str
    address: str
    pages: int
    """Pages in the newest release."""
    explore_url: str


class SitesPanel(Component):
    name = "sites"
    order = 50
    template_name = "studio/home_panel.html"

    def get_context_data(self, parent_context: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return {
            "sites": list_sites(),
            "release": Release.objects.first(),
            "state": find_publish_status(),
            "problems": list_problems(),
            "on_hold": say_holds(),
            "failure": find_failure(),
        }


def list_sites() -> list[SiteRow]:
    """The registry's sites in its order, without those that are not synced yet."""
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
        )
        for key, site in settings.SITES_REGISTRY.sites.items()
        if key in roots
    ]
