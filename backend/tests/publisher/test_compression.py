"""The process that makes better copies."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.builds.store import ContentStore
from portolan.publisher import compression
from portolan.publisher.compression import CompressionProcess

from .conftest import MakePublisher
from .release_book import ReleaseBook


def test_runs_apart_and_ends_with_its_input(tmp_path: Path) -> None:
    process = CompressionProcess(tmp_path)
    process.wake()
    assert process._process
    pid = process._process.pid
    process.wake()
    assert process._process.pid == pid
    process.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    process.stop()


def test_there_is_none_where_idle_processors_are_to_stay_idle(tmp_path: Path) -> None:
    process = CompressionProcess(tmp_path, idle_work=False)
    process.wake()
    assert process._process is None
    process.stop()


def test_knows_none_of_the_secrets_in_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://portolan:canary@db/portolan")
    process = CompressionProcess(tmp_path)
    process.wake()
    assert process._process
    environment = Path(f"/proc/{process._process.pid}/environ")
    while not (known := environment.read_bytes()):  # a new one has none yet
        os.sched_yield()
    process.stop()
    assert b"PATH=" in known
    assert b"canary" not in known


def test_one_that_was_killed_is_started_again(tmp_path: Path) -> None:
    process = CompressionProcess(tmp_path)
    process.wake()
    assert process._process
    killed = process._process
    killed.kill()
    killed.wait()
    process.wake()
    assert process._process.pid != killed.pid
    process.stop()


def test_gives_way_to_everybody() -> None:
    code = "import os; from portolan.publisher.compression import give_way_to_all; give_way_to_all(); print(os.nice(0), {})"
    policy = "os.sched_getscheduler(0) == os.SCHED_IDLE" if sys.platform == "linux" else True
    asked = subprocess.run(
        [sys.executable, "-c", code.format(policy)], capture_output=True, text=True, check=True, start_new_session=True
    )
    assert asked.stdout.split() == ["19", "True"]


@pytest.mark.skipif(
    not Path("/proc/self/autogroup").exists(), reason="this kernel shares the processor among processes alone"
)
def test_its_session_gives_way_too() -> None:
    code = "from portolan.publisher.compression import give_way_to_all; give_way_to_all(); print(open('/proc/self/autogroup').read())"
    asked = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, start_new_session=True
    )
    assert asked.stdout.split()[1:] == ["nice", "19"]


def test_makes_the_best_copies_of_what_is_live(
    book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.release()
    make_publisher().publish()
    builds = tmp_path / "builds"
    monkeypatch.setattr(
        compression, "give_way_to_all", lambda: None
    )  # the process that runs the tests must keep its priority
    file = read_manifest(builds, "en", read_live(builds).builds["en"]).files["/about-us"]
    store = ContentStore(builds)

    def lines() -> Iterator[bytes]:
        yield b"\n"
        while not store.has_best_copy(file.digest, "br"):
            os.sched_yield()

    monkeypatch.setattr(compression.sys, "stdin", type("Stdin", (), {"buffer": lines()}))
    compression.main(builds)
    assert store.has_best_copy(file.digest, "br")
