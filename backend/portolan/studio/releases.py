"""Releases in the studio: who published what when, what it changed, and the two ways back. For editors who may publish on
every site.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.views.decorators.http import require_POST
from wagtail.admin import messages
from wagtail.admin.menu import MenuItem
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy

from ..builds.live import LivePointer, read_live
from ..builds.manifest import BuildError
from ..content.entered import NotPossible
from ..releases.connection import connected_reader
from ..releases.diff import ItemChange as DiffChange
from ..releases.diff import compare_items
from ..releases.edition import ItemChange, edition_of, read_difference
from ..releases.live_requests import ask, waiting_request
from ..releases.models import LiveRequest, Release
from ..releases.reader import ALL_SITES, ItemId, ReleaseInfo, ReleaseReader
from .authors import name_of
from .holds import say_holds
from .publish_status import find_failure
from .release_changes import ChangeRow, list_changes, say_changes, sum_up
from .site_names import name_sites
from .take_back import take_back

_A_PAGE: Final = 20
_WAIT_S: Final = 4
"""Going back is usually done in a fraction of this time. After it, the editor is told that it is on its way."""


_ANSWER: Final = "_may_publish_everywhere"


def may_publish_everywhere(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Asked once for a request: several items of the menu depend on it, on every page of the studio."""
    if (known := getattr(user, _ANSWER, None)) is None:
        root = Page.get_first_root_node()
        known = bool(PagePermissionPolicy().user_has_permission_for_instance(user, "publish", root))
        setattr(user, _ANSWER, known)
    return bool(known)


def for_publishers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A screen for who may publish everywhere."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_publish_everywhere(request.user):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked


class ReleaseRow(NamedTuple):
    release: ReleaseInfo
    what: str
    shown: str
    """Which sites show it: all, or their names; empty for none."""


class Preview(NamedTuple):
    changes: list[ChangeRow]
    same: str
    """Names of the live sites on which nothing changes."""


@for_publishers
def list_releases(request: HttpRequest) -> HttpResponse:
    reader = connected_reader()
    pages = Paginator(Release.objects.values_list("number", flat=True), _A_PAGE)
    page = pages.get_page(request.GET.get("p"))
    numbers = set(page)
    live = _read_live()
    rows = [
        ReleaseRow(release, sum_up(reader, release), _say_shown(live, release.number))
        for release in reader.releases(page.end_index())
        if release.number in numbers
    ]
    return render(request, "studio/releases.html", {"rows": rows, "page": page, **_state()})


@for_publishers
def show_release(request: HttpRequest, number: int) -> HttpResponse:
    reader = connected_reader()
    release = _find(reader, number)
    is_first = not reader.exists(number - 1)
    context = {
        "release": release,
        "changes": [] if is_first else list_changes(reader, number - 1, number),
        "is_first": is_first,
        "shown": _say_shown(_read_live(), number),
        **_state(),
    }
    return render(request, "studio/release.html", context)


@for_publishers
def show_again(request: HttpRequest, number: int) -> HttpResponse:
    """What visitors would see again, site by site; and, when that is confirmed, the request to the publisher."""
    reader = connected_reader()
    release = _find(reader, number)
    if request.method == "POST":
        done = f"Every site shows release {number} now, and stays there until somebody resumes."
        return _ask(request, number, done, reverse("studio_release", args=[number]))
    context = {"release": release, **_preview(reader, number)._asdict(), **_state()}
    return render(request, "studio/show_again.html", context)


@for_publishers
def take_release_back(request: HttpRequest, number: int) -> HttpResponse:
    """What would be entered again, and what is left and why; and, when that is confirmed, the doing."""
    assert isinstance(request.user, User)
    release = _find(connected_reader(), number)
    is_trial = request.method != "POST"
    try:
        found = take_back(number, name_of(request.user), request.user, is_trial)
    except NotPossible as error:
        messages.error(request, str(error))
        return redirect("studio_release", number)
    if is_trial:
        return render(request, "studio/take_back.html", {"release": release, "found": found, **_state()})
    if found.new is None:
        messages.warning(request, "Nothing was taken back: all of it is as before already, or was changed since.")
        return redirect("studio_release", number)
    left = f" {len(found.left)} left as they are." if found.left else ""
    on_hold = f" {hold}" if (hold := say_holds()) else ""
    messages.success(request, f"Release {number} is taken back, by release {found.new}.{left}{on_hold}")
    return redirect("studio_release", found.new)


