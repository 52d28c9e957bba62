"""When a process counts as silent, and how the supervisor receives its signs of life."""

import os
import signal
import socket
import subprocess
import sys
import threading
from itertools import takewhile
from pathlib import Path
from types import SimpleNamespace

import pytest

from portolan.commands import role_watch
from portolan.commands.role_watch import RoleWatch, SilenceRule
from portolan.observing import work_pulse
from portolan.observing.role_board import SILENT_AFTER_S, RoleBoard
from portolan.observing.supervisor import expect_signs, tell_watchdog
from portolan.observing.work_pulse import WorkPulse, goes_on, waiting

from ..processes import LIMIT_S

LOOKS = 3


def kills(beats: list[float]) -> list[int]:
    """Return the looks at which a process is restarted."""
    rule = SilenceRule(LOOKS)
    return [look for look, beat in enumerate(beats) if rule.look(beat)]


@pytest.mark.parametrize(
    ("beats", "expected"),
    [
        ([1, 2, 3, 4, 5], []),
        ([1, 1, 1, 2, 2, 2, 3], []),
        ([1, 1, 1, 1], [3]),
        ([1, *[1] * 9], [3, 9]),
        ([0] * 29, []),
        ([0] * 30, [29]),
        ([1, 1, 1, 1, 0, 0, 0, 2, 2, 2, 2, 2, 2, 2], [3, 13]),
    ],
    ids=[
        "it works",
        "a machine that was suspended has missed one look",
        "it is silent",
        "the second time it has twice as long",
        "it is being started",
        "it never starts",
        "restarted, and silent again",
    ],
)
def test_when_a_process_is_restarted(beats: list[float], expected: list[int]) -> None:
    assert kills(beats) == expected


def test_a_restart_is_forgotten_once_the_process_was_well_for_long() -> None:
    steady = [float(beat) for beat in range(10, 10 + role_watch._STEADY_LOOKS)]
    assert kills([1, 1, 1, 1, *steady, *[steady[-1]] * 3]) == [3, 3 + len(steady) + 3]


def test_the_watch_kills_what_is_silent_and_the_board_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(role_watch, "env", lambda: SimpleNamespace(silent_after_s=4))
    board, killed = RoleBoard(), []
    watch = RoleWatch(board)

    def fail() -> None:
        killed.append("API")
        raise ProcessLookupError

    silent = watch.add("API", fail)
    well = watch.add("studio", lambda: killed.append("studio"))
    for row in (silent, well):
        board.beat(row)
    for _ in range(11):
        board.beat(well)
        watch.look()
    assert killed == ["API"]
    rows = {row.name: row for row in RoleBoard(os.dup(board.file)).rows()}
    assert (rows["API"].restarts, rows["API"].is_starting) == (1, True)
    assert (rows["studio"].restarts, rows["studio"].is_starting) == (0, False)
    assert board.find_silent() == ("API",)
    watch.remove(silent)
    assert board.find_silent() == ()


def test_a_board_names_what_has_shown_nothing_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    board, now = RoleBoard(), [100.0]
    monkeypatch.setattr("portolan.observing.role_board.time", SimpleNamespace(monotonic=lambda: now[0]))
    row = board.add("publisher")
    assert board.add("publisher") == row
    board.beat(row)
    board.note_refusal()
    now[0] += SILENT_AFTER_S + 1
    assert board.find_silent() == ("publisher",)
    assert board.refusals() == (1, SILENT_AFTER_S + 1)
    board.beat(row)
    assert board.find_silent() == ()


STUCK = """
import sys, threading, time
from portolan.observing.work_pulse import WorkPulse
beats = []
class Watched(WorkPulse):
    def look(self):
        super().look()
        print("look", flush=True)
Watched(lambda: print("beat", flush=True) or beats.append(1)).start()
threading.Thread(target=lambda: [time.sleep(0.01) for _ in range(10**9)], daemon=True).start()
while len(beats) < 2:  # a long publish
    time.sleep(0.01)
lock = threading.Lock()
lock.acquire()
print("stuck", flush=True)
lock.acquire()
"""


def test_a_thread_that_is_stuck_is_not_hidden_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pulse depends only on the main thread."""
    told: list[int] = []
    clock = [0.0]
    monkeypatch.setattr(work_pulse.time, "clock_gettime", lambda _: clock[0])
    pulse = WorkPulse(lambda: told.append(1))
    pulse.look()
    pulse.look()
    assert len(told) == 1, "it has used no processor since"
    clock[0] += 0.001
    pulse.look()
    assert len(told) == 2
    with waiting():
        pulse.look()
    assert len(told) == 3, "it waits for something that ends by itself"
    pulse.look()
    goes_on()
    pulse.look()
    pulse.look()
    assert len(told) == 4, "what it waits for goes on, once"
    waits = threading.Event()

    def wait_elsewhere() -> None:
        with waiting():
            waits.set()
            ended.wait()

    ended = threading.Event()
    threading.Thread(target=wait_elsewhere, daemon=True).start()
    assert waits.wait(LIMIT_S)
    pulse.look()
    ended.set()
    assert len(told) == 4, "another thread that waits says nothing of the main one"


def test_a_process_at_work_shows_signs_and_a_deadlocked_one_none() -> None:
    with subprocess.Popen([sys.executable, "-c", STUCK], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = iter(process.stdout.readline, "")
        at_work = [*takewhile(lambda line: line != "stuck\n", lines)]
        assert at_work.count("beat\n") >= 2
        stuck = [next(lines) for _ in range(4)]
        process.send_signal(signal.SIGKILL)
        assert stuck.count("beat\n") <= 1, stuck


def test_the_systems_watchdog_hears_of_this_process_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()))
        expect_signs(20)
        tell_watchdog()
        assert supervisor.recv(100) == b"WATCHDOG=1\nWATCHDOG_USEC=20000000"
        assert supervisor.recv(100) == b"WATCHDOG=1"
        monkeypatch.setenv("WATCHDOG_PID", "1")
        tell_watchdog()
        with pytest.raises(BlockingIOError):
            supervisor.recv(100)
