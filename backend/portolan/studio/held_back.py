"""Changes that were published and that visitors do not see yet: why, whose they are, and where to fix them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import orjson
from django.conf import settings
from django.urls import reverse
from wagtail.models import Page

from ..content.changes import keys_of
from ..content.collections import COLLECTIONS
from ..content.items import ALL_SITES, FOOTER, MAIN, MENU, PAGE, REDIRECT
from ..content.page_rows import PAGE_KINDS
from ..content.pages.base import SitePage
from ..content.site_records import SiteRecord
from ..publisher.outcome import Outcome, read_outcome
from ..publisher.problem import HeldChange, PublishProblem
from ..releases.author import name_authors
from ..releases.models import PendingChange, Release, ReleaseItem
from ..releases.reader import ItemId
from .edit_urls import find_editables
from .site_names import site_name

_KEY: Final = re.compile(r"page '([0-9a-f]{8}-[0-9a-f-]{27})'")
_PLACE: Final = re.compile(r"\b[a-z_]+(?:\.(?:\d+|[a-z_]+))+\b")


class ProblemRow(NamedTuple):
    text: str
    edit_url: str
    """Where to fix it, if that is known; else empty."""
    effect: str = ""
    """What visitors see until then."""
    by: str = ""
    """Whose changes wait for it."""


def connect() -> None:
    SitePage.find_held = staticmethod(say_what_is_held)


def list_problems() -> list[ProblemRow]:
    """All problems to fix, each once: an inherited page has the same problem on every inheriting site."""
    outcome = read_outcome(settings.BUILDS_DIR)
    return [*_list_refused_by_releases(), *(_list_refused_by_gate(outcome) if outcome else ())]


def say_what_is_held(page: Page) -> str:
    """Why visitors do not see the last published state of a page; empty if they do."""
    outcome = read_outcome(settings.BUILDS_DIR)
    refused = PendingChange.objects.exclude(problem="")
    if not (outcome and outcome.held) and not refused.exists():
        return ""
    keys = keys_of(page)
    for change in refused.filter(kind__in=PAGE_KINDS, key=str(page.translation_key)):
        if (change.site, change.kind, change.key) in keys:
            return str(change.problem)
    for held in outcome.held if outcome else ():
        if (held.site, held.kind, held.key) in keys:
            return _say([held.problem])
    return ""


def _list_refused_by_releases() -> list[ProblemRow]:
    """What could not be frozen."""
    rows: dict[str, list[PendingChange]] = defaultdict(list)
    for change in PendingChange.objects.exclude(problem="").order_by("pk"):
        rows[change.problem].append(change)
    return [
        ProblemRow(
            problem, _url_of(changes[0]), "Visitors see the last good state of it.", name_authors(c.by for c in changes)
        )
        for problem, changes in rows.items()
    ]


def _url_of(change: PendingChange) -> str:
    return _edit_url(ItemId(change.site, change.kind, change.key))


def _list_refused_by_gate(outcome: Outcome) -> list[ProblemRow]:
    """Problems of the gate. One that many pages share, or that inheriting sites repeat, is listed once, because it is
    fixed in one place."""
    alike: dict[tuple[str, str], list[PublishProblem]] = defaultdict(list)
    for problem in sorted(outcome.every_problem(), key=_heirs_last):
        alike[problem.site, problem.what].append(problem)
    rows: dict[tuple[str, str], ProblemRow] = {}
    for (site, what), same in alike.items():
        url = _url_of_problem(same[0])
        waiting = [change for change in outcome.held if change.problem in same]
        fails = any(problem in outcome.problems for problem in same)
        row = ProblemRow(_say(same), url, _say_effect(waiting, site if fails else ""), _name_authors(waiting))
        rows.setdefault((what, url or site), row)
    return list(rows.values())


def _say_effect(waiting: Iterable[HeldChange], failed: str) -> str:
    changes = list(waiting)
    if failed:
        return f"{site_name(failed)} stays as it was: nothing new goes live there."
    shown = {(change.site, change.key): change for change in sorted(changes, key=lambda change: change.kind != PAGE)}
    titles = {True: list[str](), False: list[str]()}
    editables = find_editables([ItemId(*change[:3]) for change in shown.values()])
    for change in shown.values():
        editable = editables.get(ItemId(*change[:3]))
        titles[change.is_there].append(
            f"“{change.title}”" if change.title else editable.title if editable else change.kind
        )
    said = [
        f"Visitors {sees} {_join(titles[is_there])}{end}"
        for is_there, sees, end in ((True, "see", " as before."), (False, "do not see", " yet."))
        if titles[is_there]
    ]
    return " ".join(said)


def _join(titles: Iterable[str]) -> str:
    unique = list(dict.fromkeys(titles))
    more = f" and {len(unique) - 4} more" if len(unique) > 4 else ""
    return ", ".join(unique[:4]) + more


def _name_authors(waiting: Iterable[HeldChange]) -> str:
    """Who made the changes, from the releases that hold them."""
    numbers: set[int] = set()
    for change in waiting:
        rows = ReleaseItem.objects.filter(site=change.site, kind=change.kind, key=change.key)
        numbers |= {*rows.filter(since__gt=change.release).values_list("since", flat=True)}
        numbers |= {until for until in rows.filter(until__gt=change.release).values_list("until", flat=True) if until}
    return name_authors(
        Release.objects.filter(number__in=numbers).order_by("number").values_list("created_by", flat=True)
    )


def _heirs_last(problem: PublishProblem) -> tuple[bool, PublishProblem]:
    entry = settings.SITES_REGISTRY.sites.get(problem.site)
    return bool(entry and entry.inherits), problem


def _say(same: list[PublishProblem]) -> str:
    first = same[0]
    site = site_name(first.site)
    where = f"{site}, “{first.title}” ({first.path})" if first.path else site
    more = f" So do {len(same) - 1} more pages." if len(same) > 1 else ""
    return f"{where}: {_in_words(first.what)}.{more} To fix it, {first.fix}."


def _in_words(what: str) -> str:
    """The text with pages' titles in place of their keys, and ``items 1, submenu 2, link`` for
    ``items.0.submenu.1.link``."""

    def title(found: re.Match[str]) -> str:
        page = Page.objects.filter(translation_key=found[1]).order_by("pk").first()
        return f"“{page.title}”" if page else found[0]

    def place(found: re.Match[str]) -> str:
        parts = found[0].split(".")
        return "".join(f" {int(part) + 1}" if part.isdigit() else f", {part}" for part in parts).removeprefix(", ")

    return _PLACE.sub(place, _KEY.sub(title, what))


def _url_of_problem(problem: PublishProblem) -> str:
    roots: Mapping[str, Any] = {
        record.key: record.wagtail_site for record in SiteRecord.objects.select_related("wagtail_site")
    }
    if problem.site not in roots:
        return ""
    if problem.kind == REDIRECT:
        return _edit_url(ItemId(problem.site, REDIRECT, problem.path))
    if problem.path:
        return _edit_url(ItemId(problem.site, PAGE, _find_key(problem.site, problem.path)))
    if problem.kind in (MENU, FOOTER):
        return _edit_url(ItemId(problem.site, problem.kind, MAIN))
    if problem.kind in COLLECTIONS:
        return reverse(COLLECTIONS[problem.kind].snippet_viewset.get_url_name("list"))
    return reverse("wagtailadmin_pages:edit", args=[roots[problem.site].root_page_id])


def _edit_url(item: ItemId) -> str:
    found = find_editables([item]).get(item) if item.key and item.site != ALL_SITES else None
    return found.edit_url if found else ""


def _find_key(site: str, path: str) -> str:
    """Translation key of the page that the newest release has at this path."""
    rows = ReleaseItem.objects.filter(until=None, site=site, kind=PAGE).values_list("key", "body")
    return next((key for key, body in rows.iterator() if orjson.loads(bytes(body)).get("path") == path), "")
