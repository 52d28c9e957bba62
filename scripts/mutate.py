"""The share of mistakes that tests notice: `mutate.py [--short] [--sample 40] [--minutes 10] [PACKAGE …]`, a score per
package.

mutmut changes one thing at a time in a package's functions, and runs the tests of the folder of the same name that
reach the changed function. It tries a sample of all changes, which stays the same while the functions do. It prints
each unnoticed change. All happens in a copy below ``var/mutate``.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("domain", "releases", "builds", "publisher", "leads")
LINKED: Final = (
    "contract",
    "docs",
    "e2e",
    "fixtures",
    "requirements-dev.lock",
    "scripts",
    "sites.toml",
    "testing",
    "web",
)
"""Files that tests read, next to the code."""
POSTPONED: Final = ("leads/spool.py",)
"""Files with postponed annotations: a method is called ``list``, and mutmut's copies of others follow it."""
NOTICED: Final = {1, 3, 24, 36, 152, 255, -24}
"""mutmut's exit codes for: a test failed, or ran without end."""
NO_TESTS: Final = 33
SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
CONFIG: Final = """
[tool.mutmut]
source_paths = ["portolan"]
only_mutate = ["portolan/{package}/*"]
do_not_mutate = ["*/migrations/*"]
also_copy = ["tests"]
pytest_add_cli_args = ["--deselect=tests/leads/test_killed.py", "--deselect=tests/leads/test_postgres_outage.py", "--deselect=tests/publisher/test_killed_publisher.py"]
pytest_add_cli_args_test_selection = ["tests/{package}"]
timeout_multiplier = 5.0
timeout_constant = 10.0
use_git_change_detection = false
track_dependencies = false

[tool.pytest.ini_options]
pythonpath = ["."]
DJANGO_SETTINGS_MODULE = "portolan.config.settings"
markers = ["postgres"]
addopts = "-q -p no:cacheprovider -p no:schemathesis"
"""
GENERATE: Final = "import mutmut.__main__ as m; m.copy_src_dir(); m.copy_also_copy_files(); m.create_mutants(2)"


class Result(NamedTuple):
    """The results of a package's sample."""

    package: str
    tried: int
    noticed: int
    unreached: int
    sample: int
    all: int
    survivors: list[str]

    def __str__(self) -> str:
        score = f"{100 * self.noticed / self.tried:.0f} %" if self.tried else "-"
        said = f"{self.package:<10} {score:>6}   {self.noticed} of {self.tried} noticed, {self.unreached} reached by no test"
        more = f" ({self.sample - self.tried} not tried in time)" if self.tried < self.sample else ""
        return f"{said}; a sample of {self.all}{more}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(PACKAGES))
    parser.add_argument("--sample", type=int, default=40, help="changes tried in each package")
    parser.add_argument("--seed", default="1", help="another one tries other changes")
    parser.add_argument("--minutes", type=float, default=10, help="limit for each package")
    parser.add_argument("--processes", type=int, default=2, help="changes tried at a time")
    parser.add_argument("--short", action="store_true", help="try three changes of one package, to see that all works")
    asked = parser.parse_args()
    if asked.short:
        asked.packages, asked.sample = ["domain"], 3
    unknown = set(asked.packages) - set(PACKAGES)
    if unknown:
        parser.error(f"no such package: {', '.join(sorted(unknown))}; there are {', '.join(PACKAGES)}")
    results = []
    for package in asked.packages or PACKAGES:
        print(f"== {package}", flush=True)
        results.append(mutate(package, asked.sample, asked.seed, asked.minutes * 60, asked.processes))
        for name in results[-1].survivors:
            print(show(package, name), flush=True)
    print("\n== score")
    for result in results:
        print(result)
    if not all(result.tried for result in results):
        sys.exit("A package has no score: see above.")


def mutate(package: str, sample: int, seed: str, limit_s: float, processes: int) -> Result:
    folder = make_copy(package)
    run(folder, [sys.executable, "-c", GENERATE], limit_s)
    names = sorted(read_verdicts(folder))
    chosen = sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())[:sample]
    said = run(folder, ["mutmut", "run", "--max-children", str(processes), *chosen], limit_s)
    verdicts = {name: verdict for name, verdict in read_verdicts(folder).items() if name in set(chosen)}
    tried = {name: verdict for name, verdict in verdicts.items() if verdict is not None}
    if not tried:
        print("\n".join(line for line in said.splitlines() if line.strip() and line[0] not in SPINNER))
    survivors = sorted(name for name, verdict in tried.items() if verdict not in NOTICED)
    unreached = sum(verdict == NO_TESTS for verdict in tried.values())
    return Result(package, len(tried), len(tried) - len(survivors), unreached, len(chosen), len(names), survivors)


def make_copy(package: str) -> Path:
    """Make a folder that is a project to mutmut, and the tree to our code: ``mutants`` is ``backend``."""
    folder = ROOT / "var" / "mutate" / package
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("portolan", "tests"):
        shutil.copytree(ROOT / "backend" / name, folder / name, ignore=ignore)
    for name in POSTPONED:
        file = folder / "portolan" / name
        text = file.read_text(encoding="utf-8")
        file.write_text(
            text.replace("\nimport ", "\nfrom __future__ import annotations\n\nimport ", 1), encoding="utf-8"
        )
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    (folder / "mutants").mkdir()
    (folder / "backend").symlink_to("mutants")
    (folder / "pyproject.toml").write_text(CONFIG.format(package=package), encoding="utf-8")
    return folder


def run(folder: Path, command: list[str], limit_s: float) -> str:
    """Return the command's output. At the time limit, end it with all its children and keep the output."""
    # The tree itself has the code that tests of both kinds share (`testing`), and with it the migrated database.
    environment = {**os.environ, "PYTHONPATH": f"{folder / 'mutants'}{os.pathsep}{ROOT}"}
    environment.pop("DATABASE_URL", None)
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            return process.communicate(timeout=limit_s)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.communicate()[0]


def read_verdicts(folder: Path) -> dict[str, int | None]:
    """Return each change with mutmut's exit code, or None if it is untried."""
    found: dict[str, int | None] = {}
    for file in (folder / "mutants").rglob("*.py.meta"):
        found |= json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def show(package: str, name: str) -> str:
    return run(ROOT / "var" / "mutate" / package, ["mutmut", "show", name], 60)


if __name__ == "__main__":
    main()
