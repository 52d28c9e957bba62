"""Check the machine: Python, Node, environment variables, folders, their permissions, and disk space."""

import errno
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from ...config.env import Env
from ...config.folders import CANNOT, check_folder
from ...publisher.problem import UsageError
from ...publisher.render_worker import worker_command
from ...publisher.web_build import load_web_build
from .finding import Finding, problem, warning, well

_OLDEST_PYTHON: Final = (3, 11)
_OLDEST_NODE: Final = 22
_ROOM: Final = 1 << 30
_LEAST_ROOM: Final = 200 << 20
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
_OF_TESTS: Final = frozenset(
    "PORTOLAN_" + name
    for name in "CHROMIUM AXE FUZZ_EXAMPLES FUZZ_SEED FUZZ_FORMS VIEWS KILLS SERVER_KILLS SLOW_BODIES READINGS HISTORIES EDIT_SEQUENCES MAIN".split()
)


def examine_python() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _OLDEST_PYTHON:
        yield problem("python", f"Python {version} is too old.", "Install Python 3.11 or newer.")
    else:
        yield well("python", f"Python {version}")


def examine_variables(settings: Env, environment: Mapping[str, str]) -> Iterator[Finding]:
    """Warn of PORTOLAN_ variables that are not settings."""
    known = {field.alias or f"PORTOLAN_{name.upper()}" for name, field in type(settings).model_fields.items()}
    named = known | {*settings.registry.secret_names} if settings.sites_file.exists() else known
    unknown = sorted(
        name for name in environment if name.startswith("PORTOLAN_") and name not in named and name not in _OF_TESTS
    )
    for name in unknown:
        near = get_close_matches(name, known, 1)
        meant = f"Did you mean {near[0]}?" if near else "docs/configuration.md lists all settings."
        yield warning("variables", f"{name} is not a setting, and has no effect.", f"{meant} Correct or remove it.")
    if not unknown:
        yield well("variables", f"the environment is {settings.environment}, and every PORTOLAN_ variable is a setting")


def examine_web_build(settings: Env) -> Iterator[Finding]:
    try:
        web = load_web_build(settings.web_dist)
    except UsageError as error:
        yield problem("web build", str(error), "Build the web for this version, or install the package that has it.")
        return
    yield well("web build", f"web build {web.hash[:8]} fits this version")
    node = worker_command(web.worker)[0]
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20).stdout.strip()
        major = int(said.removeprefix("v").partition(".")[0])
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        yield problem(
            "node", f"Node cannot run ({error}), so no page can be rendered.", "Install the requirements again."
        )
        return
    if major < _OLDEST_NODE:
        yield problem("node", f"Node {said} is too old.", "Install the requirements again; they include Node.")
    else:
        yield well("node", f"Node {said}")


def examine_folders(settings: Env, is_written: bool) -> Iterator[Finding]:
    """``is_written``: whether this role writes to the folders."""
    var = settings.var_dir
    if not var.is_dir():
        yield problem(
            "var", "The var directory is missing.", "Run `portolan upgrade` to create it, or correct PORTOLAN_VAR_DIR."
        )
        return
    folders = (
        [var, settings.builds_dir, settings.media_dir, settings.leads_dir] if is_written else [settings.builds_dir]
    )
    lacking = [folder for folder in folders if folder.exists() and not os.access(folder, os.R_OK | os.X_OK)]
    for folder in lacking:
        yield problem("var", f"This user cannot read {folder}.", _say_right(folder))
    found = {folder: check_folder(folder) for folder in folders if is_written and folder not in lacking}
    unwritable = {folder: said for folder, said in found.items() if said.startswith(CANNOT)}
    for folder, said in unwritable.items():
        mend = "Free disk space, or mount it writable. Until then, the sites stay as they are and forms are rejected."
        has_right = os.strerror(errno.EACCES) not in said
        yield problem("var", f"{folder} {said}.", mend if has_right else _say_right(folder))
    secret = [var / "secret-key", var / "portolan.sqlite3", *sorted((settings.leads_dir / "spool").glob("*"))[:1]]
    seen = [file for file in secret if file.is_file() and file.stat().st_mode & _OTHERS]
    for file in seen if var.stat().st_mode & _OTHERS else ():
        yield problem(
            "var", f"Other users of this machine can read {file.name}.", f"Run `chmod 700 {var}; chmod 600 {file}`."
        )
    if not lacking and not seen and not unwritable:
        yield well("var", "the var directory is usable and private")
    yield from _examine_room(var)


def _say_right(folder: Path) -> str:
    return f"Run `chown -R $USER {folder}`."


def _examine_room(folder: Path) -> Iterator[Finding]:
    usage = shutil.disk_usage(folder)
    said = f"{usage.free / 1e9:,.1f} GB of {usage.total / 1e9:,.0f} GB are free"
    mend = "Free disk space: if the disk is full, builds, uploads and leads stop."
    if usage.free < _LEAST_ROOM:
        yield problem("disk", f"Only {said}.", mend)
    elif usage.free < _ROOM:
        yield warning("disk", f"Only {said}.", mend)
    else:
        yield well("disk", said)
