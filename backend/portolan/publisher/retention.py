"""Find and remove unused releases and sites beyond their retention."""

import shutil
from collections.abc import Collection
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final

from ..builds.live import LivePointer, Shared, forget_sites
from ..builds.signing import NO_KEYS, Keys
from ..releases.last_live import read_last_live
from ..releases.reader import ReleaseReader

_ALWAYS_KEPT: Final = 50
"""Releases kept at any age. After months without edits, the last edits can still be reverted."""
_LEFT: Final = "left"
"""File in the folder of a site's manifests: the days on which the site configuration lacked the site."""


def find_floor(reader: ReleaseReader, pointer: LivePointer, days: int, now: datetime) -> int | None:
    """Return the first release to keep, or None to keep all.

    Keeps every release that a site shows, shows items of, or showed last, because a machine without builds needs those.
    """
    latest = reader.latest()
    if not days or latest is None:
        return None
    last = read_last_live(reader).values()
    shown = [pointer.installation.release, *pointer.releases.values(), *(each.release for each in last)]
    every_blocked = [*pointer.blocked.values(), *(each.blocked for each in last)]
    shown += [release for blocked in every_blocked for release in blocked.values()]
    recent = _first_since(reader, latest, now - timedelta(days=days))
    return max(1, min([recent, latest - _ALWAYS_KEPT + 1, *(release for release in shown if release)]))


def _first_since(reader: ReleaseReader, latest: int, moment: datetime) -> int:
    """Return the first release since this time, or the one after the newest.

    Pruned releases are older.
    """
    low, high = 1, latest + 1
    while low < high:
        middle = (low + high) // 2
        made = reader.created_at(middle)
        if made is None or made < moment:
            low = middle + 1
        else:
            high = middle
    return low


def remove_left_sites(
    root: Path,
    sites: Collection[str],
    days: int,
    today: date,
    shared: Shared | None = None,
    keys: Keys = NO_KEYS,
) -> list[str]:
    """Remove sites missing in the configuration for over ``days`` days.

    Returns their keys. ``sites``: configured sites. Only days with a check count, so a clock that jumps ahead adds
    one day.
    """
    gone = []
    for known in sorted((root / "manifests").glob("*")):
        mark = known / _LEFT
        if known.name in sites:
            mark.unlink(missing_ok=True)
            continue
        missed = set(mark.read_text(encoding="ascii").split()) if mark.exists() else set()
        if today.isoformat() not in missed:
            missed.add(today.isoformat())
            mark.write_text("\n".join(sorted(missed)), encoding="ascii")
        if len(missed) > days:
            gone.append(known.name)
    if gone:
        forget_sites(root, gone, shared, keys)  # first, because the pointer's files must exist
    for site in gone:
        for folder in ("manifests", "inputs", "journal"):
            shutil.rmtree(root / folder / site, ignore_errors=True)
    return gone
