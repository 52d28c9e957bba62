"""Choose the served build of each site: the live one, or an earlier undamaged one while it is damaged."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.damage import read_damage
from ..builds.fallback import Wanted, find_new_damage, find_whole_build, has_any, read_earlier
from ..builds.integrity import Stored, find_damaged
from ..builds.manifest import BuildError, Manifest, read_manifest
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore
from ..observing.event import Event
from .damage_reports import DamageReports

DAMAGE_MET: Final[Event[[str]]] = Event()
"""Sent with a site's key when a requested file is damaged."""


_MOST_MET: Final = 200
"""Number of files that are checked again until the site is repaired."""
_ALONE_FOR_S: Final = 10
"""Seconds between searches for an earlier build. A search reads several builds, and requests wait for it."""


class Fallback(NamedTuple):
    """The build that a site shows instead of its live build."""

    build: str
    """Empty if there is none: then the readable files of the live build are served."""
    why: str


class _File(NamedTuple):
    digest: str
    size: int


class WholeBuilds:
    def __init__(
        self,
        root: Path,
        keys: Keys = NO_KEYS,
        reports: DamageReports | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root = root
        self._keys = keys
        self._store = ContentStore(root)
        self._reports = reports or DamageReports(root, "")
        self._clock = clock
        self._met: dict[str, _File] = {}
        """Damaged files that requests have met, by digest."""
        self._damaged: dict[str, _File] = {}
        """``_met``, and the files in the damage report."""
        self._alone: dict[str, tuple[str, float]] = {}
        """Sites without an undamaged earlier build: their live build, and the time until which the search is skipped."""
        self._earlier: dict[str, tuple[str, list[Manifest]]] = {}
        """Damaged live builds, and earlier builds that have some of their pages."""
        self._unserved: dict[str, Manifest] = {}
        """Readable live builds that are not served, so that they need not be read again."""
        self.fallbacks: dict[str, Fallback] = {}
        """By site."""

    def note(self, site: str, file: Stored) -> bool:
        """Note a damaged file. Return whether it is new."""
        DAMAGE_MET(site)
        self._reports.note(file.digest)
        is_new = file.digest not in self._damaged
        if len(self._met) < _MOST_MET:
            self._met[file.digest] = _File(file.digest, file.size)
        self._damaged[file.digest] = _File(file.digest, file.size)
        return is_new and not self._is_alone(site)

    def look_again(self) -> None:
        """Check the damaged files and the damage report again."""
        self._met = {
            digest: file for digest, file in self._met.items() if find_damaged(self._store, [file]) is not None
        }
        reported = read_damage(self._root).files
        self._damaged = {digest: _File(digest, file.size) for digest, file in reported.items()} | self._met

    def earlier(self, site: str, live: Wanted) -> list[Manifest]:
        """Return earlier builds, newest first. Each may have an earlier version of a damaged page."""
        known = self._earlier.get(site)
        if known is None or known[0] != live.build:
            known = self._earlier[site] = (live.build, list(read_earlier(self._root, live, self._keys)))
        return known[1]

    def choose(self, site: str, build: str, release: int, served: Manifest | None) -> tuple[Manifest | None, str]:
        """Return the manifest to serve and the problem in words.

        ``build`` and ``release``: the site's live ones. ``served``: the manifest that is served now.
        """
        wanted, problem = self._read(site, build, served)
        if not problem:
            for notes in (self._unserved, self._alone, self._earlier, self.fallbacks):
                notes.pop(site, None)
            return wanted, ""
        found = self._find(Wanted(site, build, release, wanted), served)
        if wanted and found is not wanted:
            self._unserved[site] = wanted
        shown = found.build if found and found is not wanted else ""
        self.fallbacks[site] = Fallback(shown, problem)
        if shown or found is None:
            return found, f"{problem} Site {site} stays at {shown or 'no build'}."
        return (
            found,
            f"{problem} Site {site} has no earlier undamaged build. The publisher repairs it. To do it now, run `portolan publish --full`.",
        )

    def forget(self, sites: Mapping[str, object]) -> None:
        """Forget sites that are not in ``sites``."""
        for site in self.fallbacks.keys() - sites.keys():
            del self.fallbacks[site]
            self._unserved.pop(site, None)

    def _read(self, site: str, build: str, served: Manifest | None) -> tuple[Manifest | None, str]:
        """Return the live build as far as it can be read, and its problem."""
        known = self._unserved.get(site)
        try:
            manifest = read_manifest(
                self._root, site, build, known if known and known.build == build else served, self._keys
            )
        except BuildError as error:
            self._reports.note(f"{site} {build}")
            return None, str(error)
        if has_any(manifest, self._damaged):
            damage = find_damaged(
                self._store, (file for file in manifest.files.values() if file.digest in self._damaged)
            )
        elif served is not None and served.build == build:
            return manifest, ""
        else:
            damage = find_new_damage(self._store, manifest, served)
        if damage is None:
            return manifest, ""
        self._damaged[damage.digest] = _File(damage.digest, damage.size)
        self._reports.note(damage.digest)
        return manifest, f"Build {build} of site {site} is damaged: {damage.what}."

    def _find(self, wanted: Wanted, served: Manifest | None) -> Manifest | None:
        """Return an earlier build, else the live one if it can be read."""
        if served and served.build != wanted.build and not has_any(served, self._damaged):
            return served
        if self._is_alone(wanted.site, wanted.build):
            return wanted.manifest
        found = find_whole_build(self._root, self._store, wanted, self._damaged, self._keys)
        if found is None:
            self._alone[wanted.site] = (wanted.build, self._clock() + _ALONE_FOR_S)
        return found or wanted.manifest

    def _is_alone(self, site: str, build: str = "") -> bool:
        known = self._alone.get(site)
        return known is not None and self._clock() < known[1] and (not build or build == known[0])
