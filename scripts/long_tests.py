"""`make test-long`: the tests of `testing/long.toml`, and which of them are proven for this tree.

`long_tests.py run [NAME …] [--unproven] [--minutes N]` runs them, and writes the digest of each that passes to `testing/proven.json`:
commit that file. `long_tests.py check` names the unproven and fails if there are any.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from run_tests import DEMO, DEMO_TITLE, LONG, ROOT, WITH_POSTGRES, Run, has_postgres, read_json
from tree import digest, read_tree

PROVEN: Final = ROOT / "testing" / "proven.json"
BEGAN: Final = "PORTOLAN_TESTS_BEGAN"
"""Seconds of the epoch at which the whole run began, if `make test` ran before."""


@dataclass(frozen=True)
class LongTest:
    name: str
    tests: list[str]
    covers: list[str]
    on_postgres: bool = False
    also_short: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    programs: Sequence[str] = ()
    """Programs that it needs, and that `make test` does not install."""

    @property
    def missing(self) -> list[str]:
        server = ["a PostgreSQL server"] if self.on_postgres and not has_postgres() else []
        return [program for program in self.programs if not shutil.which(program)] + server

    def digest(self, tree: dict[str, str]) -> str:
        """Return the digest of the tests and all that they cover."""
        return digest(tree, lambda path: path.startswith((*self.tests, *self.covers)))

    def run(self, run: Run) -> bool:
        """Return whether it passed. Journeys and tests of Python have options of the same name, so each has a process."""
        options = ["-o", "faulthandler_timeout=1800"]
        if self.on_postgres:
            options += ["-m", "postgres", "--on-postgres"]
        passed = True
        for folder in ("e2e", "backend"):
            if files := [file for file in self.tests if file.startswith(folder)]:
                passed &= run.pytest(
                    self.name,
                    *files,
                    *options,
                    beside=WITH_POSTGRES if self.on_postgres else (),
                    workers=1 if self.on_postgres else 2,
                    environment=self.environment,
                )
        return passed


def read_table() -> list[LongTest]:
    return [LongTest(name, **row) for name, row in tomllib.loads(LONG.read_text(encoding="utf-8")).items()]


def find_unproven(table: Iterable[LongTest], tree: dict[str, str]) -> list[LongTest]:
    proven = read_json(PROVEN)
    return [test for test in table if proven.get(test.name) != test.digest(tree)]


def run_long(run: Run, chosen: list[LongTest], tree: dict[str, str], until: float) -> None:
    """Begin no test after ``until`` (seconds of the epoch), and name those that are left."""
    if not chosen:
        run.notes.append("every long test is proven for this tree")
        return
    needs_demo = any(file.startswith("e2e") for test in chosen for file in test.tests)
    if needs_demo and not run.step(DEMO_TITLE, DEMO):
        return
    for test in chosen:
        if time.time() > until:
            run.notes.append(f"left, because the time is over: {test.name}")
        elif test.missing:
            run.notes.append(f"left, because {', '.join(test.missing)} is not installed: {test.name}")
        elif test.run(run):
            PROVEN.write_text(
                json.dumps(read_json(PROVEN) | {test.name: test.digest(tree)}, indent=1) + "\n", encoding="utf-8"
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "check"))
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--unproven", action="store_true", help="only those whose files differ since they passed")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no test later than that")
    asked = parser.parse_args()
    os.chdir(ROOT)
    os.environ.pop("DATABASE_URL", None)
    table, tree = read_table(), read_tree()
    if unknown := {*asked.names} - {test.name for test in table}:
        parser.error(f"testing/long.toml has no {', '.join(sorted(unknown))}")
    unproven = find_unproven(table, tree)
    if asked.what == "check":
        for test in unproven:
            print(f"unproven: {test.name} (make test-long ARGS={test.name})")
        return 1 if unproven else 0
    chosen = [test for test in (unproven if asked.unproven else table) if test.name in asked.names or not asked.names]
    began = float(os.environ.get(BEGAN) or time.time())
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder))
        run_long(run, chosen, tree, began + asked.minutes * 60)
        return run.end()


if __name__ == "__main__":
    sys.exit(main())
