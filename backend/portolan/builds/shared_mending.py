"""Repair of damage where machines share a store.

Files that are damaged on this disk are fetched again. Files that the store itself has lost are reported there, and the
publisher uploads them again.
"""

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from .disk import write_whole
from .manifest import BuildError, check_signature, is_readable, manifest_path
from .mending import LiveDamage
from .object_store import ObjectStore, StoreAway
from .pull import PACKS, SiteName, manifest_key, pull_lost_pack, pull_packs
from .shared_pointer import SharedPointer
from .signing import NO_KEYS, Keys
from .store import ContentStore, digest_of

REPORTS: Final = "damaged/"


class Refetched(NamedTuple):
    mended: int
    """Number of repaired files and manifests."""
    lacking: list[str]
    """Digests, and ``SITE BUILD`` of manifests, that are missing or damaged in the store too."""


def refetch(
    root: Path, objects: ObjectStore, damage: LiveDamage, pointer: SharedPointer | None, keys: Keys = NO_KEYS
) -> Refetched:
    """Fetch the files that are damaged on this disk. Raise StoreAway."""
    if pointer and damage.files:
        _pull_lost_packs(root, objects, pointer)
    store, lacking = ContentStore(root), []
    for digest in damage.files:
        data = store.read(digest)
        if data is None or digest_of(data) != digest:
            data = _fetch(store, objects, digest)
            if data is None:
                lacking.append(digest)
            else:
                store.replace(digest, data)
    for build in damage.builds:
        name = SiteName(*build.split(" "))
        if is_readable(root, *name, keys):
            continue
        try:
            data = objects.get(manifest_key(name))
            check_signature(data, f"build {name.build} of site {name.site}", keys)
            write_whole(str(manifest_path(root, *name)), data, 0o644, durable=True)
        except StoreAway:
            raise
        except (FileNotFoundError, BuildError):
            lacking.append(build)
    return Refetched(len(damage.files) + len(damage.builds) - len(lacking), lacking)


def report_lacking(objects: ObjectStore, lacking: Iterable[str]) -> None:
    """Report missing files to the publisher.

    A machine with read-only access to the store cannot.
    """
    said = orjson.dumps(sorted(lacking))
    with suppress(StoreAway, BuildError):
        objects.put(f"{REPORTS}{sha256(said).hexdigest()[:16]}.json", said)


def take_lacking(objects: ObjectStore) -> set[str]:
    """Return and remove the machines' reports since the last call. Raise StoreAway."""
    reports = [listed.key for listed in objects.list(REPORTS)]
    found: set[str] = set()
    for key in reports:
        with suppress(FileNotFoundError, ValueError, TypeError):
            found.update(str(each) for each in orjson.loads(objects.get(key)))
    if reports:
        objects.delete(reports)
    return found


def _fetch(store: ContentStore, objects: ObjectStore, digest: str) -> bytes | None:
    packed = store.packs.find(digest)
    if packed is None:
        return None
    with suppress(FileNotFoundError):
        data = objects.get_range(f"{PACKS}/{packed.pack}", packed.offset, packed.offset + packed.size)
        return data if digest_of(data) == digest else None
    return None


def _pull_lost_packs(root: Path, objects: ObjectStore, pointer: SharedPointer) -> None:
    """Fetch packs and indexes that the pointer names and this disk has lost."""
    with suppress(FileNotFoundError, BuildError):
        pull_packs(root, objects, pointer)
    packs = ContentStore(root).packs
    for index in packs.indexes():
        for pack in index.packs if index.path.name in pointer.indexes else ():
            if not Path(packs.path(pack)).exists():
                with suppress(FileNotFoundError, BuildError):
                    pull_lost_pack(packs.folder, objects, index, pack)
