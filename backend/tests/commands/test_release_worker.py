"""The release worker next to `portolan serve`: its messages to the publisher, and the publisher's reaction if the
process dies. With Django and a database: `tests/upgrade/test_schedule_killed.py`.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from portolan.commands import release_worker_process
from portolan.commands.release_making import ReleaseWorker
from portolan.commands.release_worker_process import ReleaseWorkerProcess
from portolan.config.env import env
from portolan.publisher.problem import UsageError
from portolan.publisher.watch import _explain
from portolan.releases.database_errors import find_trouble

from ..processes import LIMIT_S, SLOWER, wait_until
from ..release_workers import has_ended
from .doomed_release_worker import ERRORS

DOOMED = Path(__file__).with_name("doomed_release_worker.py")
NOW = datetime(2026, 11, 22, 9, 0, 0, 5, tzinfo=UTC)


def release_worker_in(folder: Path) -> ReleaseWorkerProcess:
    return ReleaseWorkerProcess(env().registry, [sys.executable, str(DOOMED), str(folder)])


@pytest.fixture
def release_worker(tmp_path: Path) -> Iterator[ReleaseWorkerProcess]:
    release_worker = release_worker_in(tmp_path)
    yield release_worker
    release_worker.close()


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReleaseWorkerProcess]:
    release_worker = release_worker_in(tmp_path_factory.mktemp("failing"))
    yield release_worker
    release_worker.close()


def pid_of(release_worker: ReleaseWorker) -> int:
    pid, now = release_worker.run_schedule(NOW)
    assert datetime.fromisoformat(now) == NOW
    return int(pid)


@pytest.mark.parametrize("number", range(len(ERRORS)), ids=[type(error).__name__ for error in ERRORS])
def test_what_fails_in_it_is_said_as_if_it_had_failed_here(failing: ReleaseWorkerProcess, number: int) -> None:
    here = ERRORS[number]
    with pytest.raises(Exception) as there:
        failing.settle(number, "")
    assert _explain(there.value) == _explain(here)
    assert find_trouble(there.value) == find_trouble(here)
    if find_trouble(here):
        with pytest.raises(Exception) as there:
            failing.settle(number, "wrapped")
        assert find_trouble(there.value) == find_trouble(here)


def test_one_that_was_killed_is_started_again_before_or_when_it_is_asked(release_worker: ReleaseWorkerProcess) -> None:
    release_worker.start()
    first = pid_of(release_worker)
    release_worker.start()
    assert pid_of(release_worker) == first
    os.kill(first, signal.SIGKILL)
    second = pid_of(release_worker)
    assert second != first
    os.kill(second, signal.SIGKILL)
    assert release_worker._running
    assert release_worker._running.process.wait(LIMIT_S) == -signal.SIGKILL
    release_worker.start()
    assert pid_of(release_worker) == release_worker._running.process.pid != second


def test_of_one_that_is_killed_it_is_told_at_once_though_it_never_answered(tmp_path: Path) -> None:
    told, before = threading.Event(), {*threading.enumerate()}
    release_worker = ReleaseWorkerProcess(env().registry, [sys.executable, str(DOOMED), str(tmp_path)], told.set)
    release_worker.start()
    assert release_worker._running
    killed = release_worker._running.process
    killed.kill()
    assert told.wait(LIMIT_S)
    release_worker.start()
    assert release_worker._running.process is not killed
    told.clear()
    release_worker.close()
    for thread in {*threading.enumerate()} - before:
        thread.join(LIMIT_S)
        assert not thread.is_alive()
    assert not told.is_set(), "that one was asked to end"


def test_what_it_was_killed_at_is_tried_once_more(release_worker: ReleaseWorkerProcess, tmp_path: Path) -> None:
    release_worker.create_release(date(2026, 11, 22))
    assert (tmp_path / "released").read_text() == "2026-11-22"
    with pytest.raises(UsageError, match=r"ended twice during its work \(exit code -9\)"):
        release_worker.create_release(date(2027, 1, 1))
    release_worker.create_release(date(2026, 11, 23))
    assert (tmp_path / "released").read_text() == "2026-11-23"


def test_one_that_cannot_start_is_started_when_it_is_asked_and_not_ahead() -> None:
    release_worker = ReleaseWorkerProcess(env().registry, [sys.executable, "-c", "raise SystemExit(7)"])
    with pytest.raises(UsageError, match="exit code 7"):
        release_worker.note_everything()
    release_worker.start()
    assert release_worker._running
    failed = release_worker._running.process
    assert failed.wait(LIMIT_S) == 7
    release_worker.start()
    assert release_worker._running.process is failed
    release_worker.close()


def test_it_ends_what_it_is_at_and_then_with_its_publisher(
    release_worker: ReleaseWorkerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release_worker.start()
    assert release_worker._running
    process, link = release_worker._running
    link.sendall(b'{"do": "note_everything"}\n')
    wait_until((tmp_path / "noting").exists)

    def wait(timeout: float) -> int:
        (tmp_path / "all").touch()
        return subprocess.Popen.wait(process, LIMIT_S)

    monkeypatch.setattr(process, "wait", wait)
    release_worker.close()
    assert process.returncode == 0
    assert has_ended(process.pid)


def test_one_of_another_version_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_worker_process, "mark_of_code", lambda plugins: "of an older version")
    release_worker = ReleaseWorkerProcess(env().registry)
    with pytest.raises(UsageError, match=r"Another version .* was installed while this publisher was running"):
        release_worker.create_release(date(2026, 11, 22))
    release_worker.close()


def test_what_keeps_it_from_starting_is_said_where_it_is_needed() -> None:
    release_worker = ReleaseWorkerProcess(env().registry, ["/nowhere/python"])
    release_worker.start()
    with pytest.raises(FileNotFoundError, match="/nowhere/python"):
        release_worker.note_everything()


def test_one_that_is_stopped_is_killed_and_asked_again(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Regression: the publisher waited for it forever and published nothing."""
    command = [sys.executable, str(DOOMED), str(tmp_path)]
    release_worker = ReleaseWorkerProcess(env().registry, command, silent_after_s=SLOWER)
    release_worker.create_release(date(2026, 11, 22))
    assert release_worker._running
    stopped = release_worker._running.process
    os.kill(stopped.pid, signal.SIGSTOP)
    release_worker.create_release(date(2026, 11, 23))
    assert (tmp_path / "released").read_text() == "2026-11-23"
    assert stopped.returncode == -signal.SIGKILL
    assert f"has not responded for {SLOWER:.0f} s. It is killed." in caplog.text
    release_worker.close()


class Link:
    """A connection with pauses and signs of life until the answer."""

    def __init__(self, silences: Sequence[int]) -> None:
        self._parts = [part for times in silences for part in (*[None] * times, b"\n")] + [b'{"done": ["late"]}\n']

    def recv(self, size: int) -> bytes:
        if (part := self._parts.pop(0)) is None:
            raise TimeoutError
        return part

    def settimeout(self, seconds: float) -> None: ...

    def sendall(self, message: bytes) -> None: ...


@pytest.mark.parametrize(("silences", "is_waited_for"), [([9] * 8, True), ([10], False), ([3, 10], False)])
def test_one_that_is_long_at_work_and_says_so_is_waited_for(silences: Sequence[int], is_waited_for: bool) -> None:
    """A tenth of the time limit passes in each silence."""
    killed: list[bool] = []
    process = SimpleNamespace(kill=lambda: killed.append(True))
    running = release_worker_process._Running(process, Link(silences))  # type: ignore[arg-type]
    reply = release_worker_process._exchange(running, b"", 20, 1)
    assert (reply is not None, not killed) == (is_waited_for, is_waited_for)
