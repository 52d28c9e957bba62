"""List blocked changes: the problem, the authors, and the place to fix it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from pydantic.alias_generators import to_snake
from wagtail.models import Page

from ..content.changes import keys_of
from ..content.collections import COLLECTIONS
from ..content.items import PAGE, ItemKey
from ..content.once import once
from ..content.page_rows import PAGE_KINDS
from ..content.pages.base import SitePage
from ..content.quoted import quoted
from ..content.site_records import SiteRecord
from ..domain.problem_texts import say
from ..domain.problems import BlockedChange, Problem, ProblemDetail, Subject, unpack_all
from ..publisher.outcome import Outcome, read_outcome
from ..releases.author import name_authors
from ..releases.index import chunks
from ..releases.models import PendingChange, Release, ReleaseItem
from ..releases.reader import ItemId
from .edit_urls import Editable, find_editables
from .problem_names import StudioNames, at_source, heirs_last, say_in_studio
from .site_names import site_name

_NAMED: Final = 4
"""The most pages of one problem to name. Thousands may have the same problem; only named pages are looked up."""
_KEYS_PER_QUERY: Final = 500  # old builds of SQLite take at most 999 parameters


class Place(NamedTuple):
    """A place to fix a problem."""

    title: str
    edit_url: str
    """Empty if it cannot be edited in the studio."""


class ProblemRow(NamedTuple):
    text: str
    edit_url: str
    """URL of the form to fix it; empty if unknown."""
    effect: str = ""
    """The version that visitors see until the problem is fixed."""
    by: str = ""
    """Names of the authors of blocked changes."""
    more: tuple[Place, ...] = ()
    """Other pages with the same problem that are named."""
    unnamed: int = 0
    """Number of further pages."""
    sites: frozenset[str] = frozenset()
    """Sites with a change that this problem blocks."""
    stopped: frozenset[str] = frozenset()
    """Sites that this problem blocks entirely."""


class _Waiting(NamedTuple):
    """A problem and the change that it blocks; None if it blocks a whole site."""

    problem: Problem
    change: BlockedChange | None = None
    by: str = ""
    is_live: bool = False
    """True if visitors see the problem, because the site had no earlier version to serve."""


def connect() -> None:
    SitePage.find_blocked = staticmethod(say_why_blocked)


def list_problems() -> list[ProblemRow]:
    """List all problems, each once: inherited pages have the same problem on every inheriting site."""
    waiting = _list_waiting()
    names = StudioNames()
    merged: dict[Problem, list[_Waiting]] = defaultdict(list)
    by_problem: dict[Problem, list[_Waiting]] = defaultdict(list)
    for row in waiting:
        by_problem[row.problem].append(row)
    for problem in heirs_last(by_problem):
        merged[at_source(problem)].extend(by_problem[problem])
    alike: dict[tuple[str, ProblemDetail, str], list[list[_Waiting]]] = defaultdict(list)
    for same in merged.values():
        alike[same[0].problem.site, same[0].problem.detail, name_authors(row.by for row in same)].append(same)
    named = [same[0].problem.subject for groups in alike.values() for same in groups[: 1 + _NAMED]]
    links = _find_places(named)
    rows = []
    for (_, _, by), groups in alike.items():
        first = groups[0][0].problem
        all_waiting = [row for same in groups for row in same]
        rows.append(
            ProblemRow(
                say(first, names),
                links[first.subject].edit_url,
                _say_effect(all_waiting),
                by,
                tuple(links[same[0].problem.subject] for same in groups[1 : 1 + _NAMED]),
                max(0, len(groups) - 1 - _NAMED),
                frozenset((row.change.site if row.change else "") or row.problem.site for row in all_waiting),
                frozenset(row.problem.site for row in all_waiting if row.change is None and not row.is_live),
            )
        )
    return rows


def say_why_blocked(page: Page) -> str:
    """Explain why a published page is blocked; empty if visitors see its newest version."""
    outcome = once("outcome", lambda: read_outcome(settings.BUILDS_DIR))
    refused = PendingChange.objects.exclude(problem="")
    is_refused = once("whether anything is refused", refused.exists)
    rows = list(refused.filter(kind__in=PAGE_KINDS, key=str(page.translation_key))) if is_refused else []
    if not rows and not (outcome and outcome.blocked):
        return ""
    keys = keys_of(page)
    found = [
        problem for row in rows if ItemKey(*_id_of(row)) in keys for problem in unpack_all(row.problem, _id_of(row))
    ]
    if not found and outcome:
        found = [blocked.problem for blocked in outcome.blocked if ItemKey(*blocked[:3]) in keys]
    return " ".join(say_in_studio(dict.fromkeys(found)))


def _list_waiting() -> list[_Waiting]:
    outcome = read_outcome(settings.BUILDS_DIR)
    waiting = _list_refused_by_releases()
    if outcome:
        authors = _find_authors(outcome)
        waiting += [_Waiting(problem) for problem in outcome.problems]
        waiting += [_Waiting(change.problem, change, authors[change]) for change in outcome.blocked]
        waiting += [_Waiting(problem, is_live=True) for problem in outcome.live_problems]
    return waiting


def _list_refused_by_releases() -> list[_Waiting]:
    """List changes that could not be added to a release, one row for each author."""
    waiting = []
    refused = list(PendingChange.objects.exclude(problem="").order_by("pk"))
    there = {ItemId(*row[:3]) for row in _find_rows(map(_id_of, refused), Q(until=None))}
    for row in refused:
        id = _id_of(row)
        for problem in unpack_all(row.problem, id):
            title = problem.subject.title if id.kind == PAGE else ""
            waiting.append(_Waiting(problem, BlockedChange(*id, title, 0, id in there, problem), row.by))
    return waiting


def _find_rows(ids: Iterable[ItemId], wanted: Q) -> Iterator[tuple[str, str, str, int, int | None]]:
    """Yield site, kind, key, ``since`` and ``until`` of rows of these items.

    Queries are split, because one unpublished page can block thousands of items.
    """
    unique = set(ids)
    for some in chunks(sorted({id.key for id in unique}), _KEYS_PER_QUERY):
        rows = ReleaseItem.objects.filter(wanted, key__in=some, kind__in={id.kind for id in unique})
        for row in rows.values_list("site", "kind", "key", "since", "until"):
            if ItemId(*row[:3]) in unique:
                yield row


def _id_of(change: PendingChange) -> ItemId:
    return ItemId(change.site, change.kind, change.key)


def _find_authors(outcome: Outcome) -> dict[BlockedChange, str]:
    """Return the authors of blocked changes, from their releases."""
    moments: dict[ItemId, set[int]] = defaultdict(set)
    for site, kind, key, since, until in _find_rows((ItemId(*change[:3]) for change in outcome.blocked), Q()):
        moments[ItemId(site, kind, key)] |= {since, until or 0}
    after = min((change.release for change in outcome.blocked), default=0)
    by = dict(Release.objects.filter(number__gt=after).order_by("number").values_list("number", "created_by"))
    return {
        change: name_authors(
            by[number] for number in sorted(moments[ItemId(*change[:3])]) if number > change.release and number in by
        )
        for change in outcome.blocked
    }


def _say_effect(waiting: Iterable[_Waiting]) -> str:
    rows = list(waiting)
    failed = list(dict.fromkeys(row.problem.site for row in rows if row.change is None and not row.is_live))
    said = [
        gettext("{site_name} stays at its last release: no new content goes live there.").format(
            site_name=site_name(site)
        )
        for site in failed
    ]
    if any(row.is_live for row in rows):
        said.append(gettext("Visitors see this version: there is no earlier one to show."))
    changes = [row.change for row in rows if row.change and row.change.site not in failed]
    shown = {(change.site, change.key): change for change in sorted(changes, key=lambda change: change.kind != PAGE)}
    own = {row.problem.site for row in rows}
    for is_there, sentence in (
        (True, gettext("Visitors{where} still see the previous version of {names}.")),
        (False, gettext("Visitors{where} do not see {names} yet.")),
    ):
        some = [change for change in shown.values() if change.is_there == is_there]
        by_key = {change.key: change for change in reversed(some)}
        sites = [site_name(change.site) for change in some if change.site]
        where = (
            gettext(" of {sites}").format(sites=_join(sites)) if {change.site for change in some} - own - {""} else ""
        )
        if some:
            said.append(sentence.format(where=where, names=_name_some([*reversed(by_key.values())])))
    return " ".join(said)


def _name_some(changes: list[BlockedChange]) -> str:
    named, more = changes[:_NAMED], len(changes) - _NAMED
    editables = find_editables([ItemId(*change[:3]) for change in named if not change.title])
    said = _join(_say_title(change, editables) for change in named)
    return said + gettext(" and {more} more").format(more=more) if more > 0 else said


def _say_title(change: BlockedChange, editables: Mapping[ItemId, Editable]) -> str:
    editable = editables.get(ItemId(*change[:3]))
    return quoted(change.title) if change.title else editable.title if editable else change.kind


def _join(titles: Iterable[str]) -> str:
    unique = list(dict.fromkeys(titles))
    more = gettext(" and {more} more").format(more=len(unique) - 4) if len(unique) > 4 else ""
    return ", ".join(unique[:4]) + more


def _find_places(subjects: Iterable[Subject]) -> dict[Subject, Place]:
    """Return the forms of the subjects, opened at the block or field if known."""
    unique = list(dict.fromkeys(subjects))
    editables = find_editables([_item(subject) for subject in unique if subject.key])
    return {subject: _find_place(subject, editables.get(_item(subject))) for subject in unique}


def _find_place(subject: Subject, editable: Editable | None) -> Place:
    if editable:
        return Place(editable.title, editable.edit_url and editable.edit_url + _find_fragment(subject))
    if subject.kind in COLLECTIONS and not subject.key:
        viewset = COLLECTIONS[subject.kind].snippet_viewset
        return Place(subject.kind, reverse(viewset.get_url_name("list")))
    if not subject.kind and subject.site:
        root = SiteRecord.objects.filter(key=subject.site).values_list("wagtail_site__root_page_id", flat=True).first()
        return Place(site_name(subject.site), reverse("wagtailadmin_pages:edit", args=[root]) if root else "")
    return Place(subject.title, "")


def _find_fragment(subject: Subject) -> str:
    """Return the URL fragment with which Wagtail opens the form at a field."""
    if subject.block:
        return f"#:w:contentpath=body.{subject.block.id}" if subject.block.id else ""
    field = to_snake(subject.field.partition(".")[0])
    return f"#:w:contentpath={field}" if field and subject.kind != PAGE else ""


def _item(subject: Subject) -> ItemId:
    return ItemId(subject.site, subject.kind, subject.key)
