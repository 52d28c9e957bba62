"""Run the fault tests of `docs/evidence/faults.toml`, and record the results."""

import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from xml.etree import ElementTree

from .requirements import is_there

TABLE: Final = "faults.toml"
RESULTS: Final = "faults.json"
_NO_HURRY: Final = ("-o", "faulthandler_timeout=0")
"""No time limit, because tests may take an hour."""
Form = Literal["long", "short"]


class Fault(NamedTuple):
    id: str
    what: str
    tests: tuple[str, ...]
    long: Mapping[str, str]
    """Environment variables for the long form."""
    options: tuple[str, ...]
    """Options of pytest for the long form."""
    beside: str


class Result(NamedTuple):
    day: str
    commit: str
    form: str
    passed: int
    failed: int
    skipped: int
    seconds: int


def read_faults(folder: Path) -> list[Fault]:
    rows = tomllib.loads((folder / TABLE).read_text(encoding="utf-8"))["fault"]
    return [
        Fault(
            row["id"],
            row["what"],
            tuple(row["tests"]),
            row.get("long", {}),
            tuple(row.get("options", ())),
            row.get("beside", ""),
        )
        for row in rows
    ]


def read_results(folder: Path) -> dict[str, Result]:
    file = folder / RESULTS
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {id: Result(**row) for id, row in found.items()}


def write_results(folder: Path, results: Mapping[str, Result]) -> None:
    rows = {id: result._asdict() for id, result in sorted(results.items())}
    (folder / RESULTS).write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def find_missing(faults: Iterable[Fault], root: Path) -> list[str]:
    return [f"{fault.id}: there is no {test}" for fault in faults for test in fault.tests if not is_there(test, root)]


def run(fault: Fault, form: Form, root: Path) -> Result:
    """Run the tests of a fault, one process per folder, with their output. Return the result."""
    began = time.monotonic()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    variables, options = (fault.long, (*_NO_HURRY, *fault.options)) if form == "long" else ({}, ())
    for folder in ("backend/", "e2e/"):
        if tests := [test for test in fault.tests if test.startswith(folder)]:
            for kind, count in _pytest([*options, *tests], variables, root).items():
                counts[kind] += count
    commit = subprocess.run(
        ["git", "rev-parse", "--short=12", "HEAD"], cwd=root, capture_output=True, text=True
    ).stdout.strip()
    now = datetime.now(UTC).date().isoformat()
    return Result(now, commit, form, **counts, seconds=round(time.monotonic() - began))


def _pytest(arguments: list[str], variables: Mapping[str, str], root: Path) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", *arguments, f"--junitxml={report}"]
        ended = subprocess.run(command, cwd=root, env={**os.environ, **variables})
        if not report.exists():  # pytest could not start
            return {"failed": max(1, ended.returncode)}
        suites = ElementTree.parse(report).getroot().iter("testsuite")  # noqa: S314  (our own report)
        counts = {"passed": 0, "failed": 0, "skipped": 0}
        for suite in suites:
            failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            skipped = int(suite.get("skipped", 0))
            counts["failed"] += failed
            counts["skipped"] += skipped
            counts["passed"] += int(suite.get("tests", 0)) - failed - skipped
        return counts


def build_report(faults: Iterable[Fault], results: Mapping[str, Result]) -> str:
    lines = [
        "# Faults",
        "",
        "Written by `make soak`, from [faults.toml](faults.toml) and what came of the last run of each row. `ARGS='R1 R7'` runs some,",
        "`ARGS=--short` all as `make test` has them. A row that nobody has run says so; a failure or a skipped test is counted, never left out.",
        "",
        "| Row | Fault | Tests | Beside | Last run | Passed | Failed | Skipped | Seconds |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for fault in faults:
        tests = "<br>".join(f"`{test.removeprefix('backend/tests/')}`" for test in fault.tests)
        beside = f"`{fault.beside}`" if fault.beside else ""
        result = results.get(fault.id)
        said = (
            f"{result.day}, {result.form}, `{result.commit}` | {result.passed} | {result.failed} | {result.skipped} | {result.seconds}"
            if result
            else "never | | | |"
        )
        lines.append(f"| {fault.id} | {fault.what} | {tests} | {beside} | {said} |")
    return "\n".join(lines) + "\n"
