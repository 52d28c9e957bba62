"""Runs in a separate process, so that this one keeps its priority."""

import os
import sys
from pathlib import Path

import pytest

from tests.processes import run_program

_CODE = """
import os
from pathlib import Path
from portolan.publisher.priority import give_way
give_way(5); give_way(5)
group = Path("/proc/self/autogroup")
said = group.read_text().split() if group.exists() else []
print(os.getpriority(os.PRIO_PROCESS, 0), said[2] if said else "none")
"""


def told(*, own_session: bool) -> list[str]:
    ran = run_program([sys.executable, "-c", _CODE], start_new_session=own_session)
    return ran.stdout.split()


def test_who_starts_itself_again_gives_way_no_more_than_once() -> None:
    assert told(own_session=True)[0] == str(max(5, os.getpriority(os.PRIO_PROCESS, 0)))


@pytest.mark.skipif(
    not Path("/proc/self/autogroup").exists(), reason="this kernel shares the processor among processes alone"
)
def test_a_session_gives_way_where_it_is_its_own() -> None:
    said = Path("/proc/self/autogroup").read_text().split()  # the machine's first process may be of the same session
    before = said[2] if said else "none"
    assert told(own_session=True)[1] == "5"
    assert told(own_session=False)[1] == before, "that of a terminal stays what it is"
