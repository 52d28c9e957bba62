"""Find an intact earlier build to serve if a site's live build is damaged."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from .integrity import Damage, find_damaged
from .manifest import BuildError, File, Manifest, list_readable, read_manifest
from .overlay import difference
from .signing import NO_KEYS, Keys
from .store import ContentStore

MOST_BUILDS_BACK: Final = 5
"""Limit for one damaged file in a readable build. An older build would lose edits of days for the sake of one page."""
_MOST_CHECKED: Final = 200
"""Files whose bytes are checked before a build is served. The other files are checked when they are read."""


class Wanted(NamedTuple):
    """The live build of a site, by the pointer."""

    site: str
    build: str
    release: int
    """The release whose content the site shows."""
    manifest: Manifest | None
    """None if it is unreadable."""


def find_whole_build(
    root: Path, store: ContentStore, wanted: Wanted, damaged: Collection[str], keys: Keys = NO_KEYS
) -> Manifest | None:
    """Return the newest intact earlier build, or None.

    It is readable, has none of the ``damaged`` files, and has all files that the live build lacks. Its content is at
    most as new as the live content, because an editor may have gone back on purpose.
    """
    for manifest in read_earlier(root, wanted, keys):
        if not has_any(manifest, damaged) and find_new_damage(store, manifest, wanted.manifest) is None:
            return manifest
    return None


def read_earlier(root: Path, wanted: Wanted, keys: Keys = NO_KEYS) -> Iterator[Manifest]:
    """Yield earlier readable builds, newest first, as far back as visitors may see."""
    heads = sorted(list_readable(root, wanted.site), key=lambda head: (head.release, head.number), reverse=True)
    earlier = [head for head in heads if head.build != wanted.build and head.release <= wanted.release]
    if wanted.manifest:
        number = wanted.manifest.number
        earlier = [head for head in earlier if head.number < number][:MOST_BUILDS_BACK]
    for head in earlier:
        with suppress(BuildError):
            yield read_manifest(root, head.site, head.build, keys=keys)


def has_any(manifest: Manifest, damaged: Collection[str]) -> bool:
    """Return True if the build has one of these files.

    Files carried for open tabs do not count.
    """
    return bool(damaged) and any(file.digest in damaged for file in manifest.files.values())


def find_new_damage(store: ContentStore, manifest: Manifest, known: Manifest | None) -> Damage | None:
    """Return a damaged file that the ``known`` build lacks, or None.

    Checks a limited number of files.
    """
    changed: dict[str, File] = difference(manifest.files, known.files if known else {})[0]
    if known is None and len(changed) > _MOST_CHECKED:
        return None
    some = list({file.digest: file for file in changed.values()}.values())[:_MOST_CHECKED]
    return find_damaged(store, some)
