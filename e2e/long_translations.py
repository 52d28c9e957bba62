"""Every page of the demo goes out to translators and comes back without the loss of a byte: `make test-long ARGS=translations`."""

import os
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tests.processes import run_program

from .running_commands import PROGRAMS
from .seeded import DATABASE, ROOT, copy_database

SITES: Final = ("ae", "az", "de", "fr", "kz", "pl", "uk")
_STATE: Final = (
    "SELECT id, title, latest_revision_id, has_unpublished_changes FROM wagtailcore_page ORDER BY id",
    "SELECT count(*) FROM wagtailcore_revision",
)


@pytest.fixture(scope="module")
def folder(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("translations")
    copy_database(copy, seeded)
    return copy


@pytest.mark.parametrize("kind", ["xlf", "po"])
@pytest.mark.parametrize("site", SITES)
def test_every_page_comes_back_as_it_was(folder: Path, site: str, kind: str) -> None:
    file = folder / f"{site}.{kind}"
    run(folder, PROGRAMS / "portolan", "users", "add", f"ada-{site}-{kind}", "--superuser")
    exported = run(folder, PROGRAMS / "portolan", "translations", "export", "--site", site, file)
    found = re.search(r"Wrote ([\d,]+) pages? with ([\d,]+) texts", exported)
    assert found, exported
    before = state(folder)
    came_back = run(folder, PROGRAMS / "portolan", "translations", "import", "--as", f"ada-{site}-{kind}", file)
    assert "Wrote 0 texts into 0 drafts" in came_back
    assert state(folder) == before
    written = int(run(folder, sys.executable, "-m", "e2e.rewritten_translations", file))
    assert written > 0
    if site in ("de", "fr"):  # the sites with the most pages of their own
        assert written > 500


def run(folder: Path, *command: str | Path) -> str:
    variables = {"PORTOLAN_VAR_DIR": str(folder), "DATABASE_URL": "", "PYTHONPATH": f"{ROOT}/backend:{ROOT}"}
    done = run_program(command, 300, cwd=ROOT, env={**os.environ, **variables})
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


def state(folder: Path) -> list[object]:
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        return [database.execute(query).fetchall() for query in _STATE]
