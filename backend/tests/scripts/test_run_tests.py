"""What `make test-quick` runs."""

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import run_tests
from run_tests import COVERS, journeys_of, mirror_of

ROOT = Path(__file__).parents[3]
TABLE = tomllib.loads(COVERS.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("path", "journeys", "unknown"),
    [
        ("web/src/a/b.ts", ["one", "two"], False),
        ("web/src/c.ts", ["two"], False),
        ("docs/api.md", [], False),
        ("nowhere/new.py", [], True),
        ("e2e/test_islands.py", ["islands"], False),
        ("e2e/test_that_was_removed.py", [], False),
    ],
)
def test_journeys_of_a_changed_file(path: str, journeys: list[str], unknown: bool) -> None:
    covers: dict[str, Any] = {"without": ["docs/"], "journeys": {"one": ["web/src/a/"], "two": ["web/src/"]}}
    assert journeys_of([path], covers) == ([f"e2e/test_{name}.py" for name in journeys], [path] if unknown else [])


def test_the_table_names_each_file_of_journeys_and_paths_that_exist() -> None:
    files = {path.relative_to(ROOT / "e2e") for path in (ROOT / "e2e").rglob("test_*.py")}
    assert {*TABLE["journeys"]} == {str(file.with_name(file.stem.removeprefix("test_"))) for file in files}
    begins = {begin for begins in TABLE["journeys"].values() for begin in begins}
    assert {begin for begin in begins if not any(ROOT.glob(f"{begin.rstrip('/')}*"))} == set()


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("backend/portolan/edge/app.py", ["backend/tests/edge/test_app.py"]),
        ("backend/tests/edge/test_app.py", ["backend/tests/edge/test_app.py"]),
        ("backend/tests/edge/conftest.py", []),
        ("web/src/a.ts", []),
    ],
)
def test_tests_mirror_the_code_s_path(path: str, tests: list[str]) -> None:
    assert mirror_of(path) == tests


def test_what_a_step_says_is_shown_whatever_bytes_it_is(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = run_tests.Run(tmp_path)
    code = r"import sys; sys.stdout.buffer.write(b'caf\xe9')"
    assert run.step("says bytes", [sys.executable, "-c", code], aside=True)
    assert r"caf\xe9" in capfd.readouterr().out


def test_journeys_that_are_to_run_on_postgres_are_found() -> None:
    assert "e2e/test_change_sets.py" in run_tests.find_marked_journeys()
    assert "e2e/test_upgrade.py" not in run_tests.find_marked_journeys()


def test_a_step_that_hangs_is_ended_with_what_it_started_and_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_tests, "STEP_S", 0.2)
    run = run_tests.Run(tmp_path)
    assert not run.step("waits for its child", ["sh", "-c", "sleep 1000; echo done"], aside=True)
    assert run.end() == 1
    said = capfd.readouterr().out
    assert "ended after 0 minutes: waits for its child" in said
    assert "failed: waits for its child" in said
