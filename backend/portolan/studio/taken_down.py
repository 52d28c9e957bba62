"""Tell editors how sites look after pages were deleted or unpublished.

The screen reads the live builds after the edit is committed.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.models import Page

from ..content.quoted import quoted
from ..domain.redirects import GONE
from ..releases.reader import ItemId
from .checks.live_sites import LiveSites
from .newest_release import newest_release
from .pins import say_pins
from .publish_status import find_publish_status
from .published import Told
from .site_names import site_name
from .use_rows import PlacedPage, all_below_with_copies, list_page_items, with_copies

_SESSION: Final = "taken-down"
_FOLLOWED: Final = "taken-down-followed"
_MOST_ADDRESSES: Final = 500
"""The most paths to check. All pages change with one release."""


class Addresses(NamedTuple):
    """The state of former paths of pages."""

    there: list[str]
    """Keys of sites that still serve a page."""
    gone: list[str]
    """Keys of sites that have removed the page."""
    elsewhere: int
    """Number of paths that redirect to another page."""


def find_addresses(pages: Iterable[Page | PlacedPage]) -> list[tuple[str, str]]:
    """Return site and path of the pages in the newest release. Call it before they are removed."""
    release = newest_release()
    items = list_page_items(pages) if release else set()
    found = release.translations({item.key for item in items}) if release else []
    return [(page.site, page.path) for page in found if ItemId(page.site, "page", page.key) in items]


def say_what_is_seen(
    request: HttpRequest, action: str, titles: Sequence[str], addresses: Sequence[tuple[str, str]], next_url: str
) -> HttpResponse:
    """Return a redirect to the screen with the message, which continues to ``next_url``."""
    request.session[_SESSION] = [action, list(titles), list(addresses[:_MOST_ADDRESSES]), next_url]
    return redirect("studio_taken_down")


def show_taken_down(request: HttpRequest) -> HttpResponse:
    """Add the message and redirect. The browser updates it until the pages are offline."""
    action, titles, addresses, next_url = request.session.pop(_SESSION, ("", [], [], ""))
    if titles:
        told = _tell(action, titles, addresses)
        if not told.is_settled:
            request.session[_FOLLOWED] = [action, titles, addresses]
        getattr(messages, told.level)(request, _draw(told), buttons=_buttons(action, addresses))
    is_ours = url_has_allowed_host_and_scheme(next_url, {request.get_host()}, require_https=request.is_secure())
    return redirect(next_url if is_ours else "wagtailadmin_home")


@require_POST
def follow(request: HttpRequest) -> HttpResponse:
    """Return the current message."""
    if _FOLLOWED not in request.session:
        return HttpResponse(status=404)
    told = _tell(*request.session[_FOLLOWED])
    if told.is_settled:
        del request.session[_FOLLOWED]
    reply = HttpResponse(_draw(told))
    reply["Cache-Control"] = "no-store"
    return reply


def remember_unpublishing(request: HttpRequest, page: Page) -> None:
    """Hook: store the paths before Wagtail unpublishes a page."""
    _remember(request, [page])


def say_unpublished(request: HttpRequest, page: Page) -> HttpResponse:
    """Hook: replace Wagtail's message, which comes before the page is offline."""
    next_url = get_valid_next_url_from_request(request)
    parent: Any = page.get_parent()
    return _say_remembered(request, [page], next_url or reverse("wagtailadmin_explore", args=[parent.pk]))


def remember_ticked(request: HttpRequest, action_type: str, objects: Sequence[Model], action: Any) -> None:
    """Hook: the same for pages selected in a list."""
    if pages := _unpublished_by(action_type, objects):
        _remember(request, pages)


def say_ticked(request: HttpRequest, action_type: str, objects: Sequence[Model], action: Any) -> HttpResponse | None:
    """Hook: the same for pages selected in a list."""
    pages = _unpublished_by(action_type, objects)
    return _say_remembered(request, pages, action.next_url) if pages else None


def _unpublished_by(action_type: str, objects: Sequence[Model]) -> list[Page]:
    return [page for page in objects if isinstance(page, Page)] if action_type == "unpublish" else []


def _remember(request: Any, pages: Sequence[Page]) -> None:
    below = all_below_with_copies(*pages) if request.POST.get("include_descendants") else []
    request.addresses_before = find_addresses([*with_copies(*pages), *below])


def _say_remembered(request: Any, pages: Sequence[Page], next_url: str) -> HttpResponse:
    titles = [page.get_admin_display_title() for page in pages]
    return say_what_is_seen(request, "unpublish", titles, request.addresses_before, next_url)


def _tell(action: str, titles: Sequence[str], addresses: Collection[Sequence[str]]) -> Told:
    """Describe the change and its present effect for visitors."""
    said = _say_done(action, titles)
    found = _look((site, path) for site, path in addresses)
    if not found.there:
        return Told("success", f"{said} {_say_gone(found)}".strip(), None, True)
    if find_publish_status().state == "waiting":
        return Told("info", f"{said} {_say_under_way(found)}", None, False)
    return Told("warning", f"{said} {_say_still_there(found)}", None, True)


def _draw(told: Told) -> SafeString:
    url = "" if told.is_settled else reverse("studio_taken_down_follow")
    return render_to_string("studio/published.html", {"told": told, "url": url})


def _buttons(action: str, addresses: Collection[Sequence[str]]) -> list[Any]:
    deleted = messages.button(reverse("studio_deleted_pages"), gettext("Trash"))
    elsewhere = messages.button(reverse("studio_former_addresses"), gettext("Add redirect"))
    return [*([deleted] if action == "delete" else []), *([elsewhere] if addresses else [])]


def _say_done(action: str, titles: Sequence[str]) -> str:
    count = len(titles)
    text = (
        ngettext("{names} is in the trash and can be restored.", "{names} are in the trash and can be restored.", count)
        if action == "delete"
        else ngettext("{names} is unpublished.", "{names} are unpublished.", count)
    )
    return text.format(names=", ".join(map(quoted, titles)))


def _look(addresses: Iterable[tuple[str, str]]) -> Addresses:
    live = LiveSites(settings.BUILDS_DIR)
    there: dict[str, None] = {}
    gone: dict[str, None] = {}
    elsewhere = 0
    for site, path in addresses:
        manifest = live.manifest(site)
        if manifest is None:
            continue
        redirect_there = manifest.redirects.get(path)
        if path in manifest.files:
            there[site] = None
        elif redirect_there and redirect_there.status != GONE:
            elsewhere += 1
        else:
            gone[site] = None
    return Addresses(list(there), list(gone), elsewhere)


def _say_gone(found: Addresses) -> str:
    parts = []
    if found.gone:
        parts.append(
            gettext("Visitors of {sites} see that the page is removed. Links to it are removed too.").format(
                sites=_names(found.gone)
            )
        )
    if found.elsewhere:
        text = ngettext(
            "{count} URL redirects to another page.", "{count} URLs redirect to another page.", found.elsewhere
        )
        parts.append(text.format(count=found.elsewhere))
    return " ".join(parts)


def _say_under_way(found: Addresses) -> str:
    state = find_publish_status().text
    return gettext("Visitors of {sites} still see it for a moment. {state}").format(
        sites=_names(found.there), state=state
    )


def _say_still_there(found: Addresses) -> str:
    why = say_pins(found.there) or gettext("The site cannot be published at the moment: see Problems on the dashboard.")
    return gettext("Visitors of {sites} still see it. {why}").format(sites=_names(found.there), why=why)


def _names(sites: Iterable[str]) -> str:
    return ", ".join(map(site_name, sites))
