"""Show the delivery status of a release on each site.

The screen repeats the check until every site returns the published content. Without scripts, a button does it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.http import require_POST

from ..builds.live import LivePointer, read_live
from ..builds.manifest import BuildError
from ..delivery_status.answers import page_url
from ..delivery_status.site_state import BlockedBy, State
from ..delivery_status.status import DeliveryStatus, Pair, SiteStatus, World, find_delivery_status
from ..delivery_status.verify import Verdict, verify
from ..publisher.history import History
from ..publisher.outcome import read_outcome
from ..releases.connection import connected_reader
from ..releases.reader import ReleaseInfo
from ..releases.verifications import Answered, keep_answers, read_answers
from .blocked import list_problems
from .pins import say_pins
from .release_rights import for_editors
from .site_names import name_sites_after_on, site_name

_NOT_AGAIN_S: Final = 1
"""Minimum seconds between two checks of the sites for one release."""
_MOST_READ: Final = 500
"""The most changed items to read for each view of the status."""
_STATES: Final[Mapping[State, str]] = {
    State.RELEASED: gettext_noop("not live yet"),
    State.RENDERED: gettext_noop("live, not confirmed yet"),
    State.LIVE: gettext_noop("live"),
    State.VERIFIED: gettext_noop("live, verified"),
    State.BLOCKED: gettext_noop("blocked"),
}


class Step(NamedTuple):
    name: str
    is_done: bool
    at: datetime | None
    """None if unknown."""


class SiteRow(NamedTuple):
    site: str
    name: str
    state: State
    said: str
    fix_url: str
    """URL of the form to fix the problem; empty if nothing is blocked or the place is unknown."""
    steps: tuple[Step, ...]
    state_words: str


class Travel(NamedTuple):
    number: int
    rows: list[SiteRow]
    said: str
    """A summary in sentences."""
    is_settled: bool
    """True if no further change is expected."""


@for_editors
def show_travel(request: HttpRequest, number: int) -> HttpResponse:
    return _show(request, number)


@require_POST
@for_editors
def look(request: HttpRequest, number: int) -> HttpResponse:
    """Check the sites and show the status."""
    ask_unless_just_asked(number)
    return _show(request, number) if "part" in request.GET else redirect("studio_release", number)


URLS: Final[list[URLPattern]] = [
    path("releases/<int:number>/travel/", show_travel, name="studio_travel"),
    path("releases/<int:number>/look/", look, name="studio_look"),
]


def read_delivery_status(release: ReleaseInfo, changes: Sequence[Pair]) -> DeliveryStatus:
    """Return the delivery status of a release. Raises BuildError if the live pointer is damaged."""
    world = World(
        settings.BUILDS_DIR, read_live(settings.BUILDS_DIR), read_outcome(settings.BUILDS_DIR), settings.SITE_ORIGINS
    )
    verdicts = {site: Verdict(answered.verdict) for site, answered in read_answers(release.number).items()}
    return find_delivery_status(world, History(settings.BUILDS_DIR, connected_reader()), release, changes, verdicts)


def read_changes(number: int, limit: int | None = None) -> list[Pair]:
    """Return the changes of a release; empty for the first stored one."""
    reader = connected_reader()
    return reader.changes(number - 1, number, limit) if reader.exists(number - 1) else []


def ask_unless_just_asked(number: int) -> None:
    """Check the sites, unless another browser did so a moment ago."""
    if cache.add(f"delivery-status-{number}", True, _NOT_AGAIN_S):
        ask_sites(number)


def ask_sites(number: int) -> bool:
    """Check all sites that do not show the release yet, and store the answers.

    Return whether the status is final.
    """
    release = connected_reader().release(number)
    if release is None:  # it was deleted
        return True
    try:
        found = read_delivery_status(release, _changes_at_hand(release))
        asked = {each.site: each.asked for each in found.sites if each.asked and not each.is_settled}
        seen = verify(settings.BUILDS_DIR, asked.values())
        live = read_live(settings.BUILDS_DIR)
    except BuildError:  # the publisher reports it
        return False
    # If a site has switched to another build meanwhile, its answer may be either.
    answers = {
        site: (answer.verdict, asked[site].build, answer.pages, answer.path, answer.why)
        for site, answer in seen.items()
        if live.builds.get(site) == asked[site].build
    }
    keep_answers(number, answers)
    same = {site for site, (verdict, *_) in answers.items() if verdict == Verdict.SAME}
    return all(each.is_settled or each.site in same for each in found.sites)


def tell_travel(delivery: DeliveryStatus) -> Travel:
    telling = _Telling(delivery)
    rows = [telling.tell(site) for site in delivery.sites]
    return Travel(
        delivery.release.number, rows, _sum_up(delivery.sites), all(each.is_settled for each in delivery.sites)
    )


def find_travel(number: int) -> Travel | None:
    """Return the status of a release; ``None`` if it was deleted or the builds cannot be read."""
    try:
        return _read_travel(number)
    except BuildError:  # the publisher reports it
        return None


def say_answer(site: str, verdict: str, path: str, why: str) -> str:
    """Describe a wrong answer of a site, in one sentence."""
    url = page_url(settings.SITE_ORIGINS[site], path)
    if verdict == Verdict.UNREACHABLE:
        return gettext("{url} could not be checked: {why}.").format(url=url, why=why)
    if verdict == Verdict.EARLIER:
        who = (
            gettext("The CDN still shows")
            if _has_cdn(site)
            else gettext("The edge, or a cache in front of it, still shows")
        )
        return gettext("{who} the previous version of {url}.").format(who=who, url=url)
    return gettext("{url} returns unpublished content (status {status}).").format(url=url, status=why)


class _Telling:
    def __init__(self, delivery: DeliveryStatus) -> None:
        self._release = delivery.release
        self._publishes = delivery.publishes
        self._answers = read_answers(delivery.release.number)
        is_blocked = any(each.state is State.BLOCKED for each in delivery.sites)
        self._problems = list_problems() if is_blocked else []
        self._live: LivePointer = read_live(settings.BUILDS_DIR)

    def tell(self, found: SiteStatus) -> SiteRow:
        answered = self._answers.get(found.site)
        said, fix_url = self._say(found, answered)
        is_seen_earlier = found.state is State.RENDERED and answered and answered.verdict == Verdict.EARLIER
        words = gettext(_STATES[State.RELEASED if is_seen_earlier else found.state])
        steps = self._steps(found, answered)
        return SiteRow(found.site, site_name(found.site), found.state, said, fix_url, steps, words)

    def _steps(self, found: SiteStatus, answered: Answered | None) -> tuple[Step, ...]:
        is_verified = found.state is State.VERIFIED
        is_live = is_verified or found.state is State.LIVE
        is_rendered = is_live or found.state is State.RENDERED
        served = found.served_at or (found.live_at if is_live else "")
        return (
            Step(gettext("Snapshot"), True, self._release.created_at),
            Step(gettext("Rendered and checked"), is_rendered, _time(found.live_at) if is_rendered else None),
            Step(gettext("Live"), is_live, _time(served) if is_live else None),
            Step(gettext("Verified"), is_verified, answered.at if answered and is_verified else None),
        )

    def _say(self, found: SiteStatus, answered: Answered | None) -> tuple[str, str]:
        name = site_name(found.site)
        match found.state:
            case State.BLOCKED:
                return self._say_blocked(found)
            case State.RELEASED:
                return gettext("Not live on {name} yet: it is saved and is going live.").format(name=name), ""
            case State.VERIFIED if answered:
                origin = settings.SITE_ORIGINS[found.site]
                if answered.pages == 1 and found.asked:
                    return gettext("{page_url} shows the published version.").format(
                        page_url=page_url(origin, found.asked.paths[0])
                    ), ""
                return ngettext(
                    "{pages} page at {origin} shows the published version.",
                    "{pages} pages at {origin} show the published version.",
                    answered.pages,
                ).format(pages=answered.pages, origin=origin), ""
            case State.RENDERED:
                return self._say_not_seen(found, answered), ""
            case _:
                return self._say_live(found, answered), ""

    def _say_not_seen(self, found: SiteStatus, answered: Answered | None) -> str:
        name = site_name(found.site)
        if answered is None:
            return gettext("Live on {name}. The site has not been checked yet.").format(name=name)
        said = say_answer(found.site, answered.verdict, answered.path, answered.why)
        if answered.verdict == Verdict.UNREACHABLE:
            return gettext("Live on {name}, but not confirmed. {said}").format(name=name, said=said)
        return gettext("Not live on {name} yet. {reason}").format(name=name, reason=said)

    def _say_live(self, found: SiteStatus, answered: Answered | None) -> str:
        if found.asked is None:
            is_replaced = self._live.releases.get(found.site, 0) > self._release.number and bool(found.build)
            return (
                gettext("It was live and is replaced by later releases.")
                if is_replaced
                else gettext("It is live. No page of this site changed.")
            )
        if answered is None:
            return gettext("An edge serves it. The site has not been checked yet.")
        url = page_url(settings.SITE_ORIGINS[found.site], answered.path)
        if answered.verdict == Verdict.UNREACHABLE:
            return gettext("An edge serves it. {url} could not be checked from here: {why}.").format(
                url=url, why=answered.why
            )
        return gettext(
            "An edge serves it, but {url} returns other content (status {status}): a server in front of the site "
            "changes pages."
        ).format(url=url, status=answered.why)

    def _say_blocked(self, found: SiteStatus) -> tuple[str, str]:
        name = site_name(found.site)
        if found.waits_for is BlockedBy.PIN:
            return gettext("Not live on {name} yet. {pins}").format(name=name, pins=say_pins([found.site])), reverse(
                "wagtailadmin_home"
            )
        if found.waits_for is BlockedBy.FAILURE:
            return gettext(
                "Not live on {name} yet: publishing fails at the moment. It is retried automatically."
            ).format(name=name), reverse("wagtailadmin_home")
        problem = next((each for each in self._problems if found.site in each.sites), None)
        what = (
            gettext("This version is not live on {name}:").format(name=name)
            if found.waits_for is BlockedBy.CHANGE
            else gettext("Not live on {name} yet:").format(name=name)
        )
        if problem is None:
            return gettext("{what} fix a problem first.").format(what=what), reverse("wagtailadmin_home")
        return f"{what} {problem.text}", problem.edit_url or reverse("wagtailadmin_home")


def _read_travel(number: int) -> Travel | None:
    """Return the status of a release, or ``None`` if there is none with this number."""
    release = connected_reader().release(number)
    return tell_travel(read_delivery_status(release, _changes_at_hand(release))) if release else None


def _changes_at_hand(release: ReleaseInfo) -> list[Pair]:
    """Return the changes of a release; empty if it is large, because they are read repeatedly. The render logs then
    name all pages.
    """
    return [] if is_large(release) else read_changes(release.number)


def is_large(release: ReleaseInfo) -> bool:
    """Return whether a release has too many changes to read them often."""
    return release.items > _MOST_READ


def _show(request: HttpRequest, number: int) -> HttpResponse:
    try:
        travel = _read_travel(number)
    except BuildError as error:
        return render(request, "studio/travel.html", {"failure": str(error)})
    reply = render(request, "studio/travel.html", {"travel": travel})
    reply["Cache-Control"] = "no-store"
    return reply


def _sum_up(sites: Sequence[SiteStatus]) -> str:
    by_state: dict[State, list[str]] = {}
    for each in sites:
        by_state.setdefault(each.state, []).append(each.site)
    words: Mapping[State, str] = {
        State.VERIFIED: gettext("Verified on {sites}."),
        State.LIVE: gettext("Live on {sites}."),
        State.BLOCKED: gettext("Blocked on {sites}."),
        State.RENDERED: gettext("Live on {sites}, not confirmed yet."),
        State.RELEASED: gettext("Not live on {sites} yet."),
    }
    return " ".join(
        words[state].format(sites=name_sites_after_on(by_state[state])) for state in words if state in by_state
    )


def _has_cdn(site: str) -> bool:
    return settings.SITES_REGISTRY.cdn_of(site, settings.ENVIRONMENT) is not None


def _time(moment: str) -> datetime | None:
    return datetime.fromisoformat(moment) if moment else None
