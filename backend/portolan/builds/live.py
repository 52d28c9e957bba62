"""The live pointer: which build of each site is served. Moving one file over another is going live."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from .disk import make_folder, sync_folder, write_whole
from .manifest import BuildError, now_iso, read_head


def live_file(root: Path) -> Path:
    """The pointer; its inode and time change with each switch."""
    return root / "live.json"


def read_live(root: Path) -> Mapping[str, str]:
    """Site key to build id; empty before the first publish."""
    return {str(site): str(build) for site, build in _read(root)["sites"].items()}


def read_live_releases(root: Path) -> Mapping[str, int]:
    """Site key to the release whose content is live there; empty before the first publish.

    May be newer than the live build's own: an edit that changes no file of a site makes no build of it.
    """
    document = _read(root)
    known = document.get("releases", {})
    return {site: known.get(site) or read_head(root, site, build).release for site, build in document["sites"].items()}


def switch_live(root: Path, builds: Mapping[str, str], release: int | None = None) -> None:
    """Put these builds live, all at once; sites not named keep theirs. On the disk when it returns.

    ``release`` is the one they show, where it is newer than the one they were made from. The files of the builds must
    be synced before. Raises BuildError where a build has no readable manifest.
    """
    heads = {site: read_head(root, site, build) for site, build in builds.items()}
    make_folder(root)
    with _alone(root):
        known = _read(root)
        sites = {**known["sites"], **builds}
        releases = {**known.get("releases", {}), **{site: release or head.release for site, head in heads.items()}}
        document = {"sites": sites, "releases": releases, "switchedAt": now_iso()}
        data = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
        write_whole(str(live_file(root)), data + b"\n", 0o644, durable=True)
        sync_folder(root)


def _read(root: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = orjson.loads(live_file(root).read_bytes())
        dict(document["sites"]), dict(document.get("releases", {}))
        return document
    except FileNotFoundError:
        return {"sites": {}}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"{live_file(root)} is damaged ({error}), so nobody can tell which builds are live. Publish every site again."
        ) from error


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """One process at a time reads and rewrites the pointer; the kernel frees the lock of one that dies."""
    lock = os.open(root / "live.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
