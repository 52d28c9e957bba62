"""Waiting for programs ends."""

import sys

import pytest

from .processes import run_program


def test_what_a_program_says() -> None:
    done = run_program([sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"])
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


def test_one_that_hangs_is_ended_though_what_it_started_holds_its_output() -> None:
    child = "import os, sys, time; print('from the child', flush=True); time.sleep(600)"
    command = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with pytest.raises(AssertionError, match=r"hangs\. It said: from the child"):
        run_program([sys.executable, "-c", command], timeout_s=1)
