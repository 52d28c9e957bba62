"""Decide which changes to block because of problems, so that all others go live.

A page with a problem stays as it was. If another change is the cause, such as a removed anchor, that change is blocked.

A page that an editor took down is never blocked. The problem that this causes elsewhere goes live instead.

Without a known cause, the page's live files are kept. If that fails, all changes on its site are blocked. If that fails
too, the site stays as it is, and other sites are made as if it had no changes.

Repeated attempts end, because each blocks more, and the live state has passed the publish checks before.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from html import escape
from typing import NamedTuple

import orjson

from ..domain.cards import CARD_KINDS
from ..domain.problems import (
    SHOWABLE,
    BlockedChange,
    DeadLink,
    GoneLink,
    MissingAnchor,
    MissingHome,
    MissingMedia,
    NotReciprocal,
    Problem,
    TakenPath,
    UnusableAddress,
    reference_of,
)
from ..domain.references import Reference, find_references
from ..domain.snapshot_bodies import EntryBody, FooterBody, MenuBody, PageBody
from ..releases.reader import ALL_SITES, Blocked, Item, ItemId, ReleaseReader
from ..releases.release_view import Differences, ItemChange, ReleaseView
from .addresses import Addresses
from .site_build import LiveBuild
from .snapshot import page_of

_CARDS = frozenset(CARD_KINDS.values())

Changed = Mapping[ItemId, ItemChange]


class LiveView(NamedTuple):
    """The live state of the sites."""

    release_views: Mapping[str, ReleaseView]
    """The release view of each site. A site is missing if it is unknown."""
    sites: Collection[str]
    """All sites with a build."""
    read_page: Callable[[str, str], bytes | None]
    """Returns a site's HTML at a path."""


class Choice(NamedTuple):
    """The consequences of the problems of one attempt."""

    blocked: dict[ItemId, BlockedChange]
    """Blocked changes, each with the first problem that requires it."""
    left: list[Problem]
    """Problems without a known change as the cause."""
    caused: list[Problem]
    """Problems caused by pages that were taken down. They go live."""


