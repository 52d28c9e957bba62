"""List the articles: news and blueprints of every site, in one ID space (spec §7)."""

import logging
from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings

from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..releases.connection import connected_reader
from ..releases.reader import Blocked, ReleaseReader

_log = logging.getLogger(__name__)


class Articles(NamedTuple):
    news: frozenset[str]
    blueprints: frozenset[str]

    def has(self, article: str) -> bool:
        return article in self.news or article in self.blueprints

    def ids(self) -> list[str]:
        return sorted(self.news | self.blueprints)


_kept: tuple[str, Articles] | None = None
"""Articles of the live releases, cached for all requests."""


def read_articles() -> Articles | None:
    """Return the articles of each site's live release, or None before the first release.

    A site that is not live yet uses the newest release.
    """
    global _kept
    reader = connected_reader()
    newest = reader.latest()
    if newest is None:
        return None
    live, blocked = _read_live()
    shown = {
        site: _Shown(live.get(site, newest), blocked.get(site, {}) if site in live else {})
        for site in settings.SITES_REGISTRY.sites
    }
    # A restored database may use a number again.
    marks = [reader.mark(release) for release in sorted({release for release, _ in shown.values()})]
    version = f"{shown} of {marks}"
    if _kept is None or _kept[0] != version:
        _kept = (version, Articles(_ids(reader, shown, "news"), _ids(reader, shown, "blueprint")))
    return _kept[1]


class _Shown(NamedTuple):
    release: int
    blocked: Blocked


def _read_live() -> tuple[Mapping[str, int], Mapping[str, Blocked]]:
    try:
        live = read_live(settings.BUILDS_DIR)
    except BuildError as error:
        _log.error("The live release is unknown, so articles are those of the newest release: %s", error)
        return {}, {}
    return live.releases, live.blocked


def _ids(reader: ReleaseReader, shown: Mapping[str, _Shown], kind: str) -> frozenset[str]:
    return frozenset(
        key
        for site, (release, blocked) in shown.items()
        for key in reader.with_blocked(blocked).digests(release, site, kind)
    )
