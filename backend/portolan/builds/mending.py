"""Repair damaged files from their copies here.

The rest is returned for the roles that can make or fetch the files again.
"""

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from .compress import compress_in_passing
from .disk import PART_SUFFIX
from .integrity import Damage, Stored, find_damage, restore
from .live import read_live
from .manifest import BuildError, File, read_manifest
from .signing import NO_KEYS, Keys
from .store import ContentStore, digest_of


class LiveDamage(NamedTuple):
    """Files and manifests of the live builds that are unreadable on this machine."""

    files: Sequence[str] = ()
    """Digests, with those of pages first."""
    builds: Collection[str] = ()
    """``SITE BUILD`` of each unreadable manifest."""

    def __bool__(self) -> bool:
        return bool(self.files or self.builds)


NO_DAMAGE: Final = LiveDamage()


def mend_live(
    root: Path, digests: Collection[str] | None = None, sites: Collection[str] | None = None, keys: Keys = NO_KEYS
) -> LiveDamage:
    """Repair files and manifests of live builds, and return those left damaged.

    ``digests``: files to check, of which those outside live builds are ignored; None for all files. ``sites``: sites to
    check; None for all sites. ``keys``: keys that must have signed the builds.
    """
    store, builds = ContentStore(root), set()
    files: dict[str, File] = {}
    for site, build in read_live(root).builds.items():
        if sites is not None and site not in sites:
            continue
        try:
            files |= {file.digest: file for file in read_manifest(root, site, build, keys=keys).files.values()}
        except BuildError:
            builds.add(f"{site} {build}")
    wanted = files.keys() if digests is None else files.keys() & {*digests}
    damaged = [digest for digest in wanted if not _make_whole(store, files[digest])]
    return LiveDamage(
        sorted(damaged, key=lambda digest: not files[digest].content_type.startswith("text/html")), builds
    )


def _make_whole(store: ContentStore, file: Stored) -> bool:
    return all(mend(store, file, damage) or damage.encoding is not None for damage in find_damage(store, file))


def mend(store: ContentStore, file: Stored, damage: Damage) -> bool:
    """Return True if the damage was repaired.

    A file is made from an intact copy, a copy from its file.
    """
    digest, encoding = damage.digest, damage.encoding
    if encoding is None:
        data = restore(store, file)
        if data is None:
            _set_aside(store, digest)
            return False
        store.replace(digest, data)
        return True
    data = store.read(digest)
    if data is None or digest_of(data) != digest:
        return False
    store.put_copy(digest, encoding, compress_in_passing(data, encoding), best=encoding == "gzip")
    return True


def _set_aside(store: ContentStore, digest: str) -> None:
    """Rename the damaged file, so that a writer stores it again.

    It is removed together with the partial files of killed writers.
    """
    path, data = store.path(digest), store.read(digest)
    if data is None or digest_of(data) == digest:
        return  # the file is intact and the manifest differs
    try:
        os.rename(path, f"{path}.damaged{PART_SUFFIX}")  # noqa: PTH104
    except OSError:
        return  # in a pack, or not writable for this process; it counts as damaged all the same
