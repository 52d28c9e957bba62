"""Remove unused files from packs: merge indexes, and rewrite little-used packs."""

import os
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Final

from .disk import PART_SUFFIX, is_unused, sync_file
from .packs import INDEX_SUFFIX, Index, Packed, Packs, write_index
from .store import UNUSED_BEFORE_REMOVAL_S

_REWRITE_BELOW: Final = 0.5
"""Share of a pack's bytes that is still used. Rewriting reads and writes these bytes once."""
_MOST_INDEXES: Final = 4
"""A lookup goes through all indexes."""


def prune_packs(packs: Packs, mentioned: Collection[str], stopped: Callable[[], bool]) -> tuple[int, int]:
    """Remove files that are not ``mentioned``. Return their number and bytes.

    Files stored or reused in the last hour stay, because their manifest may not be written yet.
    """
    old = [index for index in packs.indexes() if is_unused(index.path, UNUSED_BEFORE_REMOVAL_S)]
    used: dict[tuple[str, str | None], Packed] = {}
    gone = size = 0
    for index in old:  # newest first: of two equal files, readers use the newer
        for file in index:
            if file.digest in mentioned:
                used.setdefault((file.digest, file.encoding), file)
            else:
                gone += file.encoding is None
    by_pack: dict[str, list[Packed]] = defaultdict(list)
    for file in used.values():
        by_pack[file.pack].append(file)
    before = {pack: _size(packs, pack) for index in old for pack in index.packs}
    poor = [pack for pack in before if sum(file.size for file in by_pack[pack]) < before[pack] * _REWRITE_BELOW]
    if old and (poor or len(old) > _MOST_INDEXES):
        if stopped():
            return 0, 0
        moved = _rewrite(packs, [file for pack in poor for file in by_pack[pack]])
        kept = [file for pack in before.keys() - set(poor) for file in by_pack[pack]]
        if moved or kept:
            write_index(packs.folder, [*kept, *moved])
        for index in old:
            _remove_index(index)
        size = sum(before[pack] for pack in poor) - sum(file.size for file in moved)
    else:
        gone = 0
    remove_orphans(packs)
    return gone, size


def _remove_index(index: Index) -> None:
    """Remove an index, unless a publisher is reusing it.

    It is first moved aside. A later publisher then sees that it is gone. An earlier publisher has touched it, and it is
    put back.
    """
    aside = index.path.with_name(f"{index.path.name}.removed{PART_SUFFIX}")
    index.path.rename(aside)
    if is_unused(aside, UNUSED_BEFORE_REMOVAL_S):
        aside.unlink()
    else:
        aside.rename(index.path)


def _rewrite(packs: Packs, files: Sequence[Packed]) -> list[Packed]:
    """Write these files into a new pack, durably."""
    if not files:
        return []
    name = f"{token_hex(8)}-0"
    moved, end = [], 0
    with Path(packs.path(name)).open("wb") as pack:
        for file in sorted(files, key=lambda file: (file.pack, file.offset)):
            with Path(packs.path(file.pack)).open("rb") as source:
                source.seek(file.offset)
                pack.write(source.read(file.size))
            moved.append(file._replace(pack=name, offset=end))
            end += file.size
    os.chmod(packs.path(name), 0o444)  # noqa: PTH101
    sync_file(packs.path(name))
    return moved


def remove_orphans(packs: Packs) -> None:
    """Remove packs without an index: of failed publishes, and rewritten ones."""
    named = {pack for index in packs.indexes() for pack in index.packs}
    for path in packs.folder.iterdir() if packs.folder.is_dir() else ():
        if path.suffix != INDEX_SUFFIX and path.name not in named and is_unused(path, UNUSED_BEFORE_REMOVAL_S):
            path.unlink(missing_ok=True)


def _size(packs: Packs, pack: str) -> int:
    try:
        return Path(packs.path(pack)).stat().st_size
    except FileNotFoundError:
        return 0
