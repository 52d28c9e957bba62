"""Show the history of publishes: releases, authors, reasons, stages and edges. It is for publishers of every site."""

from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext_lazy
from wagtail.admin.menu import MenuItem

from ..builds.manifest import BuildError
from ..publisher.addresses import Addresses
from ..publisher.explain import Explainer
from ..publisher.history import History, PastPublish, group_pages
from ..releases.connection import connected_reader
from .release_rights import for_publishers, may_publish_everywhere
from .rendering import WhyRow, tell_renderings
from .site_names import name_sites, site_name
from .stage_rows import list_stages

_A_PAGE: Final = 20
_MOST_GROUPS: Final = 50
"""The most groups of pages to show on all sites together. Each takes about twenty queries."""
_MOST_PATHS: Final = 20


class PagesRow(NamedTuple):
    paths: list[str]
    """Empty for all pages of the site."""
    more: int
    why: list[WhyRow]


class SiteRow(NamedTuple):
    site: str
    """Name of the site."""
    pages: list[PagesRow]
    more: int
    """Number of further groups of pages."""


class PublishRow(NamedTuple):
    publish: PastPublish
    sites: str
    """Names of sites with a new build; empty for none."""

    @property
    def fetched(self) -> datetime | None:
        """Return when the first edge served it."""
        first = min(self.publish.reached.values(), default=None)
        return datetime.fromisoformat(first) if first else None


@for_publishers
def list_history(request: HttpRequest) -> HttpResponse:
    history = History(settings.BUILDS_DIR, connected_reader())
    page = Paginator(range(history.count()), _A_PAGE).get_page(request.GET.get("p"))
    found = history.newest(_A_PAGE, (page.number - 1) * _A_PAGE)
    rows = [PublishRow(each, name_sites(each.record.builds) if each.record.builds else "") for each in found]
    return render(request, "studio/history.html", {"rows": rows, "page": page})


@for_publishers
def show_publish(request: HttpRequest, at: str) -> HttpResponse:
    reader = connected_reader()
    publish = History(settings.BUILDS_DIR, reader).find(at)
    if publish is None:
        raise Http404(f"There is no publish at {at}.")
    context: dict[str, Any] = {
        "publish": publish,
        "stages": list(list_stages(publish.record.stages)),
        "edges": [(edge, datetime.fromisoformat(at)) for edge, at in sorted(publish.reached.items())],
        "sites": [],
        "unknown": name_sites(missing) if (missing := publish.record.builds.keys() - publish.rendered.keys()) else "",
    }
    try:
        addresses = Addresses(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)
        context["sites"] = _tell_sites(publish, Explainer(settings.BUILDS_DIR, reader, addresses))
    except BuildError as error:
        context["failure"] = str(error)
    return render(request, "studio/history_publish.html", context)


URLS: Final[list[URLPattern]] = [
    path("reports/publishing/", list_history, name="studio_history"),
    path("reports/publishing/<str:at>/", show_publish, name="studio_history_publish"),
]


class HistoryItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(gettext_lazy("Publishing"), reverse("studio_history"), icon_name="time", order=110)

    def is_shown(self, request: HttpRequest) -> bool:
        return may_publish_everywhere(request.user)


def _tell_sites(publish: PastPublish, explainer: Explainer) -> list[SiteRow]:
    rows = []
    most = max(1, _MOST_GROUPS // max(1, len(publish.rendered)))
    for site, entry in publish.rendered.items():
        shown = group_pages(entry, most)
        told = tell_renderings(site, [explainer.explain_reasons(entry, group.reasons, site) for group in shown])
        pages = [
            PagesRow([*group.paths[:_MOST_PATHS]], max(0, len(group.paths) - _MOST_PATHS), row.why)
            for group, row in zip(shown, told, strict=True)
        ]
        rows.append(SiteRow(site_name(site), pages, max(0, len(entry.alike()) - len(shown))))
    return rows
