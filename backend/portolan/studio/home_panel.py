"""The studio's first screen: the sites with their addresses, the last release, and what could not be released."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from laces.components import Component
from wagtail.models import Page

from ..content.items import PAGE
from ..content.site_records import SiteRecord
from ..releases.models import PendingChange, Release, ReleaseItem


class SiteRow(NamedTuple):
    name: str
    language: str
    inherits: str
    address: str
    pages: int
    """Pages in the newest release."""
    explore_url: str


class ProblemRow(NamedTuple):
    text: str
    edit_url: str
    """Where to mend it, if that is a page; else empty."""


class SitesPanel(Component):
    name = "sites"
    order = 50
    template_name = "studio/home_panel.html"

    def get_context_data(self, parent_context: Mapping[str, Any] | None = None) -> dict[str, Any]:
        pending = list(PendingChange.objects.order_by("pk"))
        return {
            "sites": list_sites(),
            "release": Release.objects.first(),
            "waiting": sum(not change.problem for change in pending),
            "problems": list_problems(change for change in pending if change.problem),
        }


def list_sites() -> list[SiteRow]:
    """The registry's sites in its order; one that was not synced yet is left out."""
    roots = dict(SiteRecord.objects.values_list("key", "wagtail_site__root_page_id"))
    pages = Counter(ReleaseItem.objects.filter(until=None, kind=PAGE).values_list("site", flat=True))
    return [
        SiteRow(
            name=site.name,
            language=f"{site.endonym} ({site.language})",
            inherits=registry_name(site.inherits),
            address=settings.SITE_ORIGINS[key],
            pages=pages[key],
            explore_url=reverse("wagtailadmin_explore", args=[roots[key]]),
        )
        for key, site in settings.SITES_REGISTRY.sites.items()
        if key in roots
    ]


def list_problems(changes: Iterable[PendingChange]) -> list[ProblemRow]:
    """Each problem once: an inherited page has the same one on every heir."""
    rows: dict[str, ProblemRow] = {}
    for change in changes:
        rows.setdefault(change.problem, ProblemRow(change.problem, _edit_url(change)))
    return list(rows.values())


def registry_name(key: str | None) -> str:
    return settings.SITES_REGISTRY.sites[key].name if key else ""


def _edit_url(change: PendingChange) -> str:
    if change.kind != PAGE:
        return ""
    of_site = Q(translation_key=change.key, locale__record=change.site)
    page = Page.objects.filter(of_site).first()
    return reverse("wagtailadmin_pages:edit", args=[page.pk]) if page else ""
