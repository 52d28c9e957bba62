"""Run `make test` (the short form of every test) or `make test-quick` (tests of the changes): `run_tests.py
all|quick|record`.

Steps without a shared result run side by side, and print their output at the end. After a failed step, the others go
on. A step that passed with the same files is skipped, unless ALL or CI is set. The end shows the time of each step, and
the counts as the last line.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import psutil
from tree import digest, read_tree

ROOT: Final = Path(__file__).parents[1]
LONG: Final = ROOT / "testing" / "long.toml"
RECORDED: Final = ROOT / "testing" / "seconds.json"
COVERS: Final = ROOT / "e2e" / "covers.toml"
CHECKS: Final = ("sh", "scripts/check.sh")
COUNTED: Final = (sys.executable, "scripts/counted.py")
GREEN: Final = ROOT / "var" / "green-steps.json"
"""Digests of the files with which each step passed last, on this machine."""
DEMO: Final = (sys.executable, "-m", "e2e.seeded")
WITH_POSTGRES: Final = (sys.executable, "scripts/with_postgres.py")
DEMO_TITLE: Final = "the journeys' demo: web build, content, publish"
STEP_S: Final = 3600.0 * float(os.environ.get("PORTOLAN_SLOWER") or "1")
"""A step that takes longer hangs. Its name is printed, with the results of the others."""
MAIN: Final = os.environ.get("PORTOLAN_MAIN", "main")
"""The branch that `quick` compares with."""
NOT_READ: Final = {
    "web tests": r"backend/|e2e/|docs/|fixtures/|deploy/|[^/]+\.md$",
    "Python tests": r"web/src/.*\.test\.tsx?$",
    "Python tests on PostgreSQL": r"e2e/|web/src/.*\.test\.tsx?$",
    "journeys in a browser": r"backend/tests/.*test_\w+\.py$|web/src/.*\.test\.tsx?$",
}
"""Beginnings of paths that a step never reads, as a regular expression. A step that is missing here always runs."""


@dataclass
class Ran:
    """One step, or the tests of one file."""

    title: str
    seconds: float = 0.0
    passed: int = 0
    failed: int = 0
    kind: str = ""
    processor: float = 0.0
    """Seconds of processor time."""


@dataclass
class Run:
    """The finished commands."""

    folder: Path
    began: float = field(default_factory=time.monotonic)
    idle_before: float = field(default_factory=lambda: psutil.cpu_times().idle)
    steps: list[Ran] = field(default_factory=list)
    files: list[Ran] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tree: dict[str, str] = field(default_factory=dict)
    """Digests of the files. Empty if every step must run."""
    _writes: threading.Lock = field(default_factory=threading.Lock)

    def step(
        self,
        title: str,
        command: Sequence[str],
        *,
        cwd: Path = ROOT,
        aside: bool = False,
        environment: Mapping[str, str] = {},
    ) -> bool:
        """Run a step. Return whether it succeeded. ``aside``: another step runs at the same time, so print at the end."""
        files = digest(self.tree, self._reads(title)) if self.tree and title in NOT_READ else ""
        if files and read_json(GREEN).get(title) == files:
            self.notes.append(f"skipped, because it was green with the same files: {title} (ALL=1 make test runs it)")
            return True
        began = time.monotonic()
        if not aside:
            self._say(title)
        with subprocess.Popen(
            [*COUNTED[:1], str(ROOT / COUNTED[1]), *command],
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "NO_COLOR": "1", **environment},
            stdout=subprocess.PIPE if aside else None,
            stderr=subprocess.STDOUT if aside else None,
            encoding="utf-8",
            errors="backslashreplace",  # other programs may print any bytes
        ) as process:
            watch = threading.Timer(STEP_S, self._end, (process, title))
            watch.daemon = True
            watch.start()
            said = process.stdout.read() if process.stdout else ""
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            watch.cancel()
        if aside:
            self._say(title)
            print(said, end="", flush=True)
        self.steps.append(Ran(title, time.monotonic() - began, processor=used.ru_utime + used.ru_stime))
        if process.returncode:
            self.failed.append(title)
        elif files:
            with self._writes:
                GREEN.parent.mkdir(exist_ok=True)
                GREEN.write_text(json.dumps(read_json(GREEN) | {title: files}, indent=1), encoding="utf-8")
        return process.returncode == 0

    @staticmethod
    def _reads(title: str) -> Callable[[str], bool]:
        return lambda path: not re.match(NOT_READ[title], path)

    def pytest(
        self,
        kind: str,
        *arguments: str,
        beside: Sequence[str] = (),
        aside: bool = False,
        workers: int = 2,
        environment: Mapping[str, str] = {},
    ) -> bool:
        """Run pytest. ``beside`` is a command that runs another one."""
        report = self.folder / f"{kind}.json"
        spread = ("--numprocesses", str(workers), "--dist", "loadgroup")
        command = [*beside, "pytest", *arguments, *spread, f"--write-seconds={report}"]
        ended = self.step(kind, command, aside=aside, environment=environment)
        if report.exists():
            for file, found in json.loads(report.read_text()).items():
                self.files.append(Ran(file, kind=kind, **found))
            report.unlink()
        return ended

    def vitest(self, kind: str, *arguments: str, aside: bool = False) -> bool:
        report = self.folder / "vitest.json"
        command = ["npx", "vitest", "run", "--reporter=dot", "--reporter=json", f"--outputFile={report}", *arguments]
        ended = self.step(kind, command, cwd=ROOT / "web", aside=aside)
        if report.exists():
            for file in json.loads(report.read_text())["testResults"]:
                states = [test["status"] for test in file["assertionResults"]]
                failed = states.count("failed") or int(file["status"] == "failed")
                seconds = (file["endTime"] - file["startTime"]) / 1000
                name = str(Path(file["name"]).relative_to(ROOT))
                self.files.append(Ran(name, seconds, states.count("passed"), failed, kind))
        return ended

    def side_by_side(self, *lanes: Callable[[], object]) -> None:
        with ThreadPoolExecutor() as threads:
            for lane in [threads.submit(lane) for lane in lanes]:
                lane.result()

    def end(self) -> int:
        """Print the results. Return the process's exit code."""
        print("\n== where the time went")
        in_files = {
            step.title: sum(file.processor for file in self.files if file.kind == step.title) for step in self.steps
        }
        rows = [
            (step.title, f"{step.seconds:.0f}", f"{step.processor:.0f}", f"{in_files[step.title]:.0f}")
            for step in self.steps
        ]
        print_table(("step", "seconds", "of processors", "of that in tests"), rows)
        clock, processor = time.monotonic() - self.began, sum(step.processor for step in self.steps)
        idle = psutil.cpu_times().idle - self.idle_before
        print(
            f"\n  {clock:.0f} s by the clock, {processor:.0f} s of processor time, {idle:.0f} s in which a core was idle"
        )
        dearest = sorted(self.files, key=lambda file: -max(file.processor, file.seconds / 2))[:20]
        dear = [(file.title, f"{file.seconds:.1f}", f"{file.processor:.1f}") for file in dearest]
        print_table(("dearest files", "seconds", "of processors"), dear)
        kinds = dict.fromkeys(file.kind for file in self.files)
        counts = {kind: sum(file.passed for file in self.files if file.kind == kind) for kind in kinds}
        print_table(("kind", "passed"), [(kind, str(count)) for kind, count in counts.items()])
        for line in [*self.notes, *(f"failed: {title}" for title in self.failed)]:
            print(f"  {line}")
        failed = sum(file.failed for file in self.files)
        print(f"{sum(counts.values())} passed, {failed} failed")
        return 1 if self.failed or failed else 0

    def _end(self, process: subprocess.Popen[str], title: str) -> None:
        """End the process and its children: a living child would keep its output open."""
        self.notes.append(f"ended after {STEP_S / 60:.0f} minutes: {title}")
        for each in [process, *psutil.Process(process.pid).children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                each.kill()

    def _say(self, title: str) -> None:
        print(f"\n== {title} (after {time.monotonic() - self.began:.0f} s)", flush=True)


def print_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    lines = [head, *rows]
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    print()
    for line in lines:
        cells = [f"{cell:>{max(7, width)}}" for cell, width in zip(line[1:], others, strict=True)]
        print("  ".join(["", f"{line[0]:<{first}}", *cells]))


def run_all(run: Run) -> None:
    if not (os.environ.get("ALL") or os.environ.get("CI")):
        run.tree = read_tree()
    first = threading.Lock()

    def lane(steps: Callable[[Run], None]) -> None:
        steps(run)
        if first.acquire(blocking=False):  # the lane that ends first takes them
            run_on_postgres(run)

    # Tests often wait for processes, a browser or a clock. Two lanes keep every core busy.
    run.side_by_side(lambda: lane(run_without_browser), lambda: lane(run_in_browser))
    said = subprocess.run([sys.executable, "scripts/long_tests.py", "check"], capture_output=True, text=True)
    run.notes += said.stdout.splitlines()


def run_in_browser(run: Run) -> None:
    # The web is built in the demo's first seconds, before the checks end. Tests of Python need it too.
    if run.step(DEMO_TITLE, DEMO, aside=True):
        run.pytest("journeys in a browser", "e2e", *long_left_out("e2e"), aside=True)


def run_without_browser(run: Run) -> None:
    run.step("checks", CHECKS, aside=True)
    run.vitest("web tests", aside=True)
    run.pytest("Python tests", "backend/tests", *long_left_out("backend"), aside=True)


def run_on_postgres(run: Run) -> None:
    if has_postgres():
        arguments = ("backend/tests", "--on-postgres", *long_left_out("backend"))
        run.pytest("Python tests on PostgreSQL", *arguments, beside=WITH_POSTGRES, aside=True)
    else:
        run.notes.append(
            "PostgreSQL: no server binaries found, so everything that uses the database ran on SQLite alone"
        )


def long_left_out(folder: str) -> list[str]:
    """Options of pytest that leave out the files which only `make test-long` runs."""
    rows = tomllib.loads(LONG.read_text(encoding="utf-8")).values()
    files = {file for row in rows if not row.get("also_short") for file in row["tests"]}
    return [f"--ignore={file}" for file in sorted(files) if file.startswith(folder)]


def read_json(file: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return known


@cache
def has_postgres() -> bool:
    return subprocess.run([*WITH_POSTGRES, "--find"], cwd=ROOT, capture_output=True).returncode == 0


def run_quick(run: Run) -> None:
    changed = find_changed()
    journeys, unknown = journeys_of(changed, tomllib.loads(COVERS.read_text(encoding="utf-8")))
    if unknown:
        run.notes.append(f"no journey is named in e2e/covers.toml for: {', '.join(unknown)}")
    run.side_by_side(
        lambda: run.step("checks", CHECKS, aside=True),
        lambda: run.vitest("web tests of what changed", f"--changed={MAIN}", "--passWithNoTests", aside=True),
        *([lambda: run.step(DEMO_TITLE, DEMO, aside=True)] if journeys else []),
    )
    also = sorted(file for path in changed for file in mirror_of(path) if (ROOT / file).exists())
    run.pytest(
        "quick Python tests, and those of what changed",
        "backend/tests",
        "--quick",
        *(f"--also={file}" for file in also),
    )
    if journeys:
        run.pytest("journeys of what changed", *journeys)
    else:
        run.notes.append("no journey is about what changed")


def find_changed() -> list[str]:
    """Return paths that differ from `main`, committed or not, including new ones."""
    commands = (["diff", "--name-only", "--merge-base", MAIN], ["ls-files", "--others", "--exclude-standard"])
    said = [subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True) for command in commands]
    if any(each.returncode for each in said):
        sys.exit(f"git knows no {MAIN} to compare with ({said[0].stderr.strip()}): name another in PORTOLAN_MAIN.")
    return sorted({line for each in said for line in each.stdout.splitlines()})


def mirror_of(path: str) -> list[str]:
    """Return the tests of a Python file, which mirror its path, or the file itself."""
    if re.fullmatch(r"backend/tests/(.*/)?test_\w+\.py", path):
        return [path]
    if found := re.fullmatch(r"backend/portolan(_dev)?/(.*/)?(\w+)\.py", path):
        return [f"backend/tests/{'dev/' if found[1] else ''}{found[2] or ''}test_{found[3]}.py"]
    return []


def _journey_file(name: str) -> str:
    """
    >>> _journey_file("lists"), _journey_file("security/kills")
    ('e2e/test_lists.py', 'e2e/security/test_kills.py')
    """
    folder, _, last = name.rpartition("/")
    return "/".join(filter(None, ("e2e", folder, f"test_{last}.py")))


def journeys_of(changed: Iterable[str], covers: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return files of `e2e/`, and the paths without a known journey."""
    journeys: set[str] = set()
    unknown: list[str] = []
    for path in changed:
        if re.fullmatch(r"e2e/(security/)?test_\w+\.py", path):
            journeys |= {path} if (ROOT / path).exists() else set()
            continue
        found = {_journey_file(name) for name, parts in covers["journeys"].items() if path.startswith(tuple(parts))}
        journeys |= found
        if not found and not path.startswith(tuple(covers["without"])):
            unknown.append(path)
    return sorted(journeys), unknown


def record(run: Run) -> None:
    """Store the times of Python's test files, so that the next run starts with the longest. A failed file keeps its old
    time.
    """
    known = read_json(RECORDED)
    found: dict[str, float] = {}
    for file in run.files:
        if file.title.endswith(".py"):
            seconds = known.get(file.title, 0.0) if file.failed else round(file.seconds, 1)
            found[file.title] = max(found.get(file.title, 0.0), seconds)
    there = {file: seconds for file, seconds in (known | found).items() if (ROOT / file).exists()}
    RECORDED.write_text(json.dumps(dict(sorted(there.items())), indent=1) + "\n", encoding="utf-8")


def main(what: str) -> int:
    os.chdir(ROOT)
    os.environ.pop("DATABASE_URL", None)  # SQLite, unless a step sets it
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder))
        run_quick(run) if what == "quick" else run_all(run)
        if what == "record":
            record(run)
        return run.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
