"""A data set upgraded to the current version by the command: made once for all workers, and copied for each test file
that starts with one.
"""

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from ..processes import PORTOLAN, run_program
from .restore import unpack

Done = subprocess.CompletedProcess[str]


class Upgraded(NamedTuple):
    var: Path
    url: str
    checked: Done
    """``portolan upgrade --check`` before."""
    done: Done

    def run(self, *arguments: str) -> Done:
        return portolan(self.var, self.url, *arguments)


def portolan(var: Path, url: str, *arguments: str) -> Done:
    variables = {**os.environ, "PORTOLAN_VAR_DIR": str(var), "DATABASE_URL": url}
    return run_program([*PORTOLAN, *arguments], env=variables, timeout_s=300)


def upgrade(var: Path, url: str, *options: str) -> Upgraded:
    return Upgraded(var, url, portolan(var, url, "upgrade", "--check"), portolan(var, url, "upgrade", *options))


def upgraded_copy(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Upgraded:
    """Return a copy on SQLite in its own folder. Its pages lack social images, because drawing them takes as long as
    the rest.
    """
    folder = _shared_folder(tmp_path_factory) / "upgraded"
    folder.mkdir(exist_ok=True)
    made, said = folder / dataset.name, folder / f"{dataset.name}.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            first = upgrade(unpack(dataset, made), _url(made), "--no-pictures")
            said.write_text(json.dumps([vars(first.checked), vars(first.done)]), encoding="utf-8")
    var = tmp_path_factory.mktemp("installation") / "var"
    shutil.copytree(made, var)
    return Upgraded(var, _url(var), *(Done(**done) for done in json.loads(said.read_text(encoding="utf-8"))))


def _url(var: Path) -> str:
    return f"sqlite:///{var}/portolan.sqlite3"


def _shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that the workers of this run share. Each worker has a folder in it."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
