"""Show releases in the studio, revert one, and pin all sites to one.

Editors of a site see the releases that changed it. Only publishers of every site may revert or pin.
"""

import time
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.menu import MenuItem

from ..builds.live import LivePointer, read_live
from ..builds.manifest import BuildError
from ..content.entered import NotPossible
from ..content.may import may
from ..delivery_status.answers import page_url
from ..delivery_status.status import Pair, SiteStatus
from ..domain.cards import CARD_KINDS
from ..domain.roles import Action
from ..releases.connection import connected_reader
from ..releases.live_requests import ask, waiting_request
from ..releases.models import LiveRequest, Release
from ..releases.reader import ALL_SITES, ItemId, ReleaseInfo, ReleaseReader
from ..releases.release_view import ItemChange, read_difference, release_view_of
from .authors import name_of, name_person
from .delivery_status import is_large, read_changes, read_delivery_status, tell_travel
from .numbers import say_number
from .pins import say_pins
from .publish_status import find_failure
from .release_changes import MOST_TOLD, ChangeRow, sum_up, tell_changes
from .release_rights import for_editors, for_publishers, may_publish_everywhere, visible_releases
from .revert import revert
from .site_names import name_sites_after_on, site_name
from .stage_rows import list_stages

_A_PAGE: Final = 20
_CARDS: Final = frozenset(CARD_KINDS.values())
_MOST_PAGES: Final = 30
"""The most pages of one site to name."""
_MOST_REVERTED: Final = 1000
"""The most items to revert. A change set of a hundred pages on every site has fewer."""
_WAIT_S: Final = 4
"""A rollback usually takes a fraction of this time. After it, the editor reads that the request is stored."""


class ReleaseRow(NamedTuple):
    release: ReleaseInfo
    by: str
    what: str
    shown: str
    """Names of the sites that show it; empty for none."""


class Preview(NamedTuple):
    changes: list[ChangeRow]
    more: int
    """Number of further changes, which are not compared."""
    same: str
    """Names of the live sites without changes."""


class PagesRow(NamedTuple):
    """Pages of one site that were rendered for a release."""

    site: str
    """Name of the site."""
    is_every: bool
    pages: list[tuple[str, str]]
    """Paths and their URLs."""
    more: int
    gone: tuple[str, ...]


@for_editors
def list_releases(request: HttpRequest) -> HttpResponse:
    reader = connected_reader()
    pages = Paginator(visible_releases(request.user), _A_PAGE)
    page = pages.get_page(request.GET.get("p"))
    live = _read_live()
    rows = [
        ReleaseRow(release, name_person(release.created_by), sum_up(reader, release), _say_shown(live, release.number))
        for release in (find_release(row.number, row) for row in page)
    ]
    return render(request, "studio/releases.html", {"rows": rows, "page": page, **_state(request)})


@for_editors
def show_release(request: HttpRequest, number: int) -> HttpResponse:
    """Show the changes and the delivery status of a release."""
    release = find_release(number)
    large = is_large(release)
    pairs = read_changes(number, MOST_TOLD if large else None)
    context: dict[str, Any] = {
        "release": release,
        "by": name_person(release.created_by),
        "changes": tell_changes(pairs, release.items if large else None),
        "is_first": not connected_reader().exists(number - 1),
        "shown": _say_shown(_read_live(), number),
        "is_publisher": may_publish_everywhere(request.user),
        **_state(request),
    }
    try:
        delivery = read_delivery_status(release, [] if large else pairs)
    except BuildError as error:
        return render(request, "studio/release.html", {**context, "failure": str(error)})
    publish = delivery.publishes[0] if delivery.publishes else None
    context |= {
        "travel": tell_travel(delivery),
        "pages": [_list_pages(site) for site in delivery.sites if site.is_every or site.pages or site.gone],
        "publish": publish,
        "stages": list(list_stages(publish.record.stages)) if publish else [],
        "together": [each.number for each in publish.releases if each.number != number] if publish else [],
    }
    return render(request, "studio/release.html", context)


@for_publishers
def show_again(request: HttpRequest, number: int) -> HttpResponse:
    """Show how the sites would change; on POST, request the release from the publisher."""
    reader = connected_reader()
    release = find_release(number)
    if request.method == "POST":
        done = gettext("Every site now shows release {number} and stays there until you resume publishing.").format(
            number=number
        )
        return _ask(request, number, done, reverse("studio_release", args=[number]))
    context = {"release": release, **_preview(reader, number)._asdict(), **_state(request)}
    return render(request, "studio/show_again.html", context)


@for_publishers
def revert_release(request: HttpRequest, number: int) -> HttpResponse:
    """Show the changes to revert; on POST, revert them."""
    assert isinstance(request.user, User)
    release = find_release(number)
    is_trial = request.method != "POST"
    count = release.items
    if count > _MOST_REVERTED and release.number > 1:  # the command explains why the first release cannot be reverted
        said = gettext(
            "Release {number} changed {count} items. Nothing was reverted: so many items would block saving for "
            "minutes. Ask an administrator to run this command at a quiet time: portolan releases revert "
            "{number}"
        )
        messages.error(request, said.format(number=number, count=say_number(count)))
        return redirect("studio_release", number)
    try:
        found = revert(number, name_of(request.user), request.user, is_trial)
    except NotPossible as error:
        messages.error(request, str(error))
        return redirect("studio_release", number)
    if is_trial:
        return render(request, "studio/revert.html", {"release": release, "found": found, **_state(request)})
    if found.new is None:
        messages.warning(
            request, gettext("Nothing was reverted: everything is already as before, or has changed since.")
        )
        return redirect("studio_release", number)
    left = gettext(" Left unchanged: {count}.").format(count=len(found.left)) if found.left else ""
    pinned = f" {pin}" if (pin := say_pins()) else ""
    messages.success(
        request,
        gettext("Release {number} is reverted by release {new}.{left}{pinned}").format(
            number=number, new=found.new, left=left, pinned=pinned
        ),
    )
    return redirect("studio_release", found.new)


