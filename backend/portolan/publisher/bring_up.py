"""Bring up sites that have no build to serve.

Their builds are lost, damaged, or were always elsewhere.

Such a site goes live despite problems in its content. A change with a problem is undone, as far back as releases go. If
every earlier state has the problem, the page goes live with it. A page that cannot be rendered is left out.
"""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from itertools import count
from typing import Final, NamedTuple

from ..domain.cards import CARD_KINDS
from ..domain.problems import (
    SHOWABLE,
    BlockedChange,
    MissingHome,
    MissingMedia,
    Problem,
    WrongAlternates,
    WrongLanguage,
)
from ..releases.reader import Blocked, ItemId
from ..releases.release_view import ReleaseView, release_view_of
from .attempt import Attempt, Done, Follow, Means, Progress
from .blocking import Blocking, LiveView
from .site_build import SiteBuild

_MOST_TRIES: Final = 16
"""Attempts that may undo changes. Remaining problems go live, or their pages are left out."""
_STEP_BY_STEP: Final = 10
"""Attempts that undo one change of an item each. Later attempts go back further."""
_NOT_OF_CHANGES: Final = (MissingMedia, WrongAlternates, WrongLanguage)
"""Problems that an earlier state of the content would not fix."""


class BroughtUp(NamedTuple):
    """Builds that can go live.

    Their ``live_problems`` are the problems that go live with them.
    """

    release_view: ReleaseView
    builds: list[SiteBuild]
    blocked: list[BlockedChange]
    """Changes that were undone, and pages that were left out."""


class BringUp:
    """Makes builds. Call ``make`` once for all sites that show the same release."""

    def __init__(self, means: Means, follow: Follow) -> None:
        """``means.live``: sites with a build to serve.

        ``means.release_views``: present or last release view of all sites.
        """
        self._means = means
        self._follow = follow

    def make(self, release_view: ReleaseView, sites: Collection[str], progress: Progress) -> BroughtUp:
        """Return builds of ``sites`` that show ``release_view`` as far as possible.

        A site gets no build if every release lacks its home page, or a usable menu or footer.
        """
        undone: dict[Hashable, dict[ItemId, BlockedChange]] = {}
        left_out: dict[ItemId, BlockedChange] = {}
        accepted: set[Hashable] = set()
        failed: set[str] = set()
        past = _Past(self._means, release_view, sites)
        release_view = self._with_others(release_view, sites)
        done = Done()
        for tries in count(1):
            blocked = {id: change for changes in undone.values() for id, change in changes.items()} | left_out
            shown = release_view.blocking({id: change.release for id, change in blocked.items()})
            snapshot, routes = self._follow(shown)
            attempt = Attempt(self._means, shown, snapshot, routes, done, full=True, accepted=accepted)
            self._means.pool.warm_up(
                attempt.plan([site for site in sites if site not in failed and routes.count(site)])
            )
            if not attempt.problems:  # problems of routes, menu or footer are found before rendering
                attempt.render(progress)
            if not attempt.problems:
                break  # the next publish adds translations for other sites
            for site, problem in [(site, each) for site, found in attempt.failed.items() for each in found]:
                is_undoable = tries <= _MOST_TRIES and not isinstance(problem.detail, _NOT_OF_CHANGES)
                if is_undoable and (more := past.undo(problem, shown, left_out.keys(), tries > _STEP_BY_STEP)):
                    undone.setdefault(problem.identity, {}).update(more)
                    continue
                undone.pop(problem.identity, None)  # the earlier state has the problem too
                is_known = problem.identity in accepted or problem.item in left_out
                if not is_known and (
                    isinstance(problem.detail, SHOWABLE) or _lacks_left_out_home(problem, left_out.values())
                ):
                    accepted.add(problem.identity)
                elif not is_known and problem.subject.kind == "page" and problem.subject.key:
                    left_out |= self._leave_out(problem, release_view)
                else:
                    failed.add(site)
                    release_view = release_view.blocking(self._without(site, release_view))
        return BroughtUp(shown, attempt.builds, [*blocked.values()])

    def _with_others(self, release_view: ReleaseView, sites: Collection[str]) -> ReleaseView:
        """Return the release view with the other sites in their present or last state."""
        view = LiveView(self._means.release_views, self._means.live, lambda site, path: None)
        choice = Blocking(self._means.reader, self._means.addresses, view, self._means.differences)
        for site in self._means.release_views.keys() - {*sites}:
            release_view = release_view.blocking(choice.as_shown(site, release_view))
        return release_view

    def _without(self, site: str, release_view: ReleaseView) -> Blocked:
        """Return items to leave out so that other sites do not link to ``site``.

        ``site`` cannot go live.
        """
        keys = () if site in self._means.live else self._means.reader.digests(release_view.release, site, "page")
        return {ItemId(site, "page", key): 0 for key in keys}

    def _leave_out(self, problem: Problem, release_view: ReleaseView) -> dict[ItemId, BlockedChange]:
        """Return the changes that remove a page and its card completely."""
        site, _, key = problem.item
        ids = [ItemId(site, kind, key) for kind in ("page", *sorted(set(CARD_KINDS.values())))]
        there = [id for id in ids if self._means.reader.item(release_view.release, *id)]
        return {id: BlockedChange(*id, problem.subject.title, 0, False, problem) for id in there}


