"""Killed at any step, several times each: acknowledged leads are stored and delivered, and all files are kept (R7).

`make soak` kills fifty times at each step.
"""

import json
import os
import sys
from pathlib import Path

from ..processes import run_program

ROUNDS = int(os.environ.get("PORTOLAN_KILLS", "4"))
BACKEND = Path(__file__).parents[2]


def test_a_process_that_is_killed_loses_no_lead(tmp_path: Path) -> None:
    done = run_program(
        [sys.executable, "-m", "tests.leads.kill_nursery", str(ROUNDS)],
        cwd=BACKEND,
        env={
            **os.environ,
            "PORTOLAN_VAR_DIR": str(tmp_path / "var"),
            "DATABASE_URL": f"sqlite:///{tmp_path / 'killed.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "portolan.config.settings",
        },
        timeout_s=200,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    *steps, end = map(json.loads, done.stdout.splitlines())
    assert len(steps) == 19
    for step in steps:
        assert step["killed"] == ROUNDS, step
        assert step["waiting"] == 0, step
        assert step["stored"] == step["received once"] == step["delivered"] == step["noted"], step
        assert step["acknowledged"] <= step["stored"], step
    sent_twice = {step["step"]: step["received"] - step["received once"] for step in steps}
    assert sent_twice["the lead is about to be sent"] == 0  # only a kill between sending and recording sends again
    assert sent_twice["the lead is sent"] == ROUNDS
    assert end == {"removed": end["removed"], "whole": True, "strays": 0}
    assert end["removed"] > 0
