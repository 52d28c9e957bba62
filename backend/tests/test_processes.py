"""Waiting for programs ends."""

import select
import subprocess
import sys
from typing import Any

import psutil
import pytest

from .processes import LIMIT_S, run_program, started, wait_until

PARENT = """
import signal, subprocess, sys
print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid, flush=True)
{wait}
"""


def test_what_a_program_says() -> None:
    done = run_program([sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"])
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


def test_one_that_hangs_is_ended_though_what_it_started_holds_its_output(monkeypatch: pytest.MonkeyPatch) -> None:
    class Timed(subprocess.Popen):  # type: ignore[type-arg]
        """The time is over once output has been printed."""

        is_over = False

        def communicate(self, *given: Any, **named: Any) -> Any:
            if not self.is_over:
                self.is_over = True
                select.select([self.stdout], [], [])
                raise subprocess.TimeoutExpired(self.args, 0)
            return super().communicate(*given, **named)

    monkeypatch.setattr(subprocess, "Popen", Timed)
    child = "import os, sys, time; print('from the child', flush=True); time.sleep(600)"
    command = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with pytest.raises(AssertionError, match=r"hangs\. It said: from the child"):
        run_program([sys.executable, "-c", command])


def test_one_that_was_started_beside_a_test_is_gone_with_all_that_it_started() -> None:
    with started([sys.executable, "-c", PARENT.format(wait="")], stdout=subprocess.PIPE) as process:
        assert process.stdout
        child = int(process.stdout.readline())
        process.wait(LIMIT_S)
    assert process.returncode == 0, "it had ended, and left what it had started"
    wait_until(lambda: is_gone(child))


def is_gone(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def test_who_waits_for_what_a_program_never_says_comes_to_an_end() -> None:
    command = [sys.executable, "-c", PARENT.format(wait="signal.pause()")]
    with (
        pytest.raises(AssertionError, match="was ended after"),
        started(command, within_s=1, stdout=subprocess.PIPE) as process,
    ):
        assert process.stdout
        process.stdout.readline()
        assert process.stdout.read() == "and more"