class _Past:
    """Finds changes that may have caused a problem, in earlier and earlier releases."""

    def __init__(self, means: Means, release_view: ReleaseView, sites: Collection[str]) -> None:
        self._reader = means.reader
        oldest = means.reader.oldest() or release_view.release
        self._windows = [self._look_since(means, release, sites) for release in _earlier(release_view.release, oldest)]

    def undo(
        self, problem: Problem, release_view: ReleaseView, final: Collection[ItemId], goes_far: bool
    ) -> Mapping[ItemId, BlockedChange]:
        """Return the last changes of the items with the problem, to be undone.

        Each has its previous state. Empty if all releases have the same state. ``final``: items that stay as
        they are. ``goes_far``: go back further than the last change.
        """
        for choice in self._windows:
            found = choice.choose([problem], release_view).blocked
            if any(id in final or (id.kind == "page" and not change.is_there) for id, change in found.items()):
                continue  # a page with a problem is better than no page
            if found:
                return (
                    found if goes_far else {id: self._step_back(change, release_view) for id, change in found.items()}
                )
        return {}

    def _step_back(self, change: BlockedChange, release_view: ReleaseView) -> BlockedChange:
        id = ItemId(*change[:3])
        changed = self._reader.changed_in(release_view.blocked.get(id, release_view.release), id)
        before = (changed or 0) - 1
        is_there = before > change.release and self._reader.item(before, *id) is not None
        return change._replace(release=before) if is_there else change

    def _look_since(self, means: Means, release: int, sites: Collection[str]) -> Blocking:
        then = release_view_of(means.reader, release)
        view = LiveView({**means.release_views, **dict.fromkeys(sites, then)}, means.live, lambda site, path: None)
        return Blocking(means.reader, means.addresses, view, means.differences)


def _earlier(release: int, oldest: int) -> Iterator[int]:
    """Yield earlier releases: the previous one, then older ones, then the oldest.

    >>> list(_earlier(20, 3)), list(_earlier(3, 3))
    ([19, 18, 16, 12, 4, 3], [])
    """
    distance = 1
    while release - distance > oldest:
        yield release - distance
        distance *= 2
    if release > oldest:
        yield oldest


def _lacks_left_out_home(problem: Problem, left_out: Iterable[BlockedChange]) -> bool:
    """Return True if a site lacks its home page because the home page was left out."""
    return isinstance(problem.detail, MissingHome) and any(
        each.site == problem.site and each.problem.subject.path == "/" for each in left_out
    )
