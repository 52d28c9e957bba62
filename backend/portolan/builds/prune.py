"""Remove everything that no kept build uses.

Safe while a publisher runs; best while it is idle.
"""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from .disk import PART_SUFFIX, is_unused
from .live import read_live
from .manifest import KEEP_BUILDS, KEEP_DAYS, BuildHead, list_builds, manifest_path, read_mentioned
from .pack_pruning import prune_packs
from .store import UNUSED_BEFORE_REMOVAL_S, ContentStore


class Pruned(NamedTuple):
    builds: int
    files: int
    bytes: int
    documents: frozenset[str]
    """URL paths of documents that kept builds offer."""


def prune(
    root: Path,
    keep_builds: int = KEEP_BUILDS,
    keep_days: int = KEEP_DAYS,
    stopped: Callable[[], bool] = lambda: False,
) -> Pruned:
    """Remove old builds and unused files.

    Files written in the last hour stay. Keeps each site's newest ``keep_builds`` builds, those of the last
    ``keep_days``, the live build, and the builds that these are based on. ``stopped`` is called between files, so
    that a publish need not wait.
    """
    live = read_live(root).builds
    removed_builds = 0
    mentioned: set[str] = set()
    documents: set[str] = set()
    folder = root / "manifests"
    for site in sorted(entry.name for entry in folder.iterdir()) if folder.is_dir() else []:
        builds = list_builds(root, site)
        kept = _kept(builds, live.get(site), keep_builds, keep_days)
        for head in builds:
            if head.build in kept:
                named = read_mentioned(root, head.site, head.build)
                mentioned |= named.digests
                documents |= named.documents
            else:
                manifest_path(root, site, head.build).unlink(missing_ok=True)
                removed_builds += 1
        _remove_parts(folder / site)
    store = ContentStore(root)
    files, size = remove_unmentioned(store, mentioned, stopped)
    packed_files, packed_size = prune_packs(store.packs, mentioned, stopped)
    return Pruned(removed_builds, files + packed_files, size + packed_size, frozenset(documents))


def count_overdue(root: Path, keep_builds: int, keep_days: int) -> int:
    """Return the number of builds that ``prune`` would remove."""
    live = read_live(root).builds
    folder = root / "manifests"
    overdue = 0
    for site in (entry.name for entry in folder.iterdir()) if folder.is_dir() else ():
        builds = list_builds(root, site)
        overdue += len(builds) - len(
            _kept(builds, live.get(site), keep_builds, keep_days) & {each.build for each in builds}
        )
    return overdue


def _kept(builds: list[BuildHead], live: str | None, keep_builds: int, keep_days: int) -> set[str]:
    by_build = {head.build: head for head in builds}
    oldest = datetime.now(UTC) - timedelta(days=keep_days)
    wanted = [head.build for head in builds[:keep_builds]]
    wanted += [head.build for head in builds if datetime.fromisoformat(head.created) >= oldest]
    wanted += [live] if live else []
    kept: set[str] = set()
    for build in wanted:
        current: str | None = build
        while current and current not in kept:
            kept.add(current)
            current = by_build[current].parent if current in by_build else None
    return kept


def remove_unmentioned(store: ContentStore, mentioned: set[str], stopped: Callable[[], bool]) -> tuple[int, int]:
    """Remove unused files outside packs. Return their number and bytes."""
    removed = size = 0
    for shard in sorted(store.folder.iterdir()) if store.folder.is_dir() else []:
        if shard == store.packs.folder:
            continue
        if stopped():
            break
        _remove_parts(shard)
        with os.scandir(shard) as entries:
            files = {entry.name: entry for entry in entries if not entry.name.endswith(PART_SUFFIX)}
        for name in files:
            digest = name.partition(".")[0]
            whole = files.get(digest)
            if digest in mentioned or (whole and not _is_unused(whole.path)):
                continue
            if name == digest:
                size += _remove_whole(files[name].path)
                removed += 1
            elif whole is None or not os.path.exists(whole.path):  # noqa: PTH110
                size += _unlink(files[name].path)
    return removed, size


def _is_unused(path: str) -> bool:
    return is_unused(path, UNUSED_BEFORE_REMOVAL_S)


def _remove_whole(path: str) -> int:
    """Remove a stored file, unless a publisher is reusing it.

    Return the bytes removed.

    The file is first moved aside, so that a later publisher writes it again. An earlier publisher has touched the file.
    Its time shows that, and it is put back.
    """
    aside = f"{path}.removed{PART_SUFFIX}"
    try:
        os.rename(path, aside)  # noqa: PTH104
    except FileNotFoundError:
        return 0
    if not _is_unused(aside):
        os.rename(aside, path)  # noqa: PTH104
        return 0
    return _unlink(aside)


def _unlink(path: str) -> int:
    try:
        size = os.stat(path).st_size  # noqa: PTH116
        os.unlink(path)  # noqa: PTH108
    except FileNotFoundError:
        return 0
    return size


def _remove_parts(folder: Path) -> None:
    """Remove unfinished files of killed writers."""
    for part in folder.glob(f"*{PART_SUFFIX}"):
        if _is_unused(str(part)):
            part.unlink(missing_ok=True)
