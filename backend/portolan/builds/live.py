"""The live pointer: which build of each site is served. Moving one file over another is going live."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import orjson

from .disk import make_folder, sync_folder, write_whole
from .manifest import BuildError, now_iso, read_head


def live_file(root: Path) -> Path:
    """The pointer; its inode and time change with each switch."""
    return root / "live.json"


def read_live(root: Path) -> Mapping[str, str]:
    """Site key to build id; empty before the first publish."""
    try:
        document = orjson.loads(live_file(root).read_bytes())
        return {str(site): str(build) for site, build in document["sites"].items()}
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BuildError(
            f"{live_file(root)} is damaged ({error}), so nobody can tell which builds are live. Publish every site again."
        ) from error


def switch_live(root: Path, builds: Mapping[str, str]) -> None:
    """Put these builds live, all at once; sites not named keep theirs. On the disk when it returns.

    The files of the builds must be synced before. Raises BuildError where a build has no readable manifest.
    """
    for site, build in builds.items():
        read_head(root, site, build)
    make_folder(root)
    with _alone(root):
        sites = {**read_live(root), **builds}
        document = orjson.dumps({"sites": sites, "switchedAt": now_iso()}, option=orjson.OPT_SORT_KEYS)
        write_whole(str(live_file(root)), document + b"\n", 0o644, durable=True)
        sync_folder(root)


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """One process at a time reads and rewrites the pointer; the kernel frees the lock of one that dies."""
    lock = os.open(root / "live.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
