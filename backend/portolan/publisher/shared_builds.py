"""A publisher's builds in the store that machines share. The publisher writes to its own disk, as it does without; before it
switches, what the switch needs is put into the store, and at last the pointer, on condition that nobody else has moved it.

A publisher's folder and the store have the same files under the same names, but for those that another machine has put
there meanwhile: ``catch_up`` fetches them. What the publisher's own pruning leaves is what the store keeps.
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
"""Other machines may be fetching what was live a moment ago."""
_MANIFESTS: Final = "manifests/"
_MIRRORED: Final = (_MANIFESTS, "inputs/")
_JOURNAL: Final = "journal/"
_MEDIA: Final = "media/"

_log = logging.getLogger(__name__)


class SharedBuilds:
    """Whoever calls ``switch`` or ``tidy`` is ``alone``."""

    def __init__(
        self,
        root: Path,
        objects: ObjectStore,
        database_url: str,
        media: MediaSource | None = None,
        keys: Keys = NO_KEYS,
    ) -> None:
        """``media``: where files come from that visitors see and no build has; without it they are not put there. ``keys``:
        whose builds are taken over, and what the pointer is signed with."""
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
        """Keys that are in the store for sure, and never change."""
        self._inputs_put: dict[str, int] = {}

    @contextmanager
    def alone(
        self,
        wait: bool = True,
        on_wait: Callable[[], None] = lambda: None,
        groups: Collection[str] | None = None,
        longest_s: float | None = None,
    ) -> Iterator[None]:
        """Be the one publisher of these groups (none given: of all) on all machines, and have on this disk what the others
        have put live."""
        try:
            with publisher_lease(self._database_url, wait, on_wait, groups, longest_s):
                self.catch_up()
                yield
        except Taken:
            raise UsageError(
                "A publisher on another machine is at work, so this one did nothing. Wait for it, or run without --no-wait."
            ) from None

    def catch_up(self) -> None:
        """Take over what another machine has put live; where the store is empty, put this machine's there."""
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
            _log.error("%s What this machine has put live is put there again.", error)
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
        """Bring everything here that kept builds have in the store: what is live can then be published from here. ``keys``:
        all that are in the store."""
        keys = keys or self._keys()
        wanted = [key for key in keys if key.startswith(_MIRRORED) and not (self._root / key).exists()]
        try:
            pull_packs(self._root, self._objects, pointer)
            self._objects.each(self._fetch, sorted(wanted))
        except FileNotFoundError as error:
            raise BuildError(f"The shared store lacks what it listed ({error}). It is asked again.") from error
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
            found = self._objects.read(POINTER)  # a write that was tried twice may have been refused by itself
            if found is None or unpack_pointer(found.data, self._trusted).switch != pointer.switch:
                self._version = None
                raise SwitchedMeanwhile from None
            self._version = found.version
        self._pointer = pointer

    def put_again(self, keys: Iterable[str]) -> None:
        """These files of ours say something else under the same names; so does the pointer."""
        self._objects.each(lambda key: self._objects.put(key, self._root / key), keys)
        reswitch(self._root, self, self._trusted)

    def mend(self, damage: LiveDamage) -> bool:
        """Fetch files that are damaged on this disk from the store. Return True if a file was repaired."""
        try:
            return refetch(self._root, self._objects, damage, self._pointer, self._trusted).mended > 0
        except StoreAway:
            return False

    def take_lacking(self) -> set[str]:
        """Return digests of files, and ``SITE BUILD`` of manifests, that other machines failed to get from the store.
        Empty while the store is away."""
        try:
            return take_lacking(self._objects)
        except StoreAway:
            return set()

    def put_files_again(self, files: Iterable[str], builds: Iterable[str]) -> None:
        """Store these files of live builds, which are whole here, and manifests in the store again."""
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
        """Whoever wrote this pack has put it into the store already."""
        self._known.add(f"{PACKS}/{pack}")

    def is_behind(self) -> bool:
        """See ``builds.live.Shared``."""
        if self._pointer is None or self._pointer.hosts != self._hosts():
            return True
        return self._source is not None and self._pointer.media is None

    def tidy(self, documents: Collection[str]) -> None:
        """Remove from the store what this machine's pruning has left out, an hour after it was written. ``documents``:
        addresses that kept builds offer."""
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
        """Put there everything that the switch needs, and is not there yet; returns the pointer to write then."""
        manifests = [name for site, build in live["sites"].items() for name in self._new_manifests(site, build)]
        mentioned = [read_mentioned(self._root, *name) for name in manifests]
        self._store.pack(self._loose(mentioned))
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
        """Put there what visitors will see of media. Without a source, what the pointer names stays."""
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
            self._media.take_over(None)  # somebody has removed or damaged them: they are put there anew

    def _hosts(self) -> dict[str, Any]:
        hosts: dict[str, Any] = orjson.loads(hosts_file(self._root).read_bytes())
        return hosts

    def _new_manifests(self, site: str, build: str) -> Iterator[SiteName]:
        """Those of the live build and of what it is based on, as far as the store has none of them."""
        wanted: str | None = build
        while wanted and f"manifests/{site}/{wanted}.json" not in self._known:
            yield SiteName(site, wanted)
            wanted = read_head(self._root, site, wanted).parent

    def _loose(self, manifests: Iterable[Mentioned]) -> list[str]:
        """Files that these manifests name and no pack has."""
        mentioned = dict.fromkeys(digest for each in manifests for digest in sorted(each.digests))
        return [digest for digest in mentioned if self._store.packs.find(digest) is None]

    def _indexes(self) -> list[Index]:
        return self._store.packs.indexes()

    def _changed_inputs(self, sites: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Inputs can be written anew for the same build."""
        for site, build in sites.items():
            path = inputs_path(self._root, site, build)
            if path.exists() and self._inputs_put.get(site) != path.stat().st_mtime_ns:
                yield site, build

    def _layers(self, site: str, build: str) -> Iterator[str]:
        """Those of its inputs that the store has not. A layer is put after what it is based on was."""
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
        """Of everything in the store that builds are made of."""
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
