"""The choice of each site for untranslated pages: none, or the original in its own language."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.models import Page

from ...content.fallbacks import NEVER, PageFallback
from ...content.may import sites_where
from ...content.site_records import load_site_roots
from ...domain.roles import Action
from ...translations.sources import source_sites
from ..changes.rights import person
from ..site_names import site_name
from . import changing
from .rights import require, seen_sites
from .words import page_type_choices

_ALL: Final = ""
"""In place of a page type."""
_VALUES: Final[Mapping[str, bool | None]] = {"": None, "original": True, "none": False}


class ShownChoice(NamedTuple):
    site: str
    site_name: str
    value: str
    may_change: bool


class ShownType(NamedTuple):
    page_type: str
    name: str
    choices: list[ShownChoice]
    """In the order of the columns."""


class ShownPage(NamedTuple):
    """A choice for one page."""

    title: str
    site_name: str
    is_shown: bool
    url: str


def show_fallbacks(request: HttpRequest) -> HttpResponse:
    """Show the choices of all sites that the person sees. Store those of sites on which the person publishes."""
    user = person(request)
    sites = seen_sites(user)
    if not sites:
        raise PermissionDenied
    own = [site for site in sites if site in sites_where(user, Action.PUBLISH)]
    if request.method == "POST":
        if not own:
            raise PermissionDenied
        changed = _store(request, own)
        if changed:
            messages.success(request, _("Choices saved. They go live in a moment."))
        else:
            messages.warning(request, _("Nothing changed."))
        return redirect("studio_fallbacks")
    stored = {
        (row.site, row.page_type): "original" if row.is_shown else "none"
        for row in PageFallback.objects.filter(site__in=sites, page_key="")
    }
    rows = [
        ShownType(
            page_type,
            name,
            [ShownChoice(site, site_name(site), stored.get((site, page_type), ""), site in own) for site in sites],
        )
        for page_type, name in _types()
    ]
    context = {
        "header_title": _("Pages without a translation"),
        "header_icon": "globe",
        "breadcrumbs_items": [
            {"url": reverse("studio_translations"), "label": _("Translations")},
            {"url": "", "label": _("Pages without a translation")},
        ],
        "columns": [(site_name(site), site_name(source_sites()[site])) for site in sites],
        "rows": rows,
        "pages": _show_pages(sites),
        "may_change": bool(own),
    }
    return TemplateResponse(request, "studio/translations/fallbacks.html", context)


@require_POST
def choose_for_pages(request: HttpRequest) -> HttpResponse:
    """Store the choice ``original`` for each page and site in ``cell``, which is ``KEY:SITE``."""
    user = person(request)
    chosen = changing.read_chosen(request.POST.getlist("cell"))
    value = request.POST.get("original", "")
    if value not in _VALUES:
        raise BadRequest(_("There is no such choice. Nothing changed."))
    require(user, Action.PUBLISH, {one.site for one in chosen})
    if not chosen:
        messages.warning(request, _("Select translations first. Nothing changed."))
        return changing.go_back(request)
    with transaction.atomic():
        for one in chosen:
            _set(one.site, _ALL, str(one.key), _VALUES[value])
        changing.log_change(request, chosen, "fallback")
    said = {
        "original": _("{translations}: visitors see the original until a translation is published."),
        "none": _("{translations}: visitors see no page until a translation is published."),
        "": _("{translations}: the site's choice applies."),
    }
    messages.success(request, changing.count(chosen, said[value]))
    return changing.go_back(request)


def choice_of(key: Any, site: str) -> str:
    """Return the stored choice for one page: ``original``, ``none``, or empty for the site's choice."""
    row = PageFallback.objects.filter(site=site, page_type=_ALL, page_key=str(key)).first()
    return "" if row is None else "original" if row.is_shown else "none"


def _types() -> list[tuple[str, str]]:
    return [(_ALL, _("All pages")), *(each for each in page_type_choices() if each[0] not in NEVER)]


def _store(request: HttpRequest, sites: list[str]) -> bool:
    changed = False
    with transaction.atomic():
        for site in sites:
            for page_type, _name in _types():
                value = request.POST.get(f"{site}:{page_type}")
                if value is None:
                    continue
                if value not in _VALUES:
                    raise BadRequest(_("There is no such choice. Nothing changed."))
                changed |= _set(site, page_type, "", _VALUES[value])
    return changed


def _set(site: str, page_type: str, key: str, is_shown: bool | None) -> bool:
    """Store a choice, and return whether it differs. Rows are saved one by one, so that releases notice them."""
    row = PageFallback.objects.filter(site=site, page_type=page_type, page_key=key).first()
    if is_shown is None:
        if row:
            row.delete()
        return row is not None
    if row and row.is_shown == is_shown:
        return False
    row = row or PageFallback(site=site, page_type=page_type, page_key=key)
    row.is_shown = is_shown
    row.save()
    return True


def _show_pages(sites: list[str]) -> list[ShownPage]:
    rows = list(PageFallback.objects.filter(site__in=sites).exclude(page_key=""))
    roots, sources = load_site_roots(), source_sites()
    titles = {
        (str(key), locale): title
        for key, locale, title in Page.objects.filter(translation_key__in=[row.page_key for row in rows]).values_list(
            "translation_key", "locale_id", "title"
        )
    }
    found = []
    for row in rows:
        source = roots.get(sources.get(row.site, ""))
        title = titles.get((row.page_key, source.locale_id)) if source else None
        if title:
            url = reverse("studio_translation", args=[row.page_key, row.site])
            found.append(ShownPage(title, site_name(row.site), row.is_shown, url))
    return sorted(found, key=lambda page: (page.title.casefold(), page.site_name))
