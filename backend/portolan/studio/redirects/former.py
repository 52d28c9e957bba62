"""List the old URLs of pages and their current redirects. They follow from the releases."""

from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext

from ...builds.live import read_live
from ...builds.manifest import BuildError, read_manifest
from ...content.may import sites_where
from ...content.redirects import Redirect, find_redirect
from ...domain.letters import fold
from ...domain.redirects import GONE
from ...domain.roles import Action
from ...releases.connection import connected_reader
from ..site_names import site_name
from .own_sites import sites_offered

_ON_A_PAGE = 50


class Row(NamedTuple):
    path: str
    title: str
    """Title of the last page at this URL."""
    release: int
    """Release in which the page left this URL."""
    answer: str
    override_url: str
    edit_url: str
    """URL to edit the redirect that overrides this one; empty if there is none."""


def show_former(request: HttpRequest) -> HttpResponse:
    own = sites_where(request.user, Action.SEE)
    sites = [key for key in settings.SITES_REGISTRY.sites if key in own]
    if not sites:
        raise PermissionDenied
    default = settings.SITES_REGISTRY.company.default_site
    site = request.GET.get("site", "")
    site = site if site in own else default if default in own else sites[0]
    sought = request.GET.get("q", "").strip()
    found = [row for row in _list_former(site) if fold(sought) in fold(f"{row.path}\n{row.title}")]
    page = Paginator(found, _ON_A_PAGE).get_page(request.GET.get("p"))
    context = {
        "header_title": gettext("Old URLs"),
        "header_icon": "history",
        "breadcrumbs_items": [{"url": "", "label": gettext("Old URLs")}],
        "sites": [(key, site_name(key)) for key in sites],
        "site": site,
        "q": sought,
        "rows": page,
        "may_add": sites_offered(request.user, "add").filter(key=site).exists(),
        "before": urlencode({"site": site, "q": sought}),
    }
    return TemplateResponse(request, "studio/redirects/former.html", context)


def _list_former(site: str) -> list[Row]:
    """Return the old URLs, newest first, with the live build's answer."""
    try:
        build = read_live(settings.BUILDS_DIR).builds.get(site)
        answers = read_manifest(settings.BUILDS_DIR, site, build).redirects if build else {}
    except BuildError:
        answers = {}
    add = reverse("wagtailsnippets_content_redirect:add")
    rules = set(Redirect.objects.filter(site__in=[site]).values_list("source", flat=True))
    rules |= set(Redirect.objects.filter(site=None).values_list("source", flat=True))
    rows = []
    for path, last in connected_reader().former_addresses(site).items():
        if last.until is None:
            continue
        answer = answers.get(path)
        text = "a page" if answer is None else gettext("gone (410)") if answer.status == GONE else answer.target
        rule = find_redirect(site, path) if path in rules else None
        rows.append(
            Row(
                path,
                last.title,
                last.until,
                text,
                f"{add}?{urlencode({'site': site, 'source': path})}",
                reverse("wagtailsnippets_content_redirect:edit", args=[rule.pk]) if rule else "",
            )
        )
    return sorted(rows, key=lambda row: (-row.release, row.path))
