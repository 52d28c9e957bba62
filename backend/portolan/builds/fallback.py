"""What to serve of a site whose live build is damaged: an earlier build that is whole."""

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
"""For one damaged file of a build that can be read. Whoever fell back further would take edits of days from visitors, for the
sake of one page."""
_MOST_CHECKED: Final = 200
"""Files whose bytes are looked at before a build is served. What differs more is checked when it is read."""


class Wanted(NamedTuple):
    """What is live by the pointer."""

    site: str
    build: str
    release: int
    """The one whose content the site shows."""
    manifest: Manifest | None
    """None where it cannot be read."""


def find_whole_build(
    root: Path, store: ContentStore, wanted: Wanted, damaged: Collection[str], keys: Keys = NO_KEYS
) -> Manifest | None:
    """The newest earlier build that can be read, has none of the files that are known to be ``damaged``, and has all those
    that the live one lacks. Only of content that is not newer than what is live: somebody may have gone back on purpose.
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
    """Whether a build has one of these files. What it carries for open tabs does not count."""
    return bool(damaged) and any(file.digest in damaged for file in manifest.files.values())


def find_new_damage(store: ContentStore, manifest: Manifest, known: Manifest | None) -> Damage | None:
    """A file that a build has, a ``known`` one has not, and that cannot be had. Of very many only some are read."""
    changed: dict[str, File] = difference(manifest.files, known.files if known else {})[0]
    if known is None and len(changed) > _MOST_CHECKED:
        return None
    some = list({file.digest: file for file in changed.values()}.values())[:_MOST_CHECKED]
    return find_damaged(store, some)
