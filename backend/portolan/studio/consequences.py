"""What follows for visitors when pages get another address or go. Pure: what is live and what is planned are given."""

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
"""Pages that a change touches: the path of each after it, or None where the page is not on its site any more."""


class AddressChange(NamedTuple):
    """A page that visitors find elsewhere afterwards, or nowhere."""

    page: Page
    """As it is live."""
    after: str | None
    """Its path; None if it is gone."""
    leads_to: str | None
    """What the old address redirects to; None: visitors are told that it is gone."""


class RedirectEnd(NamedTuple):
    """An address that redirects today and has a page afterwards."""

    site: str
    path: str
    led_to: str


class Conflict(NamedTuple):
    """An address that a page cannot get."""

    site: str
    path: str
    other: str
    """Title of the page that has it. Empty: no page may have it."""


class Consequences(NamedTuple):
    changes: tuple[AddressChange, ...] = ()
    """Of live pages, by site and path. Pages that visitors do not know are none of them."""
    lost: int = 0
    """Other addresses that redirect to something today, and to nothing afterwards."""
    redirect_ends: tuple[RedirectEnd, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    translations: tuple[Page, ...] = ()
    """Of the pages that change: the same pages on sites where nothing changes."""


class Known(NamedTuple):
    """What a site answers by, beside its pages."""

    former: Mapping[str, str]
    """Every path that a page ever had there, with the key of the last one."""
    redirects: Mapping[str, RedirectBody]
    """Editors' redirects by address."""


def foresee(
    live: Iterable[Page], planned: Planned, known: Mapping[str, Known], default: str, origins: Mapping[str, str]
) -> Consequences:
    """``live``: all pages of the sites of ``planned`` and of the default site, and translations of its pages. ``known``: by
    site.
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
            if after and led_to and led_to != before:  # else the page takes back an address of its own
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
    """Without the former addresses that have nothing to do with the change: there may be ten thousand. Where there are
    redirects, any of them may lead to any address.
    """
    if known.redirects:
        return known
    keys = {id.key for id in changed}
    asked = {path for id, after in changed.items() for path in (now[id], after)}
    return Known({path: key for path, key in known.former.items() if key in keys or path in asked}, {})


class _Answers:
    """What a site answers at addresses without a page."""

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
        """Addresses that lead somewhere. Wildcards count as one."""
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