class Blocking:
    """Chooses the changes to block in one publish."""

    def __init__(self, reader: ReleaseReader, addresses: Addresses, live: LiveView, differences: Differences) -> None:
        self._reader = reader
        self._differences = differences
        self._addresses = addresses
        self._live = live
        self._changed = lru_cache(maxsize=None)(self._read_changed)

    def choose(self, problems: Iterable[Problem], release_view: ReleaseView) -> Choice:
        """Return the changes of ``release_view`` to block, and the other problems."""
        found: dict[ItemId, BlockedChange] = {}
        left = []
        caused = []
        for problem in problems:
            changed = self._changed_for(problem.site, release_view)
            suspects = self._suspects(problem, changed)
            if not suspects:
                left.append(problem)
            elif isinstance(problem.detail, SHOWABLE) and all(_is_taken_down(id, changed) for id in suspects):
                caused.append(problem)
                continue
            for id in suspects:
                page = page_of(changed[id].after) or page_of(changed[id].before)
                at = self._shown_at(id, problem.site)
                title = page.title if page else ""
                found.setdefault(id, BlockedChange(*id, title, at, changed[id].before is not None, problem))
        return Choice(found, left, caused)

    def choose_all(self, site: str, problem: Problem, release_view: ReleaseView) -> dict[ItemId, BlockedChange]:
        """Return all changes on a site.

        Includes pages that were taken down only if there are no other changes.
        """
        changed = self._changed_for(site, release_view)
        own = [id for id in changed if id.site == site]
        waiting = [id for id in own if not _is_taken_down(id, changed)] or own
        return {
            id: BlockedChange(*id, "", self._shown_at(id, site), changed[id].before is not None, problem)
            for id in waiting
        }

    def as_shown(self, site: str, release_view: ReleaseView) -> Blocked:
        """Return the items to block so that other sites see this one in its live state.

        A site that is not live yet then counts as empty.
        """
        if site in self._live.release_views:
            changed = self._changed_since(self._live.release_views[site], release_view)
            return {id: self._shown_at(id, site) for id in changed if id.site == site}
        if site in self._live.sites:
            return {}
        keys = self._reader.digests(release_view.release, site, "page")
        return {ItemId(site, "page", key): 0 for key in keys}

    def _changed_for(self, site: str, release_view: ReleaseView) -> Changed:
        """Return the differences from the live state as this site sees it."""
        release_views = self._live.release_views
        if site not in release_views:
            return {}
        return {
            id: change
            for each, shown in release_views.items()
            for id, change in self._changed_since(shown, release_view).items()
            if id.site == each or (id.site == ALL_SITES and each == site)
        }

    def _shown_at(self, id: ItemId, site: str) -> int:
        """Return the release whose state of an item is live on this site."""
        shown = self._live.release_views[site if id.site == ALL_SITES else id.site]
        return shown.blocked.get(id, shown.release)

    def _changed_since(self, shown: ReleaseView, release_view: ReleaseView) -> Changed:
        return self._changed(
            shown.release,
            frozenset(shown.blocked.items()),
            release_view.release,
            frozenset(release_view.blocked.items()),
        )

    def _read_changed(
        self,
        older: int,
        older_blocked: Iterable[tuple[ItemId, int]],
        newer: int,
        newer_blocked: Iterable[tuple[ItemId, int]],
    ) -> Changed:
        before, after = ReleaseView(older, "", dict(older_blocked)), ReleaseView(newer, "", dict(newer_blocked))
        return {change.id: change for change in self._differences.between(before, after)}

    def _suspects(self, problem: Problem, changed: Changed) -> set[ItemId]:
        own = self._own(problem, changed)
        target = self._target(problem, changed)
        chosen = (target if self._was_live_before(problem, changed, own) else own) if own and target else own or target
        return {partner for id in chosen for partner in _with_card(id, changed)}

    def _own(self, problem: Problem, changed: Changed) -> set[ItemId]:
        """Return the changed items whose content has the problem."""
        site, kind, key = problem.item
        if kind != "page":
            return {id for id in changed if (id.site, id.kind) == (site, kind) and key in ("", id.key)}
        return {
            id
            for id, change in changed.items()
            if (id.site, id.kind) == (problem.site, "page")
            and (page := page_of(change.after))
            and page.path == problem.subject.path
        }

    def _target(self, problem: Problem, changed: Changed) -> set[ItemId]:
        """Return the changed items that the problem's content refers to."""
        kind, key = _about(problem)
        if kind == "page":
            sites = (problem.site, self._addresses.registry.default_site.key)
            if isinstance(problem.detail, NotReciprocal):
                sites = (problem.site, problem.detail.other_site)
            return {id for id in changed if id.kind == "page" and id.key == key and id.site in sites}
        if kind in ("picture", "document"):
            return {id for id in changed if id == (ALL_SITES, kind, key)}
        if kind == "placeholder":
            return {id for id in changed if id.kind == "figures"}
        target = self._addresses.target(problem.site, key) if kind in ("url", "path") else None
        if target is None:
            return set()
        return {
            id
            for id, change in changed.items()
            if (id.site, id.kind) == (target.site, "page")
            and target.path in {page.path for side in (change.before, change.after) if (page := page_of(side))}
        }

    def _was_live_before(self, problem: Problem, changed: Changed, own: Iterable[ItemId]) -> bool:
        """Return True if the live content already had this reference.

        The item it refers to must then have changed.
        """
        about = _about(problem)
        kind, key = about
        if kind == "url":
            html = self._live.read_page(problem.site, problem.subject.path or "/")
            return html is not None and f'"{escape(key)}"'.encode() in html
        before = [item for id in own if (item := changed[id].before)]
        return any(about in find_references(_body(item)) for item in before)


def find_keepable(problem: Problem, live: LiveBuild | None, web: str) -> tuple[str, str] | None:
    """Return site and path of a page to keep as it is live, or None.

    Files of another web build cannot be kept.
    """
    site, path = problem.site, problem.subject.path
    if problem.subject.kind != "page" or live is None or live.manifest.web != web:
        return None
    return (site, path) if path in live.manifest.files else None


def _about(problem: Problem) -> Reference:
    """Return the missing target; empty for other problems.

    It is a reference, a ``url``, or the ``path`` of a page of the site.
    """
    if reference := reference_of(problem.detail):
        return reference
    match problem.detail:
        case NotReciprocal(other_key=key):
            return Reference("page", key)
        case DeadLink(url) | GoneLink(url) | MissingAnchor(url) | UnusableAddress(url) | MissingMedia(url):
            return Reference("url", url)
        case TakenPath(path):
            return Reference("path", path)
        case MissingHome():
            return Reference("path", "/")
    return Reference("", "")


def _body(item: Item) -> PageBody | EntryBody | MenuBody | FooterBody:
    """Return the body of an item of a kind with references."""
    body: PageBody | EntryBody | MenuBody | FooterBody = orjson.loads(item.body)
    return body


def _with_card(id: ItemId, changed: Changed) -> Iterable[ItemId]:
    """Yield the item, and its card or page.

    They must be blocked together, because lists show the card and link to it.
    """
    yield id
    kinds = _CARDS if id.kind == "page" else {"page"} if id.kind in _CARDS else frozenset[str]()
    yield from (other for kind in kinds if (other := ItemId(id.site, kind, id.key)) in changed)


def _is_taken_down(id: ItemId, changed: Changed) -> bool:
    """Return True if the change removes a page or its card."""
    return (id.kind == "page" or id.kind in _CARDS) and changed[id].after is None
