"""What became of editors' changes: still on their way, live, or held back by something to mend."""

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

import orjson
from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Page

from ..content.collections import COLLECTIONS
from ..content.items import PAGE
from ..content.navigation.footer import FooterSettings
from ..content.navigation.menu import MenuSettings
from ..content.page_rows import PAGE_KINDS
from ..content.site_records import SiteRecord
from ..publisher.outcome import read_outcome
from ..publisher.problem import Problem
from ..releases.models import PendingChange, Release, ReleaseItem

_FRESH_S: Final = 10
"""So long after a publish it is still news to whoever opens a screen."""
_SLOW_S: Final = 30
_FORMS: Final[dict[str, type[Any]]] = {"the menu": MenuSettings, "the footer": FooterSettings}
_KEY: Final = re.compile(r"page '([0-9a-f]{8}-[0-9a-f-]{27})'")
_PLACE: Final = re.compile(r"\b[a-z_]+(?:\.(?:\d+|[a-z_]+))+\b")


class ProblemRow(NamedTuple):
    text: str
    edit_url: str
    """Where to mend it, if that is known; else empty."""


class State(NamedTuple):
    state: Literal["live", "waiting", "held"]
    text: str
    """A line for editors; empty where there is nothing to say."""


def show_state(request: HttpRequest) -> JsonResponse:
    """For the studio's script, which asks after each change."""
    state = find_state()
    reply = JsonResponse({**state._asdict(), "home": reverse("wagtailadmin_home")})
    reply["Cache-Control"] = "no-store"
    return reply


def find_state() -> State:
    outcome = read_outcome(settings.BUILDS_DIR)
    release = Release.objects.first()
    if outcome and outcome.failure:
        return State("held", "Changes are saved, but publishing fails at the moment.")
    if since := _waiting_since(release, outcome.release if outcome else 0):
        slow = (timezone.now() - since).total_seconds() > _SLOW_S
        return State("waiting", "Still waiting to go live: is the publisher running?" if slow else "Going live…")
    held = list_problems()
    if held:
        one = len(held) == 1
        count = "One problem keeps" if one else f"{len(held)} problems keep"
        return State("held", f"{count} changes from going live until {'it is' if one else 'they are'} mended.")
    if outcome and (timezone.now() - datetime.fromisoformat(outcome.at)).total_seconds() < _FRESH_S:
        return State("live", "Your changes are live.")
    return State("live", "")


def list_problems() -> list[ProblemRow]:
    """Everything to mend, each thing once: an inherited page has the same problem on every heir."""
    rows: dict[str, ProblemRow] = {}
    for change in PendingChange.objects.exclude(problem="").order_by("pk"):
        rows.setdefault(change.problem, ProblemRow(change.problem, _url_of_change(change)))
    outcome = read_outcome(settings.BUILDS_DIR)
    return [*rows.values(), *_list_gate_problems(outcome.problems if outcome else ())]


def find_failure() -> str:
    """What stopped the publisher itself, in its own words: for whoever runs it."""
    outcome = read_outcome(settings.BUILDS_DIR)
    return outcome.failure if outcome else ""


def _waiting_since(release: Release | None, published: int) -> datetime | None:
    pending = PendingChange.objects.filter(problem="").order_by("pk").first()
    if pending:
        return pending.noted_at
    return release.created_at if release and release.number > published else None


def _list_gate_problems(problems: Iterable[Problem]) -> list[ProblemRow]:
    """What the publisher found. The same thing on many pages of a site, and on its heirs, is mended in one place."""
    alike: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in sorted(problems, key=_heirs_last):
        alike[problem.site, problem.what].append(problem)
    rows: dict[tuple[str, str], ProblemRow] = {}
    for (_, what), same in alike.items():
        url = _url_of_problem(same[0])
        rows.setdefault((what, url or same[0].site), ProblemRow(_say(same), url))
    return list(rows.values())


def _heirs_last(problem: Problem) -> tuple[bool, Problem]:
    entry = settings.SITES_REGISTRY.sites.get(problem.site)
    return bool(entry and entry.inherits), problem


def _say(same: list[Problem]) -> str:
    first = same[0]
    entry = settings.SITES_REGISTRY.sites.get(first.site)
    site = entry.name if entry else first.site
    where = f"{site}, “{first.title}” ({first.path})" if first.path else site
    more = f" So do {len(same) - 1} more pages." if len(same) > 1 else ""
    return f"{where}: {_in_words(first.what)}.{more} To mend it, {first.mend}."


def _in_words(what: str) -> str:
    """With titles for keys of pages, and ``items 1, submenu 2, link`` for ``items.0.submenu.1.link``."""

    def title(found: re.Match[str]) -> str:
        page = Page.objects.filter(translation_key=found[1]).order_by("pk").first()
        return f"“{page.title}”" if page else found[0]

    def place(found: re.Match[str]) -> str:
        parts = found[0].split(".")
        return "".join(f" {int(part) + 1}" if part.isdigit() else f", {part}" for part in parts).removeprefix(", ")

    return _PLACE.sub(place, _KEY.sub(title, what))


def _url_of_problem(problem: Problem) -> str:
    entry = settings.SITES_REGISTRY.sites.get(problem.site)
    records = {record.key: record for record in SiteRecord.objects.select_related("wagtail_site")}
    if entry is None or problem.site not in records:
        return ""
    if problem.path:
        return _url_of_page(problem.site, _find_key(problem.site, problem.path))
    for begin, form in _FORMS.items():
        if problem.what.startswith(begin):
            own = form.objects.filter(site=records[problem.site].wagtail_site_id).first()
            site = entry.inherits if entry.inherits and not (own and own.is_filled()) else problem.site
            args = (form._meta.app_label, form._meta.model_name, records[site].wagtail_site_id)
            return reverse("wagtailsettings:edit", args=args)
    if problem.what.startswith("the offices"):
        return reverse("wagtailsnippets_content_office:list")
    return reverse("wagtailadmin_pages:edit", args=[records[problem.site].wagtail_site.root_page_id])


def _find_key(site: str, path: str) -> str:
    """Translation key of the page that the newest release has at this path."""
    rows = ReleaseItem.objects.filter(until=None, site=site, kind=PAGE).values_list("key", "body")
    return next((key for key, body in rows.iterator() if _path_of(body) == path), "")


def _path_of(body: Any) -> Any:
    return orjson.loads(bytes(body)).get("path")


def _url_of_change(change: PendingChange) -> str:
    if change.kind in PAGE_KINDS:
        return _url_of_page(change.site, change.key)
    model = COLLECTIONS.get(change.kind)
    entry: Any = model.objects.filter(key=change.key).first() if model else None
    return reverse(entry.snippet_viewset.get_url_name("edit"), args=[entry.pk]) if entry else ""


def _url_of_page(site: str, key: str) -> str:
    page = Page.objects.filter(Q(translation_key=key, locale__record=site)).first() if key else None
    return reverse("wagtailadmin_pages:edit", args=[page.alias_of_id or page.pk]) if page else ""
