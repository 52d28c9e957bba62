"""The screens of new sites: the list, the form, the choice of pages, and the progress until launch."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.menu import MenuItem
from wagtail.models import Page

from ...content.may import may, sites_where
from ...content.site_records import AddedSite, load_site_roots
from ...domain.roles import ALL_SITES, Action
from ..changes.rights import person
from ..site_sync import SiteSyncError
from .configuration import SiteForm, add_site, remove_site
from .progress import read_progress
from .start import is_started, list_source_pages, start_site

_RELOAD_S: Final = "2"
_CHOICES: Final = {
    "suggested": gettext_lazy("Pages of the menu and footer"),
    "all": gettext_lazy("All pages"),
    "none": gettext_lazy("Only required pages"),
}


class SiteRow(NamedTuple):
    name: str
    url: str
    state: str
    label: str


def show_countries(request: HttpRequest) -> HttpResponse:
    user = _administrator(request)
    context = {**_header(), "rows": list(_list_sites(user))}
    return TemplateResponse(request, "studio/countries/list.html", context)


def add_country(request: HttpRequest) -> HttpResponse:
    user = _administrator(request)
    form = SiteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            key = add_site(form, user)
        return redirect("studio_country", key)
    return TemplateResponse(request, "studio/countries/add.html", {**_header(_("Add a country")), "form": form})


def show_country(request: HttpRequest, site: str) -> HttpResponse:
    """Show the step that is next: waiting for the processes, the choice of pages, or the progress."""
    if site in settings.SITES_REGISTRY.sites and is_started(site):
        return _show_progress(request, site)
    _administrator(request)
    if site in settings.SITES_REGISTRY.sites:
        return _choose_pages(request, site)
    get_object_or_404(AddedSite, key=site)
    response = TemplateResponse(request, "studio/countries/waiting.html", {**_header(site), "site": site})
    response["Refresh"] = _RELOAD_S
    return response


@require_POST
def start_country(request: HttpRequest, site: str) -> HttpResponse:
    user = _administrator(request)
    if site not in settings.SITES_REGISTRY.sites:
        raise Http404
    if is_started(site):
        return redirect("studio_country", site)
    try:
        started = start_site(site, _read_keys(request), user)
    except SiteSyncError as error:
        messages.error(request, _("The site was not started. Nothing changed. {reason}").format(reason=error))
        return redirect("studio_country", site)
    said = ngettext(
        "{count} page, the menu and the footer are drafts of the change set “{change_set}”.",
        "{count} pages, the menu and the footer are drafts of the change set “{change_set}”.",
        started.pages,
    )
    messages.success(request, said.format(count=started.pages, change_set=started.change_set))
    return redirect("studio_country", site)


@require_POST
def remove_country(request: HttpRequest, site: str) -> HttpResponse:
    _administrator(request)
    get_object_or_404(AddedSite, key=site)
    if is_started(site):
        messages.error(request, _("The site has been started and has pages. Nothing changed."))
        return redirect("studio_country", site)
    with transaction.atomic():
        remove_site(site)
    messages.success(request, _("The site is removed. Nothing of it is left."))
    return redirect("studio_countries")


def _choose_pages(request: HttpRequest, site: str) -> HttpResponse:
    pages = list_source_pages()
    preset = request.GET.get("preset", "suggested")
    context = {
        **_header(settings.SITES_REGISTRY.sites[site].name),
        "site": site,
        "name": settings.SITES_REGISTRY.sites[site].name,
        "source": settings.SITES_REGISTRY.default_site.name,
        "pages": [(page, page.is_required or _is_chosen(page, preset)) for page in pages],
        "presets": [(name, label, name == preset) for name, label in _CHOICES.items()],
        "may_remove": AddedSite.objects.filter(key=site).exists(),
    }
    return TemplateResponse(request, "studio/countries/choose.html", context)


def _is_chosen(page: Any, preset: str) -> bool:
    return preset == "all" or (preset == "suggested" and page.is_suggested)


def _show_progress(request: HttpRequest, site: str) -> HttpResponse:
    if site not in sites_where(person(request), Action.SEE):
        raise PermissionDenied
    rules = settings.SITES_REGISTRY.sites[site]
    context = {
        **_header(rules.name),
        "site": site,
        "name": rules.name,
        "origin": settings.SITE_ORIGINS[site],
        "progress": read_progress(site),
        "translations_url": f"{reverse('studio_translations')}?site={site}",
    }
    return TemplateResponse(request, "studio/countries/progress.html", context)


def _list_sites(user: Any) -> Any:
    roots = load_site_roots()
    live: Collection[int] = set(
        Page.objects.filter(pk__in=[root.root_page_id for root in roots.values()], live=True).values_list(
            "pk", flat=True
        )
    )
    for key, site in settings.SITES_REGISTRY.sites.items():
        root = roots.get(key)
        state, label = ("new", _("not started")) if root is None else ("begun", _("in preparation"))
        if root and root.root_page_id in live:
            state, label = "live", _("live")
        yield SiteRow(site.name, reverse("studio_country", args=[key]), state, label)
    for added in AddedSite.objects.exclude(key__in=settings.SITES_REGISTRY.sites):
        yield SiteRow(added.key, reverse("studio_country", args=[added.key]), "new", _("being set up"))


def _read_keys(request: HttpRequest) -> set[UUID]:
    try:
        return {UUID(key) for key in request.POST.getlist("page")}
    except ValueError:
        raise BadRequest(_("There is no such page. Nothing changed.")) from None


def _administrator(request: HttpRequest) -> Any:
    """Return the user, who administers all sites. Raises PermissionDenied."""
    user = person(request)
    if not may(user, Action.ADMINISTER, ALL_SITES):
        raise PermissionDenied
    return user


def _header(title: str = "") -> dict[str, Any]:
    crumbs = [{"url": reverse("studio_countries") if title else "", "label": _("Countries")}]
    if title:
        crumbs.append({"url": "", "label": title})
    return {"header_title": title or _("Countries"), "header_icon": "globe", "breadcrumbs_items": crumbs}


class CountriesItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Countries"), reverse_lazy("studio_countries"), name="countries", icon_name="globe", order=590
        )

    def is_shown(self, request: HttpRequest) -> bool:
        return may(person(request), Action.ADMINISTER, ALL_SITES)


URLS: Final[list[URLPattern]] = [
    path("countries/", show_countries, name="studio_countries"),
    path("countries/add/", add_country, name="studio_country_add"),
    path("countries/site/<slug:site>/", show_country, name="studio_country"),
    path("countries/site/<slug:site>/start/", start_country, name="studio_country_start"),
    path("countries/site/<slug:site>/remove/", remove_country, name="studio_country_remove"),
]
