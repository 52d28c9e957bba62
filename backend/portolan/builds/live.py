"""The live pointer: which build of each site is served, and which content it shows. To go live is to replace this one
file.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..releases.edition import pack_held, unpack_held
from ..releases.reader import ALL_SITES, Held
from .disk import make_folder, sync_folder, write_whole
from .manifest import BuildError, now_iso, read_head


class Hold(NamedTuple):
    """Somebody put an earlier release live on a site on purpose: nothing newer goes live there until it is resumed."""

    since: str
    """ISO time with offset."""
    by: str


def live_file(root: Path) -> Path:
    """The pointer's file. Its inode and time change with each switch."""
    return root / "live.json"


class LivePointer(NamedTuple):
    """What is live, by site key. Everything is empty before the first publish."""

    builds: Mapping[str, str]
    """The build each site serves."""
    releases: Mapping[str, int]
    """The release whose content is live. May be newer than the build's own: an edit that changes no file of a site makes
    no build of it.
    """
    held: Mapping[str, Held]
    """Items shown as an earlier release has them. A site without any is left out."""
    holds: Mapping[str, Hold]
    """Sites that are on hold."""


def read_live(root: Path) -> LivePointer:
    """Read the whole pointer at once, so that its parts agree. Raises BuildError if it is damaged."""
    document = _read(root)
    builds = {str(site): str(build) for site, build in document["sites"].items()}
    releases = document.get("releases", {})
    return LivePointer(
        builds,
        {site: releases.get(site) or read_head(root, site, build).release for site, build in builds.items()},
        {site: unpack_held(rows) for site, rows in document.get("held", {}).items()},
        {site: Hold(**hold) for site, hold in document.get("holds", {}).items()},
    )


def switch_live(
    root: Path,
    builds: Mapping[str, str],
    release: int | None = None,
    held: Held | None = None,
    hold: Hold | None = None,
) -> None:
    """Put these builds live, all at once; sites not named keep theirs. The switch is on the disk when this returns.
    ``release`` is the one they show, if it is newer than the one they were made from; ``held`` are items that they show
    in an earlier state. With ``hold`` nothing newer goes live on them until ``resume``. The files of the builds must be
    synced before. Raises BuildError where a build has no readable manifest.
    """
    heads = {site: read_head(root, site, build) for site, build in builds.items()}
    make_folder(root)
    with _alone(root):
        known = _read(root)
        rows = {site: pack_held(held_on(site, held or {})) for site in builds}
        _write(
            root,
            sites={**known["sites"], **builds},
            releases={**known.get("releases", {}), **{site: release or head.release for site, head in heads.items()}},
            held={site: items for site, items in {**known.get("held", {}), **rows}.items() if items},
            holds={**known.get("holds", {}), **({site: hold._asdict() for site in builds} if hold else {})},
        )


def held_on(site: str, held: Held) -> Held:
    """Those of the held items that a site shows."""
    return {id: release for id, release in held.items() if id.site in (site, ALL_SITES)}


def resume(root: Path, sites: Iterable[str] = ()) -> list[str]:
    """End the hold of these sites, or of all. Returns those that were on hold."""
    make_folder(root)
    with _alone(root):
        known = _read(root)
        holds = known.get("holds", {})
        ended = [site for site in holds if site in sites or not sites]
        if ended:
            left = {site: hold for site, hold in holds.items() if site not in ended}
            _write(root, known["sites"], known.get("releases", {}), known.get("held", {}), left)
        return ended


def _write(
    root: Path,
    sites: Mapping[str, str],
    releases: Mapping[str, int],
    held: Mapping[str, list[list[Any]]],
    holds: Mapping[str, Mapping[str, str]],
) -> None:
    document = {"sites": sites, "releases": releases, "held": held, "holds": holds, "switchedAt": now_iso()}
    data = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    write_whole(str(live_file(root)), data + b"\n", 0o644, durable=True)
    sync_folder(root)


def _read(root: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = orjson.loads(live_file(root).read_bytes())
        for part in ("sites", "releases", "held", "holds"):
            dict(document[part] if part == "sites" else document.get(part, {}))
        return document
    except FileNotFoundError:
        return {"sites": {}}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"{live_file(root)} is damaged ({error}), so nobody can tell which builds are live. Publish every site again."
        ) from error


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Lets one process at a time read and rewrite the pointer. If a process dies, the kernel frees its lock."""
    lock = os.open(root / "live.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