@require_POST
@for_publishers
def resume_live(request: HttpRequest) -> HttpResponse:
    return _ask(request, None, gettext("The sites show the newest release again."), reverse("wagtailadmin_home"))


def lead_from_before(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Redirect from the old URLs of releases, which bookmarks and e-mails have."""
    return redirect(reverse("studio_releases") + rest, permanent=True)


URLS: Final[list[URLPattern]] = [
    path("reports/releases/", lead_from_before),
    path("reports/releases/<path:rest>", lead_from_before),
    path("releases/", list_releases, name="studio_releases"),
    path("releases/resume/", resume_live, name="studio_resume"),
    path("releases/<int:number>/", show_release, name="studio_release"),
    path("releases/<int:number>/show-again/", show_again, name="studio_show_again"),
    path("releases/<int:number>/revert/", revert_release, name="studio_revert"),
]


class ReleasesItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(gettext_lazy("Releases"), reverse("studio_releases"), icon_name="history", order=250)

    def is_shown(self, request: HttpRequest) -> bool:
        return may_publish_everywhere(request.user) or may(request.user, Action.SEE)


def _ask(request: HttpRequest, release: int | None, done: str, where: str) -> HttpResponse:
    """Send a request to the publisher and show its result."""
    assert isinstance(request.user, User)
    asked = ask(release, name_of(request.user))
    answer = _wait_for(asked.pk)
    if answer.done_at is None:
        failure = f" {found}" if (found := find_failure()) else ""
        messages.warning(
            request,
            gettext(
                "The request is stored, and the publisher carries it out next. If this takes long, ask an "
                "administrator whether the publisher is running.{failure}"
            ).format(failure=failure),
        )
    elif answer.problem:
        messages.error(
            request,
            gettext("The request failed. Visitors see the same as before. {problem}").format(problem=answer.problem),
        )
    else:
        messages.success(request, done)
    return redirect(where)


def _wait_for(id: int) -> LiveRequest:
    deadline = time.monotonic() + _WAIT_S
    while (asked := LiveRequest.objects.get(pk=id)).done_at is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return asked


def find_release(number: int, row: Release | None = None) -> ReleaseInfo:
    """Return a release. Raises Http404. Pass ``row`` if you have read it already."""
    row = row or Release.objects.filter(number=number).first()
    if row is None:
        raise Http404(f"There is no release {number}.")
    return ReleaseInfo(row.number, row.created_at, row.created_by, row.note, row.added, row.changed, row.removed)


def _list_pages(site: SiteStatus) -> PagesRow:
    origin = settings.SITE_ORIGINS[site.site]
    shown = [(path, page_url(origin, path)) for path in site.pages[:_MOST_PAGES]]
    return PagesRow(site_name(site.site), site.is_every, shown, max(0, len(site.pages) - len(shown)), site.gone)


def _read_live() -> LivePointer | None:
    try:
        return read_live(settings.BUILDS_DIR)
    except BuildError:  # the publisher reports it
        return None


def _state(request: HttpRequest) -> dict[str, Any]:
    live = _read_live()
    return {
        "pinned": say_pins(),
        "is_pinned": bool(live and live.pins),
        "waiting": waiting_request(),
        "may_resume": may_publish_everywhere(request.user),
        "newest": Release.objects.values_list("number", flat=True).first(),
    }


def _say_shown(live: LivePointer | None, number: int) -> str:
    if live is None or not live.releases:
        return ""
    sites = [site for site, release in live.releases.items() if release == number]
    return name_sites_after_on(sites) if sites else ""


def _preview(reader: ReleaseReader, number: int) -> Preview:
    """Compare the release with each live site.

    Sites with the same release view are compared once.
    """
    live = _read_live()
    wanted = release_view_of(reader, number)
    compared: dict[Any, list[ItemChange]] = {}
    changes: dict[ItemId, Pair] = {}
    same = []
    for site in settings.SITES_REGISTRY.sites:
        if live is None or site not in live.builds or not reader.exists(live.releases[site]):
            continue
        shown = release_view_of(reader, live.releases[site]).blocking(live.blocked.get(site, {}))
        key = shown.release, frozenset(shown.blocked.items())
        if key not in compared:
            compared[key] = read_difference(reader, shown, wanted)
        found = [change for change in compared[key] if change.id.site in (site, ALL_SITES)]
        changes |= {change.id: (change.before, change.after) for change in found}
        if not found:
            same.append(site)
    told = tell_changes([changes[id] for id in sorted(changes, key=lambda id: (id.kind in _CARDS, id))])
    rows = [row for row in told.rows if row.detail != gettext("Card")]
    return Preview(rows, told.more, name_sites_after_on(same) if same else "")
