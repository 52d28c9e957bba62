"""Follow the pointer in the shared store: serve another machine's builds here.

While the store is unreachable, this machine continues to serve its own copy.
"""

import logging
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from .damage import read_damage
from .disk import is_unused
from .hosts import put_hosts
from .live import follow_switch, read_live, read_live_number, read_switch
from .manifest import BuildError, manifest_path, manifests_folder, read_head, read_mentioned
from .media_pull import MediaPull
from .mending import mend_live
from .met_damage import MetDamage
from .object_store import ObjectStore, Version
from .pack_pruning import remove_orphans
from .packs import Packs
from .prune import remove_unmentioned
from .pull import SiteName, pull
from .sealed import number_of, require_newer
from .shared_mending import refetch, report_lacking
from .shared_pointer import POINTER, SharedPointer, unpack_pointer
from .signing import NO_KEYS, Keys
from .store import UNUSED_BEFORE_REMOVAL_S, ContentStore

LOOK_EVERY_S: Final = 0.4
"""A look without news costs one request and no download."""
_PAUSES_S: Final = (0.4, 1, 2, 5)
_PRUNE_EVERY_S: Final = 600
_MEND_AGAIN_S: Final = 10
"""Seconds between attempts to fetch files that the scrub reports. Damage that edges meet is repaired at once."""

_log = logging.getLogger(__name__)
Pull = Callable[[SharedPointer], None]


class Follower:
    """Call ``look`` repeatedly."""

    def __init__(
        self,
        root: Path,
        objects: ObjectStore,
        bring: Pull | None = None,
        media: MediaPull | None = None,
        clock: Callable[[], float] = time.monotonic,
        keys: Keys = NO_KEYS,
    ) -> None:
        """Follow ``objects``. ``keys`` must have signed the builds.

        ``bring`` fetches the files needed before a switch, by default those of the live builds. ``media`` fetches the
        public files of uploads.
        """
        self._root = root
        self._objects = objects
        self._bring = bring or (lambda pointer: pull_live(root, objects, pointer, keys))
        self._media = media
        self._keys = keys
        self._clock = clock
        self._version: Version | None = None
        """Version of the pointer that was followed last."""
        self._pointer: SharedPointer | None = None
        self._failures = 0
        self._said = ""
        self._pruned_at = clock()
        self._reports = MetDamage(root)
        self._mend_at = 0.0

    def look(self) -> bool:
        """Return True if the live builds here have changed.

        A failure is logged once and retried at the next look.
        """
        try:
            has_switched = self._follow()
            if self._said:
                _log.info("The shared store can be followed again.")
            self._failures, self._said = 0, ""
            return has_switched
        except (BuildError, OSError) as error:
            self._failures += 1
            if str(error) != self._said:
                _log.error("%s", error)
            self._said = str(error)
            return False

    @property
    def pause_s(self) -> float:
        """Seconds until the next look."""
        return _PAUSES_S[min(self._failures, len(_PAUSES_S) - 1)]

    @property
    def problem(self) -> str:
        """Why the last look failed; empty after a success."""
        return self._said

    def mend(self) -> bool:
        """Repair the damage that edges have met or the scrub has found.

        Return True if anything was repaired.

        Files are repaired from copies here, or fetched again. Failures are logged and retried.
        """
        reported = self._reports.take()
        if self._failures or not (reported or self._clock() >= self._mend_at):
            return False
        known = read_damage(self._root)
        if not (reported or known.files or known.manifests):
            return False
        mended = 0
        try:
            damage = mend_live(self._root, {*reported, *known.files}, keys=self._keys)
            if damage:
                found = refetch(self._root, self._objects, damage, self._pointer, self._keys)
                mended = found.mended
                self._report(found.lacking)
        except (BuildError, OSError) as error:
            _log.error("Damaged files could not be fetched: %s", error)
        self._mend_at = self._clock() + (0 if mended else _MEND_AGAIN_S)
        return mended > 0

    def _report(self, lacking: Sequence[str]) -> None:
        if lacking:
            _log.error(
                "The shared store has lost %s files that are damaged here. The publisher uploads them again.",
                len(lacking),
            )
            report_lacking(self._objects, lacking)

    def prune(self, publishes: bool = False) -> None:
        """Remove copies that no live build needs, at most every ten minutes.

        A machine that ``publishes`` keeps more than the live builds and prunes them itself.
        """
        if self._pointer and self._clock() - self._pruned_at >= _PRUNE_EVERY_S:
            self._pruned_at = self._clock()
            if self._media:
                self._media.prune(self._pointer)
            if not publishes:
                prune_copies(self._root, self._pointer)

    def _follow(self) -> bool:
        try:
            found = self._objects.read(POINTER, self._version)
        except FileNotFoundError:
            return False  # nothing is published in this store yet
        if found is None:
            return False
        pointer = unpack_pointer(found.data, self._keys)
        number, here = number_of(pointer.live), read_live_number(self._root, self._keys)
        require_newer("The pointer in the shared store", number, self._keys, here)
        if self._media:
            self._media.pull(pointer)
        before = read_switch(self._root)
        has_switched = False
        if pointer.switch != before or number != here:  # different numbers: live.json here was overwritten
            self._bring(pointer)
            put_hosts(self._root, pointer.hosts)
            has_switched = follow_switch(self._root, pointer.live, before)
            if not has_switched:
                return False  # this machine has published meanwhile: look again
        else:
            put_hosts(self._root, pointer.hosts)
        self._version, self._pointer = found.version, pointer
        return has_switched


def pull_live(root: Path, objects: ObjectStore, pointer: SharedPointer, keys: Keys = NO_KEYS) -> None:
    pull(root, objects, pointer, [SiteName(site, build) for site, build in pointer.builds.items()], keys)


def prune_copies(root: Path, pointer: SharedPointer) -> None:
    """Remove fetched files that are unused, an hour after they were fetched."""
    mentioned: set[str] = set()
    live = read_live(root).builds
    for site in _names(root / "manifests"):
        kept: set[str] = set()
        build = live.get(site)
        while build and build not in kept:
            kept.add(build)
            mentioned |= read_mentioned(root, site, build).digests
            build = read_head(root, site, build).parent
        for name in _names(manifests_folder(root, site)):
            path = manifest_path(root, site, name.removesuffix(".json"))
            if path.stem not in kept and is_unused(path, UNUSED_BEFORE_REMOVAL_S):
                path.unlink(missing_ok=True)
    store = ContentStore(root)
    _prune_packs(store.packs, pointer)
    remove_unmentioned(store, mentioned, lambda: False)


def _prune_packs(packs: Packs, pointer: SharedPointer) -> None:
    wanted = set(pointer.indexes)
    for index in packs.indexes():
        if index.path.name not in wanted and is_unused(index.path, UNUSED_BEFORE_REMOVAL_S):
            index.path.unlink(missing_ok=True)
    remove_orphans(packs)


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except FileNotFoundError:
        return []
