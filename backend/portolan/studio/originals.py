"""Show the original of a page, on the site from which its site takes pages.

Editors of a page may read its original as visitors see it, without rights on it.
"""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from wagtail.admin.widgets.button import Button
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy

from ..content.change_sets.holding import own_sites
from ..content.pages.base import SitePage
from ..content.site_records import load_site_roots
from .preview import show_draft
from .site_names import site_name


def find_original(page: Page) -> Page | None:
    """Return the live page that ``page`` translates or copies, or ``None``."""
    own = next(iter(own_sites(page)), "")
    site = settings.SITES_REGISTRY.sites.get(own)
    if site is None:
        return None
    roots = load_site_roots()
    for key in (site.inherits, settings.SITES_REGISTRY.company.default_site):
        root = roots.get(key or "")
        if root and key != own:
            there = Page.objects.filter(
                translation_key=page.translation_key, path__startswith=root.root_path, live=True
            ).first()
            if there:
                return there
    return None


def show_original(request: HttpRequest, page_id: int) -> HttpResponse:
    """Show the original of a page that the user may see."""
    seen = PagePermissionPolicy().explorable_instances(request.user)
    page = get_object_or_404(Page, pk=page_id)
    if not seen.filter(pk=page.pk).exists():
        raise PermissionDenied
    original: Any = find_original(page)
    if original is None or not isinstance(original := original.specific, SitePage):
        raise Http404(gettext("The original of this page is not published."))
    return show_draft(original, request)


def list_buttons(page: Page, user: Any, view_name: str, next_url: str | None = None) -> Iterable[Button]:
    """Hook: yield the button in the menu of a page's header."""
    if original := find_original(page):
        site = site_name(next(iter(own_sites(original)), ""))
        label = gettext("Read the original ({site})").format(site=site)
        yield Button(label, reverse("studio_original", args=[page.pk]), icon_name="view", priority=44)


URLS: list[URLPattern] = [path("pages/<int:page_id>/original/", show_original, name="studio_original")]
