"""The screen *Preview*: sites and widths side by side, each in a frame with the preview's own origin."""

from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse, reverse_lazy
from django.utils.translation import gettext_lazy as _
from wagtail.admin.menu import MenuItem

from ...content.change_sets.holding import sites_of
from ...content.changes import keys_of
from ...content.items import PAGE
from ...domain.previews import Shown
from ..content_policy import allow_frames
from .addresses import preview_sources, preview_url
from .forms import LinkForm, PreviewForm
from .models import Preview
from .overlay import NothingToShow, Overlay, load_entry, load_page, load_set, overlay_of
from .rights import may_preview, may_share, may_use
from .secret import own_secret
from .words import say_shown

_MOST_FRAMES: Final = 24
"""The most frames. Each loads a whole page."""
_HEIGHTS: Final = {360: 640, 768: 900, 1280: 800}


class Frame(NamedTuple):
    site: str
    name: str
    """Name of the site."""
    path: str
    width: int
    height: int
    url: str


def show_preview(request: HttpRequest) -> HttpResponse:
    user: Any = request.user
    if not may_use(user):
        raise PermissionDenied
    form = (
        PreviewForm(request.user, request.GET)
        if "shown" in request.GET
        else PreviewForm(request.user, initial={"shown": Shown.DATE.value})
    )
    context: dict[str, Any] = {
        "form": form,
        "is_set_up": bool(settings.PREVIEW_DOMAIN),
        "links": Preview.open_links().count(),
    }
    if settings.PREVIEW_DOMAIN and form.is_bound and form.is_valid():
        context |= _show(user, form)
    return allow_frames(TemplateResponse(request, "studio/previews/screen.html", context), preview_sources())


def url_of(shown: Shown, subject: str) -> str:
    """Return the URL of the screen for a subject."""
    field = {Shown.CHANGE_SET: "change_set", Shown.DATE: "at", Shown.RELEASE: "release"}.get(shown, "subject")
    return f"{reverse('studio_preview')}?{urlencode({'shown': shown.value, field: subject})}"


def _show(user: Any, form: PreviewForm) -> dict[str, Any]:
    shown, subject = form.chosen
    if not may_preview(user, shown, subject):
        raise PermissionDenied
    try:
        overlay = overlay_of(shown, subject)
    except NothingToShow as error:
        return {"nothing": str(error)}
    path, page_key = _start(shown, subject, overlay, form.cleaned_data["path"])
    sites = form.cleaned_data["sites"] or _usual_sites(shown, subject)
    secret = own_secret(shown, subject, user)
    frames = _frames(overlay, sites, form.cleaned_data["widths"], path, page_key, secret)
    return {
        "said": say_shown(shown, subject),
        "frames": frames[:_MOST_FRAMES],
        "more": max(0, len(frames) - _MOST_FRAMES),
        "problems": overlay.problems,
        "may_share": may_share(user, shown, subject),
        "link_form": LinkForm(),
        "chosen": {
            "shown": shown.value,
            "subject": subject,
            "site": sites[0],
            "path": frames[0].path if frames else "/",
        },
        "used_sites": sites,
        "used_widths": [str(width) for width in form.cleaned_data["widths"]],
    }


def _start(shown: Shown, subject: str, overlay: Overlay, path: str) -> tuple[str, str]:
    """Return the first path and the translation key of its page."""
    if shown is Shown.PAGE and path == "/" and (page := load_page(subject)):
        key = str(page.translation_key)
        found = next((row.path for row in overlay.snapshot().translations([key]) if row.site in _of_page(page)), path)
        return found, key
    at = overlay.snapshot().pages_at(path)
    return path, at[0].key if at else ""


def _of_page(page: Any) -> set[str]:
    return {key.site for key in keys_of(page) if key.kind == PAGE}


def _usual_sites(shown: Shown, subject: str) -> list[str]:
    """Return at most two sites that show the subject."""
    every = settings.SITES_REGISTRY.sites
    found: set[str] = set()
    if shown is Shown.PAGE and (page := load_page(subject)):
        found = _of_page(page)
    elif shown is Shown.ENTRY and (row := load_entry(subject)):
        found = sites_of(row)
    elif shown is Shown.CHANGE_SET and (change_set := load_set(subject)):
        found = set().union(*(sites_of(thing) for item in change_set.items.all() if (thing := item.load()) is not None))
    return [key for key in every if key in found][:2] or [settings.SITES_REGISTRY.company.default_site]


def _frames(
    overlay: Overlay, sites: list[str], widths: list[int], path: str, page_key: str, secret: str
) -> list[Frame]:
    """Return frames with the same page on each site, or the home page if a site does not have it."""
    there = {page.site: page.path for page in overlay.snapshot().translations([page_key])} if page_key else {}
    names = {key: site.name for key, site in settings.SITES_REGISTRY.sites.items()}
    frames = []
    for site in sites:
        own = there.get(site, "/" if there else path)
        url = preview_url(secret, site, own)
        frames += [Frame(site, names[site], own, width, _HEIGHTS[width], url) for width in widths]
    return frames


class PreviewItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(_("Preview"), reverse_lazy("studio_preview"), name="preview", icon_name="view", order=180)

    def is_shown(self, request: HttpRequest) -> bool:
        return may_use(request.user)


URLS: Final[list[URLPattern]] = [path("preview/", show_preview, name="studio_preview")]
