"""Which build of each site is served: the live one, and while that is damaged an earlier one that is whole."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.damage import read_damage
from ..builds.fallback import Wanted, find_new_damage, find_whole_build, has_any
from ..builds.integrity import Stored, find_damaged
from ..builds.manifest import BuildError, Manifest, read_manifest
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore
from ..observing.event import Event

DAMAGE_MET: Final[Event[[str]]] = Event()
"""A file of a site (its key) was asked for and could not be had whole."""


class Fallback(NamedTuple):
    """What a site shows instead of its live build."""

    build: str
    """Empty where there is none: then the live one is served as far as it goes."""
    why: str


class _File(NamedTuple):
    digest: str
    size: int


class WholeBuilds:
    def __init__(self, root: Path, keys: Keys = NO_KEYS) -> None:
        self._root = root
        self._keys = keys
        self._store = ContentStore(root)
        self._damaged: dict[str, _File] = {}
        """What was met, or is in the scrub's report, by digest."""
        self._unserved: dict[str, Manifest] = {}
        """Live builds that could be read and are not served, so that they need not be read again."""
        self.fallbacks: dict[str, Fallback] = {}
        """By site."""

    def note(self, site: str, file: Stored) -> bool:
        """A file could not be had. Whether that is news."""
        DAMAGE_MET(site)
        is_new = file.digest not in self._damaged
        self._damaged[file.digest] = _File(file.digest, file.size)
        return is_new

    def look_again(self) -> None:
        """At what is known to be damaged, and at what the scrub has found."""
        for digest, found in read_damage(self._root).files.items():
            self._damaged.setdefault(digest, _File(digest, found.size))
        self._damaged = {
            digest: file for digest, file in self._damaged.items() if find_damaged(self._store, [file]) is not None
        }

    def choose(self, site: str, build: str, release: int, served: Manifest | None) -> tuple[Manifest | None, str]:
        """What to serve of a site whose live build and release these are, and what is wrong, in words. ``served``: what it
        shows now."""
        wanted, problem = self._read(site, build, served)
        if not problem:
            self._unserved.pop(site, None)
            self.fallbacks.pop(site, None)
            return wanted, ""
        found = self._find(Wanted(site, build, release, wanted), served)
        if wanted and found is not wanted:
            self._unserved[site] = wanted
        shown = found.build if found and found is not wanted else ""
        self.fallbacks[site] = Fallback(shown, problem)
        if shown or found is None:
            return found, f"{problem} Site {site} stays at {shown or 'no build'}."
        return found, f"{problem} Site {site} has no earlier build without it, so that address answers with an error."

    def forget(self, sites: Mapping[str, object]) -> None:
        """Sites that are not among these are not served any more."""
        for site in self.fallbacks.keys() - sites.keys():
            del self.fallbacks[site]
            self._unserved.pop(site, None)

    def _read(self, site: str, build: str, served: Manifest | None) -> tuple[Manifest | None, str]:
        """The live build as far as it can be read, and what is wrong with it."""
        known = self._unserved.get(site)
        try:
            manifest = read_manifest(
                self._root, site, build, known if known and known.build == build else served, self._keys
            )
        except BuildError as error:
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
        return manifest, f"Build {build} of site {site} is not whole: {damage.what}."

    def _find(self, wanted: Wanted, served: Manifest | None) -> Manifest | None:
        """An earlier build; the live one where there is none and it can be read."""
        if served and served.build != wanted.build and not has_any(served, self._damaged):
            return served
        return find_whole_build(self._root, self._store, wanted, self._damaged, self._keys) or wanted.manifest