@require_POST
@for_publishers
def resume_live(request: HttpRequest) -> HttpResponse:
    return _ask(request, None, "The sites follow the newest release again.", reverse("wagtailadmin_home"))


URLS: Final[list[URLPattern]] = [
    path("reports/releases/", list_releases, name="studio_releases"),
    path("reports/releases/resume/", resume_live, name="studio_resume"),
    path("reports/releases/<int:number>/", show_release, name="studio_release"),
    path("reports/releases/<int:number>/show-again/", show_again, name="studio_show_again"),
    path("reports/releases/<int:number>/take-back/", take_release_back, name="studio_take_back"),
]


class ReleasesItem(MenuItem):
    def __init__(self) -> None:
        super().__init__("Releases", reverse("studio_releases"), icon_name="history", order=100)

    def is_shown(self, request: HttpRequest) -> bool:
        return may_publish_everywhere(request.user)


def _ask(request: HttpRequest, release: int | None, done: str, where: str) -> HttpResponse:
    """Ask the publisher, and say what became of it."""
    assert isinstance(request.user, User)
    asked = ask(release, name_of(request.user))
    answer = _wait_for(asked.pk)
    if answer.done_at is None:
        failure = f" {found}" if (found := find_failure()) else ""
        messages.warning(
            request,
            f"It is noted, and done as soon as the publisher gets to it. If nothing happens, it is not running.{failure}",
        )
    elif answer.problem:
        messages.error(request, f"That was not possible, and nothing has changed for visitors. {answer.problem}")
    else:
        messages.success(request, done)
    return redirect(where)


def _wait_for(id: int) -> LiveRequest:
    deadline = time.monotonic() + _WAIT_S
    while (asked := LiveRequest.objects.get(pk=id)).done_at is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return asked


def _find(reader: ReleaseReader, number: int) -> ReleaseInfo:
    row = Release.objects.filter(number=number).first()
    if row is None:
        raise Http404(f"There is no release {number}.")
    return ReleaseInfo(row.number, row.created_at, row.created_by, row.note, row.added, row.changed, row.removed)


def _read_live() -> LivePointer | None:
    try:
        return read_live(settings.BUILDS_DIR)
    except BuildError:  # the publisher reports it
        return None


def _state() -> dict[str, Any]:
    live = _read_live()
    return {
        "on_hold": say_holds(),
        "is_held": bool(live and live.holds),
        "waiting": waiting_request(),
        "may_resume": True,
        "newest": Release.objects.values_list("number", flat=True).first(),
    }


def _say_shown(live: LivePointer | None, number: int) -> str:
    if live is None or not live.releases:
        return ""
    sites = [site for site, release in live.releases.items() if release == number]
    return name_sites(sites) if sites else ""


def _preview(reader: ReleaseReader, number: int) -> Preview:
    """How the content of the release differs from what each live site shows now. Sites that show the same edition are
    compared once."""
    live = _read_live()
    wanted = edition_of(reader, number)
    compared: dict[Any, list[ItemChange]] = {}
    changes: dict[ItemId, DiffChange] = {}
    same = []
    for site in settings.SITES_REGISTRY.sites:
        if live is None or site not in live.builds or not reader.exists(live.releases[site]):
            continue
        shown = edition_of(reader, live.releases[site]).holding(live.held.get(site, {}))
        key = shown.release, frozenset(shown.held.items())
        if key not in compared:
            compared[key] = read_difference(reader, shown, wanted)
        found = [change for change in compared[key] if change.id.site in (site, ALL_SITES)]
        changes |= {change.id: compare_items(change.before, change.after) for change in found}
        if not found:
            same.append(site)
    rows = [row for row in say_changes(changes[id] for id in sorted(changes)) if row.detail != "Card"]
    return Preview(rows, name_sites(same) if same else "")
