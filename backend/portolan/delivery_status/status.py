"""Delivery status of a release: its state on each site that it concerns.

Only the responses at the sites' own URLs are stored for it. The release has the changes, publish records and journals
have the rendered pages, and the live pointer and edge reports show where it is live.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from ..builds.live import LivePointer
from ..builds.manifest import BuildError, read_manifest
from ..publisher.history import History, PastPublish
from ..publisher.journal import Entry
from ..publisher.outcome import Outcome
from ..releases.reader import ALL_SITES, Item, ItemId, ReleaseInfo
from .answers import expect_answer
from .site_state import BlockedBy, Facts, State, find_state
from .verify import MOST_PAGES, Asked, Verdict

Pair = tuple[Item | None, Item | None]
"""An item before and after a release; None if it did not exist."""
_PAGE: Final = "page"


class SiteStatus(NamedTuple):
    site: str
    state: State
    waits_for: BlockedBy | None
    build: str
    """The build made for the release; empty if no file of the site differed, or if unknown."""
    live_at: str
    """When it went live, ISO; empty if it is not live, or if unknown."""
    served_at: str
    """When the first edge served it, ISO; empty without a report."""
    is_every: bool
    """True if all pages were rendered."""
    pages: tuple[str, ...]
    """Pages that were rendered for the release, changed ones first."""
    gone: tuple[str, ...]
    """Paths that had a page before the release and have none now."""
    asked: Asked | None
    """Pages to request at the site's own URL; None if no effect of the release is visible there."""

    @property
    def is_settled(self) -> bool:
        """Return True if the state is final."""
        return self.state is State.VERIFIED or (self.state is State.LIVE and self.asked is None)


class DeliveryStatus(NamedTuple):
    release: ReleaseInfo
    publishes: Sequence[PastPublish]
    """Publishes that put it live, in order; empty if there are none or they are unknown."""
    sites: Sequence[SiteStatus]
    """In the order of the site configuration."""


class World(NamedTuple):
    """The live state of an installation at one moment."""

    builds: Path
    live: LivePointer
    outcome: Outcome | None
    origins: Mapping[str, str]
    """By site, in the order of the site configuration."""


def find_delivery_status(
    world: World, history: History, release: ReleaseInfo, changes: Iterable[Pair], verdicts: Mapping[str, Verdict]
) -> DeliveryStatus:
    """Return the delivery status of a release.

    ``changes``: items before and after the release; empty for the first one. ``verdicts``: the last responses of the
    sites' own URLs.
    """
    pairs = {ItemId(there.site, there.kind, there.key): pair for pair in changes if (there := pair[1] or pair[0])}
    publishes = history.of_release(release)
    entries = {site: entry for publish in publishes for site, entry in publish.rendered.items()}
    builds = {site: build for publish in reversed(publishes) for site, build in publish.record.builds.items()}
    sites = []
    for site in world.origins:
        entry = entries.get(site)
        pages = _rendered(entry, pairs)
        own = [pair for id, pair in pairs.items() if id.site == site]
        if not own and not pages and not (entry and entry.every) and (pairs or site not in world.live.builds):
            continue
        publish = next((each for each in publishes if site in each.record.builds), publishes[0] if publishes else None)
        sites.append(
            _Site(world, site, release, pairs, verdicts.get(site)).tell(
                history, publish, builds.get(site, ""), entry, pages
            )
        )
    return DeliveryStatus(release, publishes, sites)


class _Site:
    """Delivery status of one site."""

    def __init__(
        self, world: World, site: str, release: ReleaseInfo, pairs: Mapping[ItemId, Pair], verdict: Verdict | None
    ) -> None:
        self._world = world
        self._site = site
        self._number = release.number
        self._pairs = pairs
        self._verdict = verdict
        self._shown = world.live.releases.get(site, 0)

    def tell(
        self, history: History, publish: PastPublish | None, build: str, entry: Entry | None, pages: Sequence[str]
    ) -> SiteStatus:
        is_shown = self._shown >= self._number
        moves = [(_path(before), _path(after)) for before, after in self._own_pages()]
        own = list(dict.fromkeys(path for before, after in moves for path in (after, before) if path))
        left = {before for before, after in moves if before != after} if is_shown else set()
        gone = tuple(path for path in own if path in left)
        asked = self._asked(build, [*own, *(["/"] if entry and entry.every else []), *pages]) if is_shown else None
        served = history.served_since(self._site, build) if build else ""
        is_replaced = self._shown > self._number and asked is None
        facts = Facts(
            is_shown,
            self._find_obstacle(is_shown),
            bool(served) or is_replaced or (publish is not None and not build),
            self._verdict,
        )
        return SiteStatus(
            self._site,
            find_state(facts),
            facts.waits_for,
            build,
            publish.record.at if publish and is_shown else "",
            served,
            bool(entry and entry.every),
            tuple(dict.fromkeys([*(path for path in own if path not in gone), *pages])),
            gone,
            asked,
        )

    def _own_pages(self) -> list[Pair]:
        return [pair for id, pair in self._pairs.items() if (id.site, id.kind) == (self._site, _PAGE)]

    def _find_obstacle(self, is_shown: bool) -> BlockedBy | None:
        live, outcome = self._world.live, self._world.outcome
        if is_shown:
            shown = live.blocked.get(self._site, {})
            is_blocked = any(id in shown and shown[id] < self._number for id in self._pairs)
            return BlockedBy.CHANGE if is_blocked else None
        if self._site in live.pins:
            return BlockedBy.PIN
        if outcome and outcome.failure:
            return BlockedBy.FAILURE
        if outcome and outcome.release >= self._number and any(each.site == self._site for each in outcome.problems):
            return BlockedBy.PROBLEM
        return None

    def _asked(self, build: str, paths: Iterable[str]) -> Asked | None:
        """Return pages that are live in the state of the release."""
        live = self._world.live.builds[self._site]
        wanted = list(dict.fromkeys(paths))[: 4 * MOST_PAGES]
        if self._shown > self._number and build != live:
            wanted = self._unchanged_since(build, live, wanted) if build else []
        if not wanted:
            return None
        return Asked(self._site, self._world.origins[self._site], live, tuple(wanted[:MOST_PAGES]))

    def _unchanged_since(self, build: str, live: str, paths: Collection[str]) -> list[str]:
        try:
            then, now = (read_manifest(self._world.builds, self._site, each) for each in (build, live))
        except BuildError:  # already pruned
            return []
        return [path for path in paths if expect_answer(then, "", path) == expect_answer(now, "", path)]


def _rendered(entry: Entry | None, pairs: Mapping[ItemId, Pair]) -> list[str]:
    """Return the pages that were rendered because of these items.

    If several releases went live at once, skip the others'.

    Pages whose reasons name no item are included, because they may belong to any release.
    """
    if entry is None or entry.every:
        return []
    return sorted(
        path
        for path in entry.pages
        if not pairs or any(reason.item is None or _is_of(reason.item, pairs) for reason in entry.pages[path])
    )


def _is_of(item: ItemId, pairs: Mapping[ItemId, Pair]) -> bool:
    return item in pairs or ItemId(ALL_SITES, item.kind, item.key) in pairs


def _path(item: Item | None) -> str:
    return str(orjson.loads(item.body)["path"]) if item else ""
