"""Targets of the Makefile and scripts of web/package.json, run with the packages of this environment."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.processes import run_program

from .seeded import ROOT

PROGRAMS: Final = Path(sys.executable).parent
_BOOTSTRAP: Final = ("RUN=", "DEV=", "TEST=")
"""The Makefile's variables that install packages first. They are installed already."""


def run_make(
    target: str, args: str = "", folder: Path = ROOT, within_s: float = 600, variables: Mapping[str, str] = {}
) -> str:
    """Return the output of `make TARGET ARGS=…` in ``folder``, which is this checkout or a copy of it."""
    return _run(["make", target, *_BOOTSTRAP, f"ARGS={args}"], folder, folder, within_s, variables)


def run_npm(script: str, *args: str, folder: Path = ROOT, within_s: float = 300) -> str:
    """Return the output of `npm run SCRIPT -- …` in the folder ``web`` of a checkout."""
    return _run(["npm", "run", "--silent", script, "--", *args], folder / "web", folder, within_s, {})


def run_portolan(*args: str, folder: Path, within_s: float = 600, variables: Mapping[str, str] = {}) -> str:
    """Return the output of `portolan …` with the code of ``folder``."""
    return _run([str(PROGRAMS / "portolan"), *args], folder, folder, within_s, variables)


def environment(checkout: Path, variables: Mapping[str, str] = {}, *folders: Path) -> dict[str, str]:
    """Return the variables of a command that uses the code of ``checkout``. ``folders`` with programs come first."""
    path = os.pathsep.join(map(str, (*folders, PROGRAMS, os.environ["PATH"])))
    own = {"PATH": path, "PYTHONPATH": str(checkout / "backend"), "COLUMNS": "200", "NO_COLOR": "1"}
    return {**os.environ, **own, **variables}


def _run(command: list[str], place: Path, checkout: Path, within_s: float, variables: Mapping[str, str]) -> str:
    done = run_program(command, within_s, cwd=place, env=environment(checkout, variables))
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{said[-5000:]}"
    return said


def assert_says(said: str, *patterns: str) -> None:
    """Assert that each pattern occurs in the output."""
    missing = [pattern for pattern in patterns if not re.search(pattern, said, re.M)]
    assert missing == [], said[-5000:]


def copy_checkout(folder: Path) -> None:
    """Copy the files of this checkout that Git knows, the web's packages and the web build.

    Commands that write into the checkout run in such a copy. ``folder`` has to be on the same disk: packages and build
    are hard links.
    """
    for name in list_files(ROOT):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)
    for name in ("node_modules", "dist"):
        shutil.copytree(ROOT / "web" / name, folder / "web" / name, symlinks=True, copy_function=os.link)
    run_git(folder, "init")
    commit_all(folder)


def commit_all(checkout: Path) -> None:
    run_git(checkout, "add", "--all")
    run_git(checkout, "-c", "user.name=Ada", "-c", "user.email=ada@acme.example", "commit", "--message", "All")


def run_git(checkout: Path, *arguments: str) -> str:
    """Return the output of `git …`."""
    return subprocess.run(["git", *arguments], cwd=checkout, check=True, capture_output=True, text=True).stdout


def list_files(checkout: Path) -> list[str]:
    """Return the paths that Git tracks, or would add."""
    listed = run_git(checkout, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return [name for name in listed if name and (checkout / name).is_file()]


def list_changed(checkout: Path) -> list[str]:
    """Return the paths that differ from the last commit, new ones too."""
    return sorted(line[3:] for line in run_git(checkout, "status", "--porcelain", "-z").split("\0") if line)
