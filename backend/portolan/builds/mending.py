"""Makes damaged files whole: of their copies here, or as the start of a repair by those who can make them again."""

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
    """What of the live builds cannot be had on this machine."""

    files: Sequence[str] = ()
    """Digests; those of pages first."""
    builds: Collection[str] = ()
    """``SITE BUILD``: its manifest cannot be read."""

    def __bool__(self) -> bool:
        return bool(self.files or self.builds)


NO_DAMAGE: Final = LiveDamage()


def mend_live(
    root: Path, digests: Collection[str] | None = None, sites: Collection[str] | None = None, keys: Keys = NO_KEYS
) -> LiveDamage:
    """Look at files of live builds and at the manifests, and make whole what has a whole copy. Returns the rest. ``digests`` that
    no live build has are passed over; none given: all files. ``sites``: whose builds; none given: all. ``keys``: who has to
    have signed them.
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
    """Whether it is whole again. A file is made of a whole copy, a copy is made anew of its file."""
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
    """What is damaged is not mistaken for the file by whoever stores it again. It goes with what killed writers left."""
    path, data = store.path(digest), store.read(digest)
    if data is None or digest_of(data) == digest:
        return  # it is the manifest that says something else of it
    try:
        os.rename(path, f"{path}.damaged{PART_SUFFIX}")  # noqa: PTH104
    except OSError:
        return  # it is in a pack, or this process may not write: then it is passed over all the same
