"""Find the effects on visitors when pages change their URLs or are removed. This is pure: callers pass the live state
and the plan.
"""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Final, NamedTuple

from ..domain.redirects import GONE, NOT_IN_BUILDS, RedirectTable, Rule, resolve_redirects
from ..domain.reserved import is_reserved_path
from ..domain.routes import is_page_path
from ..domain.snapshot_bodies import RedirectBody
from ..publisher.redirects import answer_of
from ..releases.index import Page
from ..releases.reader import ItemId

_PAGE: Final = "page"
Planned = Mapping[ItemId, str | None]
"""Changed pages with their new paths, or ``None`` if the page leaves its site."""


class AddressChange(NamedTuple):
    """A live page with a new path, or without one."""

    page: Page
    """The live page."""
    after: str | None
    """The new path; ``None`` if it is removed."""
    leads_to: str | None
    """Target of the old path; ``None`` if it returns 410."""


class RedirectEnd(NamedTuple):
    """A path that redirects now and has a page afterwards."""

    site: str
    path: str
    led_to: str


class Conflict(NamedTuple):
    """A path that a page cannot have."""

    site: str
    path: str
    other: str
    """Title of the page with this path; empty for invalid and reserved paths."""


class Consequences(NamedTuple):
    changes: tuple[AddressChange, ...] = ()
    """Changes of live pages, by site and path."""
    lost: int = 0
    """Number of other paths that lose their redirect."""
    redirect_ends: tuple[RedirectEnd, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    translations: tuple[Page, ...] = ()
    """Translations of the changed pages that do not change."""


class Known(NamedTuple):
    """Redirects of a site."""

    former: Mapping[str, str]
    """Former paths of pages, with the key of the last page."""
    redirects: Mapping[str, RedirectBody]
    """Editors' redirects by path."""


def foresee(
    live: Iterable[Page], planned: Planned, known: Mapping[str, Known], default: str, origins: Mapping[str, str]
) -> Consequences:
    """Return the effects of a plan.

    ``live``: all pages of the sites in ``planned`` and of the default site, and translations of its pages. ``known``:
    redirects by site.
    """
    pages = {ItemId(page.site, _PAGE, page.key): page for page in live}
    changed = {id: path for id, path in planned.items() if id in pages and pages[id].path != path}
    now = {id: page.path for id, page in pages.items()}
    then = {id: path for id, page in pages.items() if (path := changed.get(id, page.path)) is not None}
    changes: list[AddressChange] = []
    ends: list[RedirectEnd] = []
    lost = 0
    for site in sorted({id.site for id in changed}):
        relevant = _limit(known[site], {id: path for id, path in changed.items() if id.site == site}, now)
        today, later = (_Answers(site, paths, relevant, default, origins) for paths in (now, then))
        for id in sorted((id for id in changed if id.site == site), key=lambda id: pages[id].path):
            before, after = pages[id].path, changed[id]
            changes.append(AddressChange(pages[id], after, later.leads_to(before)))
            led_to = today.leads_to(after) if after else None
            if after and led_to and led_to != before:  # otherwise the page returns to its own former path
                ends.append(RedirectEnd(site, after, led_to))
        lost += sum(path not in later.paths and later.leads_to(path) is None for path in today.redirected())
    keys = {id.key for id in changed}
    return Consequences(
        tuple(changes),
        lost,
        tuple(ends),
        tuple(_find_conflicts(pages, changed, then)),
        tuple(pages[id] for id in sorted(id for id in pages if id.key in keys and id not in changed)),
    )


def _limit(known: Known, changed: Planned, now: Mapping[ItemId, str]) -> Known:
    """Drop former paths that the change does not affect, because there may be ten thousand. Keep all if there are
    editors' redirects, because these may go anywhere.
    """
    if known.redirects:
        return known
    keys = {id.key for id in changed}
    asked = {path for id, after in changed.items() for path in (now[id], after)}
    return Known({path: key for path, key in known.former.items() if key in keys or path in asked}, {})


class _Answers:
    """Answers of a site for paths without a page."""

    def __init__(
        self, site: str, paths: Mapping[ItemId, str], known: Known, default: str, origins: Mapping[str, str]
    ) -> None:
        here = {id.key: path for id, path in paths.items() if id.site == site}
        there = {id.key: origins[default] + path for id, path in paths.items() if id.site == default}
        self.paths = frozenset(here.values())
        rules = [
            Rule(source, answer_of(body, lambda key: here.get(key) or there.get(key)))
            for source, body in known.redirects.items()
        ]
        former = {path: here.get(key) for path, key in known.former.items()}
        self._redirects, _ = resolve_redirects(self._is_there, former, rules)
        self._table = RedirectTable(self._redirects)

    def leads_to(self, path: str) -> str | None:
        found = None if path in self.paths else self._table.find(path, self._is_there)
        return None if found is None or found.status == GONE else found.target

    def redirected(self) -> Iterable[str]:
        """Return paths with a redirect. Wildcards count as one."""
        return [path for path, redirect in self._redirects.items() if redirect.status != GONE]

    def _is_there(self, path: str) -> bool:
        return path in self.paths or path.startswith(NOT_IN_BUILDS)


def _find_conflicts(pages: Mapping[ItemId, Page], changed: Planned, then: Mapping[ItemId, str]) -> Iterable[Conflict]:
    claims: dict[tuple[str, str], list[ItemId]] = {}
    for id, path in then.items():
        claims.setdefault((id.site, path), []).append(id)
    for id, after in sorted(((id, after) for id, after in changed.items() if after is not None), key=itemgetter(0)):
        if not is_page_path(after) or is_reserved_path(after):
            yield Conflict(id.site, after, "")
        for other in claims[id.site, after]:
            if other != id and (other not in changed or other > id):
                yield Conflict(id.site, after, pages[other].title)
