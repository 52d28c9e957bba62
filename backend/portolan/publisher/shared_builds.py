"""A publisher's builds in the store that machines share.

The publisher writes to its own disk. Before a switch it puts the needed files into the store, and last the pointer, on
the condition that the pointer is unchanged.

A publisher's folder and the store have the same files under the same names. ``catch_up`` fetches those that another
machine has added. The store keeps the files that the publisher's own pruning keeps.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import orjson

from ..builds.disk import make_folder, write_whole
from ..builds.hosts import hosts_file, put_hosts
from ..builds.live import SwitchedMeanwhile, follow_switch, live_file, read_live_number, read_switch, reswitch
from ..builds.manifest import (
    BuildError,
    Mentioned,
    check_signature,
    documents_of,
    list_readable,
    read_head,
    read_manifest,
    read_mentioned,
)
from ..builds.media_source import MediaSource
from ..builds.mending import LiveDamage
from ..builds.object_store import ObjectStore, Overtaken, StoreAway, Version
from ..builds.packs import Index
from ..builds.pull import PACKS, SiteName, check_build, pull_packs
from ..builds.sealed import number_of, require_newer
from ..builds.shared_mending import refetch, take_lacking
from ..builds.shared_pointer import POINTER, SharedMedia, SharedPointer, pack_pointer, unpack_pointer
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore, digest_of
from ..releases.lease import Taken, publisher_lease
from ..releases.reader import open_reader
from .build_inputs import inputs_path, layers_of
from .journal import add_lines, lines_of, read_entries
from .lost_pointer import set_damaged_aside
from .problem import UsageError
from .shared_media import MediaPublisher

_UNNEEDED_BEFORE_REMOVAL: Final = timedelta(hours=1)
"""Other machines may still fetch builds that were live a moment ago."""
_MANIFESTS: Final = "manifests/"
_MIRRORED: Final = (_MANIFESTS, "inputs/")
_JOURNAL: Final = "journal/"
_MEDIA: Final = "media/"

_log = logging.getLogger(__name__)


class SharedBuilds:
    """Hold ``alone`` when you call ``switch`` or ``tidy``."""

    def __init__(
        self,
        root: Path,
        objects: ObjectStore,
        database_url: str,
        media: MediaSource | None = None,
        keys: Keys = NO_KEYS,
    ) -> None:
        """``media``: source of public files outside builds, or None to leave them out.

        ``keys``: required signatures of other machines' builds, and the key for the pointer.
        """
        self._trusted = keys
        self._source = media
        self._media: MediaPublisher | None = None
        self._root = root
        self._objects = objects
        self._database_url = database_url
        self._store = ContentStore(root)
        self._version: Version | None = None
        self._pointer: SharedPointer | None = None
        self._known: set[str] = set()
        """Keys that are certainly in the store, and never change."""
        self._inputs_put: dict[str, int] = {}

    @contextmanager
    def alone(
        self,
        wait: bool = True,
        on_wait: Callable[[], None] = lambda: None,
        groups: Collection[str] | None = None,
        longest_s: float | None = None,
    ) -> Iterator[None]:
        """Be the only publisher of these groups on all machines.

        By default of all groups. The others' live builds are then on this disk.
        """
        try:
            with publisher_lease(self._database_url, wait, on_wait, groups, longest_s):
                self.catch_up()
                yield
        except Taken:
            raise UsageError(
                "A publisher on another machine is at work. Nothing was done. Wait for it to end, or run without "
                "--no-wait."
            ) from None

    def catch_up(self) -> None:
        """Fetch the live builds of another machine.

        If the store is empty, put this machine's builds there.
        """
        set_damaged_aside(self._root)
        try:
            found = self._objects.read(POINTER, self._version)
        except FileNotFoundError:
            self._version = self._pointer = None
            self._known = set()
            self._take_over_media(None)
            if live_file(self._root).exists() and hosts_file(self._root).exists():
                reswitch(self._root, self, self._trusted)
            return
        if found is None and self._pointer and self._pointer.switch == read_switch(self._root):
            return
        found = found or self._objects.read(POINTER)
        assert found
        pointer = unpack_pointer(found.data, self._trusted)
        self._known = self._keys()
        try:
            here = read_live_number(self._root, self._trusted)
            require_newer("The pointer in the shared store", number_of(pointer.live), self._trusted, here)
        except BuildError as error:
            _log.error("%s The live builds of this machine are put there again.", error)
            self._take_over_media(pointer)
            self._version, self._pointer = found.version, pointer
            reswitch(self._root, self, self._trusted)
            return
        before = read_switch(self._root)
        if pointer.switch != before:
            self.pull(pointer, self._known)
            put_hosts(self._root, pointer.hosts)
            follow_switch(self._root, pointer.live, before)
        self._take_over_media(pointer)
        self._version, self._pointer = found.version, pointer

    def pull(self, pointer: SharedPointer, keys: Collection[str] | None = None) -> None:
        """Fetch all files of kept builds, so that this machine can publish.

        ``keys``: all keys in the store.
        """
        keys = keys or self._keys()
        wanted = [key for key in keys if key.startswith(_MIRRORED) and not (self._root / key).exists()]
        try:
            pull_packs(self._root, self._objects, pointer)
            self._objects.each(self._fetch, sorted(wanted))
        except FileNotFoundError as error:
            raise BuildError(
                f"The shared store lacks files that it listed ({error}). It will be read again."
            ) from error
        for site, build in pointer.builds.items():
            if f"manifests/{site}/{build}.json" in wanted:
                check_build(self._root, SiteName(site, build))
        self._pull_journal(keys)

    def switch(self, live: Mapping[str, Any]) -> None:
        """See ``builds.live.Shared``."""
        pointer = self._push(live)
        try:
            self._version = self._objects.replace(POINTER, pack_pointer(pointer, self._trusted), self._version)
        except Overtaken:
            found = self._objects.read(POINTER)  # a repeated write may have been refused because of its first attempt
            if found is None or unpack_pointer(found.data, self._trusted).switch != pointer.switch:
                self._version = None
                raise SwitchedMeanwhile from None
            self._version = found.version
        self._pointer = pointer

    def put_again(self, keys: Iterable[str]) -> None:
        """Store changed files under the same names again, and the pointer."""
        self._objects.each(lambda key: self._objects.put(key, self._root / key), keys)
        reswitch(self._root, self, self._trusted)

    def mend(self, damage: LiveDamage) -> bool:
        """Fetch files that are damaged on this disk from the store.

        Return True if a file was repaired.
        """
        try:
            return refetch(self._root, self._objects, damage, self._pointer, self._trusted).mended > 0
        except StoreAway:
            return False

    def take_lacking(self) -> set[str]:
        """Return files and manifests that other machines found missing in the store.

        Digests of files, and ``SITE BUILD`` of manifests. Empty while the store is unreachable.
        """
        try:
            return take_lacking(self._objects)
        except StoreAway:
            return set()

    def put_files_again(self, files: Iterable[str], builds: Iterable[str]) -> None:
        """Store these intact files of live builds, and manifests, in the store again."""
        packs, alone = set(), []
        for digest in files:
            packed, data = self._store.packs.find(digest), self._store.packs.read(digest)
            if packed and data is not None and digest_of(data) == digest:
                packs.add(packed.pack)
            else:
                alone.append(digest)
        self._store.repack(alone)
        self._known &= self._keys()  # the store may have lost other files too
        manifests = [f"{_MANIFESTS}{build.replace(' ', '/')}.json" for build in builds]
        self.put_again([*(f"{PACKS}/{pack}" for pack in sorted(packs)), *manifests])

    def note_stored(self, pack: str) -> None:
        """Register a pack whose writer has already put it into the store."""
        self._known.add(f"{PACKS}/{pack}")

    def is_behind(self) -> bool:
        """See ``builds.live.Shared``."""
        if self._pointer is None or self._pointer.hosts != self._hosts():
            return True
        return self._source is not None and self._pointer.media is None

    def tidy(self, documents: Collection[str]) -> None:
        """Remove files from the store that this machine has pruned, after an hour.

        ``documents``: URL paths that kept builds offer.
        """
        indexes = self._indexes()
        has_moved = self._media is not None and self._media.tidy(documents)
        if self._pointer and (
            has_moved or sorted(self._pointer.indexes) != sorted(index.path.name for index in indexes)
        ):
            reswitch(self._root, self, self._trusted)
        named = {f"{PACKS}/{name}" for index in indexes for name in (index.path.name, *index.packs)}
        if self._media:
            named |= self._media.keys()
        before = datetime.now(UTC) - _UNNEEDED_BEFORE_REMOVAL
        builds = {path.stem for path in (self._root / "manifests").glob("*/*.json")}
        unneeded = [
            listed.key
            for listed in self._objects.list()
            if listed.changed < before and listed.key != POINTER and not self._is_needed(listed.key, named, builds)
        ]
        if unneeded:
            self._objects.delete(unneeded)
            self._known.difference_update(unneeded)

    def _is_needed(self, key: str, named: set[str], builds: set[str]) -> bool:
        if key.startswith(_JOURNAL):
            return Path(key).stem in builds
        if key.startswith(_MEDIA) and not self._media:
            return True
        return (
            key in named
            if key.startswith((PACKS, _MEDIA))
            else key.startswith(_MIRRORED) and (self._root / key).exists()
        )

    def _push(self, live: Mapping[str, Any]) -> SharedPointer:
        """Store all missing files for the switch. Return the pointer to write afterwards."""
        manifests = [name for site, build in live["sites"].items() for name in self._new_manifests(site, build)]
        mentioned = [read_mentioned(self._root, *name) for name in manifests]
        self._store.pack(self._find_unpacked(mentioned))
        media = self._push_media(live, mentioned)
        indexes = self._indexes()
        files = [f"{PACKS}/{name}" for index in indexes for name in (*index.packs, index.path.name)]
        files += [f"manifests/{name.site}/{name.build}.json" for name in manifests]
        inputs = list(self._changed_inputs(live["sites"]))
        files += [key for site, build in inputs for key in self._layers(site, build)]
        new = [key for key in dict.fromkeys(files) if key not in self._known]
        puts: list[tuple[str, bytes | Path]] = [(key, self._root / key) for key in new]
        puts += [
            (self._key(inputs_path(self._root, site, build)), inputs_path(self._root, site, build))
            for site, build in inputs
        ]
        puts += self._journal(manifests)
        self._objects.each(lambda put: self._objects.put(*put), puts)
        self._known.update(new)
        for site, build in inputs:
            self._inputs_put[site] = inputs_path(self._root, site, build).stat().st_mtime_ns
        return SharedPointer(live["switch"], live, self._hosts(), [index.path.name for index in indexes], media)

    def _push_media(self, live: Mapping[str, Any], mentioned: Iterable[Mentioned]) -> SharedMedia | None:
        """Store public media. Without a source, the pointer's media stay."""
        if self._source is None:
            return self._pointer.media if self._pointer else None
        if self._media is None:
            self._media = MediaPublisher(self._objects, self._source, open_reader(self._database_url))
            self._take_over_media(self._pointer)
        if self._media.is_complete:
            documents = {address for each in mentioned for address in each.documents}
        else:
            built = (read_manifest(self._root, site, build) for site, build in live["sites"].items())
            documents = {address for manifest in built for address in documents_of(self._root, manifest)}
        return self._media.push(live, documents)

    def _take_over_media(self, pointer: SharedPointer | None) -> None:
        if self._media is None:
            return
        try:
            self._media.take_over(pointer.media if pointer else None)
        except StoreAway:
            raise
        except (FileNotFoundError, BuildError):
            self._media.take_over(None)  # the lists are missing or damaged, so they are written again

    def _hosts(self) -> dict[str, Any]:
        hosts: dict[str, Any] = orjson.loads(hosts_file(self._root).read_bytes())
        return hosts

    def _new_manifests(self, site: str, build: str) -> Iterator[SiteName]:
        """Yield the manifests of the live build and its bases that the store lacks."""
        wanted: str | None = build
        while wanted and f"manifests/{site}/{wanted}.json" not in self._known:
            yield SiteName(site, wanted)
            wanted = read_head(self._root, site, wanted).parent

    def _find_unpacked(self, manifests: Iterable[Mentioned]) -> list[str]:
        """Return the files of these manifests that are not in packs."""
        mentioned = dict.fromkeys(digest for each in manifests for digest in sorted(each.digests))
        return [digest for digest in mentioned if self._store.packs.find(digest) is None]

    def _indexes(self) -> list[Index]:
        return self._store.packs.indexes()

    def _changed_inputs(self, sites: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the builds whose inputs were written since the last call."""
        for site, build in sites.items():
            path = inputs_path(self._root, site, build)
            if path.exists() and self._inputs_put.get(site) != path.stat().st_mtime_ns:
                yield site, build

    def _layers(self, site: str, build: str) -> Iterator[str]:
        """Yield the keys of layers of its inputs that the store lacks.

        A layer is stored after its bases.
        """
        for name in layers_of(self._root, site, inputs_path(self._root, site, build)):
            key = f"inputs/{site}/pages/{name}.json"
            if key in self._known:
                return
            yield key

    def _journal(self, manifests: Iterable[SiteName]) -> Iterator[tuple[str, bytes]]:
        by_site: dict[str, list[str]] = {}
        for name in manifests:
            by_site.setdefault(name.site, []).append(name.build)
        for site, builds in by_site.items():
            for build, lines in lines_of(self._root, site, builds).items():
                yield f"{_JOURNAL}{site}/{build}.jsonl", lines

    def _keys(self) -> set[str]:
        """Return the keys of all files of builds in the store."""
        found = self._objects.each(
            lambda prefix: [listed.key for listed in self._objects.list(prefix)], (f"{PACKS}/", *_MIRRORED, _JOURNAL)
        )
        return {key for keys in found for key in keys}

    def _key(self, path: Path) -> str:
        return path.relative_to(self._root).as_posix()

    def _fetch(self, key: str) -> None:
        path = self._root / key
        data = self._objects.get(key)
        if key.startswith(_MANIFESTS):
            check_signature(data, key, self._trusted)
        make_folder(path.parent)
        write_whole(str(path), data, 0o644)

    def _pull_journal(self, keys: Collection[str]) -> None:
        for site in sorted(path.name for path in (self._root / "manifests").glob("*")):
            known = {entry.build for entry in read_entries(self._root, site)}
            kept = [head.build for head in reversed(list_readable(self._root, site)) if head.build not in known]
            wanted = [key for build in kept if (key := f"{_JOURNAL}{site}/{build}.jsonl") in keys]
            for lines in self._objects.each(self._objects.get, wanted):
                add_lines(self._root, site, lines)
