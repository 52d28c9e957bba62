"""Steps of `make test` and `make test-quick`: which run, which are skipped, and how they are counted."""

import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import run_tests
from run_tests import COVERS, journeys_of, mirror_of

ROOT = Path(__file__).parents[3]
FOLDERS = ("scripts/", "backend/", "e2e/")
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


LEAVES_ITS_CHILD = r"""
import os, subprocess, sys
busy = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)"
subprocess.Popen([sys.executable, "-c", busy], stdout=subprocess.PIPE).stdout.readline()
os._exit(0)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over the processes of one that died")
def test_processor_time_of_a_process_that_nobody_waited_for_is_counted(tmp_path: Path) -> None:
    run = run_tests.Run(tmp_path)
    assert run.step("leaves its child", [sys.executable, "-c", LEAVES_ITS_CHILD], aside=True)
    assert run.steps[0].processor >= 0.5


def test_a_process_that_a_step_leaves_running_is_ended_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run = run_tests.Run(tmp_path)
    pid = tmp_path / "pid"
    assert run.step("leaves a server", ["sh", "-c", f"sleep 1000 >/dev/null 2>&1 & echo $! > {pid}"], aside=True)
    assert not psutil.pid_exists(int(pid.read_text()))
    assert "still running, ended now: " in capfd.readouterr().out


@pytest.fixture
def green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], bool]:
    """Return a function that runs the step *web tests* with these files and returns whether it ran."""
    monkeypatch.setattr(run_tests, "GREEN", tmp_path / "green.json")

    def ran(tree: dict[str, str]) -> bool:
        run = run_tests.Run(tmp_path, tree=tree)
        assert run.step("web tests", ["true"], aside=True)
        return bool(run.steps)

    return ran


def test_a_step_that_was_green_with_the_same_files_is_skipped(green: Callable[[dict[str, str]], bool]) -> None:
    assert green({"web/a.ts": "1"})
    assert not green({"web/a.ts": "1", "backend/b.py": "of another language"})
    assert green({"web/a.ts": "2"})
    assert green({"web/a.ts": "1"}), "only the last is remembered"
    assert green({}) and green({}), "in CI there is no tree, and nothing is skipped"


def test_a_step_that_failed_is_not_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tests, "GREEN", tmp_path / "green.json")
    for _ in range(2):
        run = run_tests.Run(tmp_path, tree={"web/a.ts": "1"})
        assert not run.step("web tests", ["false"], aside=True)


def test_the_step_that_takes_postgres_is_run_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran: list[str] = []
    monkeypatch.setenv("ALL", "1")
    for name in ("run_in_browser", "run_without_browser", "run_on_postgres"):
        monkeypatch.setattr(run_tests, name, lambda run, name=name: ran.append(name))
    run_tests.run_all(run_tests.Run(tmp_path))
    assert sorted(ran) == ["run_in_browser", "run_on_postgres", "run_without_browser"]


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


def test_a_target_runs_the_checks_alone() -> None:
    target = "check"
    assert f"{target}:\n\t@$(DEV) {' '.join(run_tests.CHECKS)}\n" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize(("target", "what"), [("test-quick", "quick"), ("record-seconds", "record")])
def test_a_run_starts_commands_that_are_there(
    target: str, what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The commands are noted and not run."""
    commands: list[list[str]] = []

    def note(run: run_tests.Run, title: str, command: list[str], **_: object) -> bool:
        commands.append([*command])
        return True

    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setattr(run_tests.Run, "step", note)
    monkeypatch.setattr(run_tests, "find_changed", lambda: ["backend/portolan/edge/redirects.py"])
    monkeypatch.setattr(run_tests, "RECORDED", tmp_path / "seconds.json")
    assert f"{target}:\n\t@$(TEST) python scripts/run_tests.py {what}\n" in (ROOT / "Makefile").read_text()
    assert run_tests.main(what) == 0
    assert list(run_tests.CHECKS) in commands
    assert any("backend/tests" in command for command in commands)
    assert any(word == "e2e" or word.startswith("e2e/test_") for command in commands for word in command)
    for command in commands:
        assert shutil.which(command[0]), command
        assert [word for word in command if word.startswith(FOLDERS) and not (ROOT / word).exists()] == []
    assert (tmp_path / "seconds.json").exists() == (what == "record")
