"""Fetch the builds of a shared pointer: manifests, and packs with their files.

Nothing is served before everything has arrived.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from .disk import PART_SUFFIX, make_folder, sync_filesystem, sync_folder, write_whole
from .manifest import (
    BuildError,
    check_signature,
    is_readable,
    manifest_path,
    manifests_folder,
    parent_of,
    read_mentioned,
)
from .object_store import ObjectStore
from .packs import FOLDER, Index
from .shared_pointer import SharedPointer
from .signing import NO_KEYS, Keys
from .store import ContentStore, digest_of

PACKS: Final = f"store/{FOLDER}"


class SiteName(NamedTuple):
    """One build of one site."""

    site: str
    build: str


def pull(
    root: Path, objects: ObjectStore, pointer: SharedPointer, builds: Iterable[SiteName], keys: Keys = NO_KEYS
) -> None:
    """Fetch these builds completely.

    Raise StoreAway, or BuildError if a file is missing in the store or not signed with one of ``keys``. Then read the
    pointer again.
    """
    try:
        chains = objects.each(lambda name: _pull_chain(root, objects, name, keys), dict.fromkeys(builds))
        pull_packs(root, objects, pointer)
    except FileNotFoundError as error:
        raise BuildError(
            f"The shared store lacks files that its pointer names ({error}). It will be read again."
        ) from error
    new = dict.fromkeys(name for chain in chains for name in chain)
    for name in new:
        check_build(root, name)


def manifest_key(name: SiteName) -> str:
    return f"manifests/{name.site}/{name.build}.json"


def _pull_chain(root: Path, objects: ObjectStore, name: SiteName, keys: Keys) -> list[SiteName]:
    """Fetch the missing manifests of a build and of those it is based on.

    Return their names.
    """
    fetched: list[tuple[SiteName, bytes]] = []
    wanted: SiteName | None = name
    while wanted and not is_readable(root, *wanted, keys):
        data = objects.get(manifest_key(wanted))
        check_signature(data, f"build {wanted.build} of site {wanted.site}", keys)
        fetched.append((wanted, data))
        parent = parent_of(data)
        wanted = SiteName(name.site, parent) if parent else None
    make_folder(manifests_folder(root, name.site))
    for each, data in reversed(fetched):  # the whole one first, so that every manifest here is readable
        write_whole(str(manifest_path(root, *each)), data, 0o644, durable=True)
    if fetched:
        sync_folder(manifests_folder(root, name.site))
    return [each for each, _ in fetched]


def pull_packs(root: Path, objects: ObjectStore, pointer: SharedPointer) -> None:
    """Fetch and check every missing pack that the pointer names."""
    store = ContentStore(root)
    folder = store.packs.folder
    if not folder.is_dir():
        store.prepare()
    here = set(os.listdir(folder))  # noqa: PTH208
    missing = [name for name in pointer.indexes if name not in here]
    indexes = objects.each(lambda name: _pull_index(folder, objects, name), missing)
    packs = dict.fromkeys(pack for index in indexes for pack in index.packs if pack not in here)
    parts = dict(zip(packs, objects.each(lambda pack: _pull_pack(folder, objects, pack), packs), strict=True))
    try:
        for index in indexes:
            _check_packs(index, {pack: parts.get(pack, folder / pack) for pack in index.packs})
        if parts:
            sync_filesystem(folder)
        for pack, part in parts.items():
            part.rename(folder / pack)
        for name, index in zip(missing, indexes, strict=True):  # last, because files in an index must be on the disk
            index.path.rename(folder / name)
        if missing:
            sync_folder(folder)
    finally:
        for part in (*parts.values(), *(index.path for index in indexes)):
            part.unlink(missing_ok=True)


def pull_lost_pack(folder: Path, objects: ObjectStore, index: Index, pack: str) -> None:
    """Fetch a missing pack of an index that is on the disk."""
    part = _pull_pack(folder, objects, pack)
    try:
        _check_packs(index, {pack: part})
        part.rename(folder / pack)
    finally:
        part.unlink(missing_ok=True)


def _pull_index(folder: Path, objects: ObjectStore, name: str) -> Index:
    path = folder / f"{name}.{os.getpid()}{PART_SUFFIX}"
    write_whole(str(path), objects.get(f"{PACKS}/{name}"), 0o444, durable=True)
    try:
        return Index(path)
    except (ValueError, KeyError, OSError) as error:
        path.unlink(missing_ok=True)
        raise BuildError(f"The index {name} in the shared store is damaged ({error}). It is fetched again.") from error


def _pull_pack(folder: Path, objects: ObjectStore, pack: str) -> Path:
    part = folder / f"{pack}.{os.getpid()}{PART_SUFFIX}"
    try:
        objects.save(f"{PACKS}/{pack}", part)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.chmod(0o444)
    return part


def _check_packs(index: Index, packs: dict[str, Path]) -> None:
    """Check the bytes in these packs against their digests."""
    files: dict[str, int] = {}
    sizes = {pack: path.stat().st_size for pack, path in packs.items()}
    try:
        for packed in index:
            if packed.pack not in packs:
                continue
            if packed.offset + packed.size > sizes[packed.pack]:
                raise BuildError(f"The pack {packed.pack} in the shared store is incomplete. It is fetched again.")
            if packed.encoding is not None:
                continue
            if packed.pack not in files:
                files[packed.pack] = os.open(packs[packed.pack], os.O_RDONLY | os.O_CLOEXEC)
            if digest_of(os.pread(files[packed.pack], packed.size, packed.offset)) != packed.digest:
                raise BuildError(f"The pack {packed.pack} in the shared store is damaged. It is fetched again.")
    finally:
        for file in files.values():
            with suppress(OSError):
                os.close(file)


def check_build(root: Path, name: SiteName) -> None:
    """Raise BuildError if a file of the manifest is missing here.

    The manifest is then removed, to be fetched again.
    """
    store = ContentStore(root)
    missing = [digest for digest in read_mentioned(root, *name).digests if not store.keep(digest)]
    if missing:
        manifest_path(root, *name).unlink(missing_ok=True)
        raise BuildError(
            f"{len(missing)} files of build {name.build} of site {name.site} are missing in the shared store "
            f"({missing[0]}), so it cannot be served here. The store will be read again."
        )
