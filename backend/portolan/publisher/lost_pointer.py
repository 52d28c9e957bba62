"""Write the live pointer again if it is lost or damaged while builds exist."""

import logging
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from ..builds.live import Pin, live_file, read_live, switch_live
from ..builds.manifest import BuildError, BuildHead, is_readable, list_readable
from ..builds.signing import NO_KEYS, Keys
from ..releases.last_live import LastLive
from .build_inputs import read_inputs

_ASIDE: Final = "live.json.damaged"

_log = logging.getLogger(__name__)


def set_damaged_aside(root: Path) -> bool:
    """Rename an unreadable pointer. Return True if there is no pointer now."""
    try:
        read_live(root)
    except BuildError as error:
        live_file(root).replace(root / _ASIDE)
        _log.error("%s It was renamed to %s. The last live builds are put live again.", error, root / _ASIDE)
    return not live_file(root).exists()


def mend_pointer(root: Path, sites: Iterable[str], last: Mapping[str, LastLive], keys: Keys = NO_KEYS) -> None:
    """Put the newest build of each site live again, if there is no pointer.

    The newest build was the live one, because going back also makes a build. ``last``: record with the pinned sites.
    The caller holds the ``publish_lock``.
    """
    found = {site: head for site in sites if (head := _find_newest(root, site, keys))}
    for site, head in found.items():
        inputs, shown = read_inputs(root, site, head.build), last.get(site)
        pin = Pin(shown.since, shown.by) if shown and shown.since else None
        release, blocked = (inputs.release, inputs.blocked) if inputs else (head.release, {})
        switch_live(root, {site: head.build}, release, blocked, pin, keys=keys)
    whole = [each for site, each in last.items() if site in found and each.is_whole and each.since]
    if whole:
        release = max(each.release for each in whole)
        switch_live(root, {}, release, pin=Pin(whole[0].since, whole[0].by), whole=True, keys=keys)
    if found:
        _log.warning(
            "%s was lost. The newest builds of these sites are live again: %s.", live_file(root), ", ".join(found)
        )


def _find_newest(root: Path, site: str, keys: Keys) -> BuildHead | None:
    heads = sorted(list_readable(root, site), key=lambda head: head.number, reverse=True)
    return next((head for head in heads if is_readable(root, site, head.build, keys)), None)
