"""Kill every process while visitors read and send leads: each comes back, and no acknowledged lead is lost.

The short form kills a worker and the server. `make soak` kills each process ten times within a minute, in random order, and
limits the time until pages are served and all processes are back. It also replaces all workers ten times under some 300
requests a second, none of which fails.
"""

import os
import random
import signal
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest

from ..faults import wait_until
from ..product import answers
from ..visitors import Read, Visitors
from .installation import Installation, installed, is_loaded

pytestmark = pytest.mark.one_worker
KILLS: Final = int(os.environ.get("PORTOLAN_SERVER_KILLS", "0"))
SERVED_WITHIN_S: Final = 3
WHOLE_WITHIN_S: Final = 3


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    alone = ["--workers", "1", "--no-publisher", "--no-deliver"]
    with installed(tmp_path / "var", *([] if KILLS else alone)) as running:
        wait_until(lambda: is_whole(running), lambda: f"all of it runs: {running.processes()}")
        yield running


def is_whole(installation: Installation) -> bool:
    processes = installation.processes()
    companions = {"publisher": 1, "release worker": 1, "leads": 1}
    workers = 2 if KILLS else 1
    wanted = {"server": 1, "worker": workers, "django": 1, "api": workers, "studio": 1, **(companions if KILLS else {})}
    return {name: len(found) for name, found in processes.items()} == wanted


def is_gone(pid: int) -> bool:
    """Or waits for who started it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def is_served(installation: Installation) -> bool:
    return answers(f"http://127.0.0.1:{installation.port}/", host=installation.host)


def read_home(installation: Installation) -> list[Read]:
    return [Read(installation.host, "/")]


def test_whatever_is_killed_comes_back_and_no_lead_is_lost(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = random.Random(1)
    sorts = sorted(installation.processes())
    order = draw.sample(sorts * max(KILLS, 1), len(sorts) * max(KILLS, 1))
    served: dict[str, list[float]] = {sort: [] for sort in sorts}
    whole: dict[str, list[float]] = {sort: [] for sort in sorts}
    with Visitors(installation.port, read_home(installation)) as visitors:
        for sort in order:
            began = time.monotonic()
            victim = draw.choice(installation.processes()[sort])
            os.kill(victim, signal.SIGKILL)
            wait_until(
                lambda victim=victim: is_gone(victim) and is_served(installation),
                lambda: f"pages are served: {installation.log.read_text()[-3000:]}",
            )
            served[sort].append(time.monotonic() - began)
            wait_until(
                lambda: is_whole(installation) and is_loaded(installation),
                lambda: f"{sort} is back: {installation.processes()} {installation.log.read_text()[-3000:]}",  # noqa: B023
                60,
            )
            whole[sort].append(time.monotonic() - began)
        taken = len(visitors.leads)
        wait_until(lambda: len(visitors.leads) > taken + 2, lambda: f"leads are taken: {visitors.told()}")
    wait_until(lambda: installation.spooled() == 0, lambda: "the spool is empty")
    stored = [message.split()[-1] for message in installation.leads()]
    assert visitors.leads.keys() <= {*stored}, "no lead that was acknowledged is lost"
    assert len(stored) == len({*stored}), "none is stored twice"
    refused = [failure for failure in visitors.failures if "ConnectError" in failure.answer]
    assert refused == [], "the socket outlives the server, so nobody is turned away"
    if KILLS:
        with capsys.disabled():
            said = {sort: f"{max(served[sort]):.1f}, {max(whole[sort]):.1f} s" for sort in sorts}
            print(f"\n{KILLS} kills of each: pages are served, and all is back, within {said}; {visitors.told()}")
        assert max(chain(*served.values())) < SERVED_WITHIN_S
        assert max(chain(*whole.values())) < WHOLE_WITHIN_S


@pytest.mark.skipif(not KILLS, reason="PORTOLAN_SERVER_KILLS is not set: `make soak` sets it")
def test_no_request_is_lost_while_workers_are_replaced(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the short form `backend/tests/commands/test_roles.py` holds it for one."""
    crowds = [Visitors(installation.port, read_home(installation)) for _ in range(5)]
    for each in crowds:
        each.__enter__()
    try:
        for _ in range(10):
            before = {*installation.processes()["worker"]}
            installation.reload()
            wait_until(
                lambda before=before: is_whole(installation) and not before & {*installation.processes()["worker"]},
                lambda: f"workers are replaced: {installation.processes()}",
            )
    finally:
        for each in crowds:
            each.end()
    with capsys.disabled():
        print(f"\nten times all workers replaced: {sum(each.answered for each in crowds)} requests")
    assert [failure for each in crowds for failure in each.failures] == []
