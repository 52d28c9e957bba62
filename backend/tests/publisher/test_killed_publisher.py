"""A publisher killed at any moment leaves the live builds intact, and the next one continues (R1, R13).

`make soak` kills two hundred, at each change to the files.
"""

import fcntl
import os
import signal
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path

import pytest

from portolan.builds.live import read_live, resume
from portolan.builds.manifest import list_builds, read_manifest
from portolan.builds.store import ContentStore, digest_of
from portolan.publisher.build_inputs import inputs_path
from portolan.publisher.lock import publish_lock
from portolan.publisher.problem import UsageError
from portolan.publisher.web_build import WebBuild

from ..processes import run_program, started
from .conftest import MakePublisher
from .release_book import ReleaseBook

KILLS = int(os.environ.get("PORTOLAN_KILLS", "2"))
DOOMED = Path(__file__).with_name("doomed_publisher.py")


def run(
    book: ReleaseBook, builds: Path, media: Path, web: WebBuild, killed_at: int = 0, release: str = ""
) -> list[int]:
    """Publish, or go back to a release, in a process that kills itself at its change number ``killed_at`` to the files.

    If it was not killed, return the numbers of all changes, one before and one after the switch of the live builds first.
    Below 0 they count from the switch.
    """
    command = [sys.executable, DOOMED, book.url, str(builds), str(media), str(web.dist), str(killed_at), release]
    done = run_program(command)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    changes, switch = map(int, (done.stdout or "0 0").split())
    after, before = range(-1, switch - changes - 2, -1), range(switch - 1, 0, -1)
    return [*after[::2], *after[1::2], *before]


def edit_everything(book: ReleaseBook) -> int:
    for key, body in book.content.items():
        if key[1] == "page":
            body["blocks"][0]["title"] = f"Release {book.number + 1}"
    return book.release()


def check_whole(builds: Path) -> set[int]:
    """Return the live releases. Check every file of every live build byte for byte."""
    store = ContentStore(builds)
    releases = set()
    for site, build in read_live(builds).builds.items():
        manifest = read_manifest(builds, site, build)
        releases.add(manifest.release)
        for path, file in manifest.every_file():
            data = store.read(file.digest)
            assert data is not None, path
            assert digest_of(data) == file.digest, path
    return releases


def test_publisher_killed_at_any_moment_leaves_the_sites_whole(
    book: ReleaseBook, tmp_path: Path, media: Path, web: WebBuild, make_publisher: MakePublisher
) -> None:
    builds = tmp_path / "builds"
    book.release()
    make_publisher().publish()
    edit_everything(book)
    changes = run(book, builds, media, web)
    outcomes = []
    for killed_at in islice(cycle(changes), KILLS):
        newest = edit_everything(book)
        run(book, builds, media, web, killed_at)
        releases = check_whole(builds)
        assert len(releases) == 1, "one switch puts all sites live"
        outcomes.append(releases == {newest})
        assert releases <= {newest, newest - 1}
        make_publisher().publish()
        assert check_whole(builds) == {newest}
    assert {*outcomes} == {True, False}, "some were killed before the switch, some after it"


def test_going_back_that_is_killed_leaves_everything_as_before_or_as_after(
    book: ReleaseBook, tmp_path: Path, media: Path, web: WebBuild, make_publisher: MakePublisher
) -> None:
    """Release 2 was never live, so it has to be rendered; the sites are pinned if, and only if, they show it."""
    builds = tmp_path / "builds"
    book.release()
    make_publisher().publish()
    earlier, newest = edit_everything(book), edit_everything(book)
    make_publisher().publish()
    moments, outcomes = iter([0]), set()
    for number in range(KILLS // 2 + 1):
        changes = run(book, builds, media, web, next(moments), str(earlier))
        moments = moments if number else cycle(changes)
        releases, live = check_whole(builds), read_live(builds)
        assert releases in ({newest}, {earlier}), "one switch puts all sites live"
        assert set(live.releases.values()) == releases
        assert live.installation.is_pinned == (releases == {earlier})
        outcomes.add(releases == {earlier})
        resume(builds)
        make_publisher().publish()
        assert check_whole(builds) == {newest}
        for site in live.builds:  # nothing but the release to make it from
            for build in list_builds(builds, site):
                if build.release == earlier:
                    inputs_path(builds, site, build.build).unlink(missing_ok=True)
    assert outcomes == {True, False}, "no one was killed before its end"


def test_lock_of_a_killed_publisher_is_free(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from portolan.publisher.lock import publish_lock\n"
        "with publish_lock(Path(sys.argv[1])): print('held', flush=True); time.sleep(600)"
    )
    with started([sys.executable, "-c", code, tmp_path], stdout=subprocess.PIPE) as holder:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="Another publisher is at work"), publish_lock(tmp_path, wait=False):
            pass
        holder.kill()
    with publish_lock(tmp_path, wait=False):
        pass


def test_second_publisher_waits_and_says_so(tmp_path: Path) -> None:
    other = os.open(tmp_path / "publish.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(other, fcntl.LOCK_EX)
    with publish_lock(tmp_path, on_wait=lambda: os.close(other)):
        pass
