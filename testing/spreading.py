"""How tests are spread over xdist's workers (``--dist loadgroup``), and how long each file takes.

Each test is a unit of its own and goes to the next free worker, the longest first. Tests of a file that share something
dear, or that change data that others of the file read, need one worker and their order: ``pytestmark =
pytest.mark.one_worker`` at the top of the file. `seconds.json` has the time of each file, and `make record-seconds`
refreshes it. A missing file counts as long, and comes early.
"""

import json
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

ROOT: Final = Path(__file__).parents[1]
RECORDED: Final = Path(__file__).parent / "seconds.json"
_ASKS_FOR_ONE: Final = re.compile(r"^pytestmark = (?:\[[^\]]*|.*)\bone_worker\b", re.MULTILINE)
_LONG_S: Final = 3.0
"""The longest time that an idle worker waits for the others."""
_UNKNOWN_S: Final = 5.0


@lru_cache
def _asks_for_one(file: str) -> bool:
    """Return whether the file's source requests one worker. The main process imports no tests."""
    return _ASKS_FOR_ONE.search((ROOT / file).read_text(encoding="utf-8")) is not None


def unit_of(node_id: str) -> str:
    """Tests of one unit go to one worker, in their order."""
    file = node_id.partition("::")[0]
    return file if _asks_for_one(file) else node_id


def longest_first(node_ids: Sequence[str], seconds: Mapping[str, float]) -> list[str]:
    """Return the tests of slow units, the slowest first, then the others in their order."""
    tests = Counter(node_id.partition("::")[0] for node_id in node_ids)

    def expect_seconds(node_id: str) -> float:
        file = node_id.partition("::")[0]
        whole = seconds.get(file, _UNKNOWN_S * tests[file])
        expected = whole if unit_of(node_id) == file else whole / tests[file]
        return expected if expected >= _LONG_S else 0.0

    return sorted(node_ids, key=expect_seconds, reverse=True)


_KNOWN_AHEAD: Final = 2


class Spreading(LoadScopeScheduling):  # type: ignore[misc]
    """xdist's own groups change the ids of tests, which pytest 9.2 forbids, so groups stay off."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def remove_node(self, node: WorkerController) -> str | None:
        """Fail the test that a worker died in. xdist would give it to the next worker. If the test hangs, each of them
        would wait for `faulthandler_timeout` before it dies.
        """
        work = self.assigned_work[node]
        died_in = next((test for unit in work.values() for test, is_done in unit.items() if not is_done), None)
        for name, unit in [*work.items()]:
            if died_in in unit:
                unit[died_in] = True
            if all(unit.values()):
                del work[name]  # an empty entry would never count as done
        super().remove_node(node)
        return died_in

    def _reschedule(self, node: WorkerController) -> None:
        """Give a worker at least two units. A worker begins a test once it has another one, or the end of the list.
        xdist gives a late worker a single unit. If that is one test and all others are idle, both would wait for ever.
        """
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < _KNOWN_AHEAD:
            super()._reschedule(node)


class Order:
    """Sort the tests in the workers, so that all workers and the main process have the same order."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep tests that empty the database behind those that need the migrations' rows."""
        ordinary = {item.nodeid: item for item in items if not empties_database(item)}
        emptying = [item for item in items if empties_database(item)]
        items[:] = [*(ordinary[node_id] for node_id in longest_first([*ordinary], read_recorded())), *emptying]


def empties_database(item: pytest.Item) -> bool:
    """Return whether the test runs without a transaction around it."""
    marker = item.get_closest_marker("django_db")
    asked = marker is not None and marker.kwargs.get("transaction", False)
    return asked or "transactional_db" in getattr(item, "fixturenames", ())


def read_recorded() -> dict[str, float]:
    recorded: dict[str, float] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return recorded


class Seconds:
    """In the main process, or the only one: write the result and time of each file's tests."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._found: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found = self._found[report.nodeid.partition("::")[0]]
        found["milliseconds"] += round(report.duration * 1000)
        found["processor"] += round(getattr(report, "processor", 0) * 1000)
        found["passed"] += report.when == "call" and report.passed
        found["failed"] += report.failed

    def pytest_sessionfinish(self) -> None:
        found = {
            file: {
                "seconds": counts["milliseconds"] / 1000,
                "processor": counts["processor"] / 1000,
                "passed": counts["passed"],
                "failed": counts["failed"],
            }
            for file, counts in self._found.items()
        }
        self._file.write_text(json.dumps(found), encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-seconds", metavar="FILE", help="Write how long the tests of each file took, as JSON.")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "one_worker: all tests of this file on one worker, in their order")
    config.pluginmanager.register(Shared())
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(Order())
    elif config.getoption("--write-seconds"):
        config.pluginmanager.register(Seconds(Path(config.getoption("--write-seconds"))))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    if config.getoption("dist") != "loadgroup":
        return None
    config.option.loadscopereorder = False  # ours is the order
    return Spreading(config, log)


class Shared:
    """The cost that a whole run shares is excluded from the first test's time."""

    def __init__(self) -> None:
        self._depth = 0
        self._seconds = 0.0
        self._processor = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[Any]:
        self._processor = processor_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[Any]:
        """Count a fixture together with those it needs."""
        if fixturedef.scope != "session":
            return (yield)
        began = time.perf_counter()
        self._depth += 1
        try:
            return (yield)
        finally:
            self._depth -= 1
            if not self._depth:
                self._seconds += time.perf_counter() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        report = yield
        report.duration = max(0.0, report.duration - self._seconds)
        self._seconds = 0.0
        if report.when == "teardown":
            report.processor = max(0.0, processor_seconds() - self._processor)
        return report


def processor_seconds() -> float:
    """Return the processor time of this process and its children: the running ones (on Linux) and those that ended and
    were waited for. It shrinks if a process with children is killed."""
    return sum(os.times()[:4]) + sum(map(_used_by, _started_by("self")))


def _started_by(pid: str) -> Iterator[str]:
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                yield child
                yield from _started_by(child)


def _used_by(pid: str) -> float:
    with suppress(OSError):
        user_to_children_system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:15]
        return sum(map(int, user_to_children_system)) / os.sysconf("SC_CLK_TCK")
    return 0.0
