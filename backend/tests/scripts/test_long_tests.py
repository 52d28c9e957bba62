"""Which long tests are proven for a tree."""

import json
import subprocess
from pathlib import Path

import long_tests
import pytest
import tree
from long_tests import LongTest, find_unproven, read_table
from run_tests import ROOT, Run, long_left_out

UPGRADE = LongTest("upgrade", ["e2e/test_upgrade.py"], ["backend/"])
BROWSERS = LongTest("browsers", ["e2e/browsers"], ["web/"])
FILES = {"e2e/test_upgrade.py": "1", "backend/a.py": "1", "web/a.ts": "1", "README.md": "1"}


@pytest.fixture
def proven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a record of two passed tests with ``FILES``."""
    file = tmp_path / "proven.json"
    file.write_text(json.dumps({test.name: test.digest(FILES) for test in (UPGRADE, BROWSERS)}))
    monkeypatch.setattr(long_tests, "PROVEN", file)
    return file


@pytest.mark.parametrize(
    ("changed", "unproven"),
    [
        ({}, []),
        ({"README.md": "2"}, []),
        ({"backend/a.py": "2"}, ["upgrade"]),
        ({"backend/new.py": "1"}, ["upgrade"]),
        ({"e2e/test_upgrade.py": "2"}, ["upgrade"]),
        ({"backend/a.py": "2", "web/a.ts": "2"}, ["upgrade", "browsers"]),
    ],
)
def test_a_test_is_unproven_when_a_file_it_covers_differs(
    proven: Path, changed: dict[str, str], unproven: list[str]
) -> None:
    assert [test.name for test in find_unproven([UPGRADE, BROWSERS], FILES | changed)] == unproven


def test_a_test_that_never_passed_is_unproven(proven: Path) -> None:
    assert find_unproven([LongTest("ray", ["a"], ["b"])], FILES) != []


def test_only_what_passed_is_proven_and_what_is_left_is_named(
    proven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = FILES | {"backend/a.py": "2", "web/a.ts": "2"}
    monkeypatch.setattr(Run, "step", lambda *_, **__: True)
    monkeypatch.setattr(Run, "pytest", lambda _, kind, *__, **___: kind == "browsers")
    run = Run(tmp_path)
    long_tests.run_long(run, [UPGRADE, BROWSERS], now, until=float("inf"))
    assert [test.name for test in find_unproven([UPGRADE, BROWSERS], now)] == ["upgrade"]
    long_tests.run_long(run, [UPGRADE], now, until=0)
    needy = LongTest("ray", ["a"], ["b"], programs=("sh", "no-such-program"))
    long_tests.run_long(run, [needy], now, until=float("inf"))
    assert run.notes == [
        "left, because the time is over: upgrade",
        "left, because no-such-program is not installed: ray",
    ]


def test_journeys_and_tests_of_python_have_a_process_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []

    def note(_: Run, kind: str, *arguments: str, **__: object) -> bool:
        ran.append(arguments[0])
        return arguments[0].startswith("backend")

    monkeypatch.setattr(Run, "pytest", note)
    assert not LongTest("both", ["backend/b.py", "e2e/a.py"], []).run(Run(tmp_path)), "one of them failed"
    assert ran == ["e2e/a.py", "backend/b.py"]


def test_the_table_names_files_that_exist() -> None:
    table = read_table()
    assert {file for test in table for file in test.tests if not (ROOT / file).exists()} == set()
    begins = {begin for test in table for begin in test.covers}
    assert {begin for begin in begins if not any(ROOT.glob(f"{begin.rstrip('/')}*"))} == set()


def test_the_short_form_leaves_the_long_tests_out_and_nothing_else() -> None:
    left = long_left_out("e2e") + long_left_out("backend")
    assert {f"--ignore={file}" for test in read_table() if not test.also_short for file in test.tests} == {*left}
    assert not any("test_menus" in each for each in left)


def test_a_tree_has_what_is_committed_changed_and_new(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    for name in ("same", "changed", "gone", "ignored"):
        (tmp_path / name).write_text(name)
    (tmp_path / ".gitignore").write_text("ignored")
    git("add", "-A")
    committed = tree.read_tree(tmp_path)
    (tmp_path / "changed").write_text("otherwise")
    (tmp_path / "gone").unlink()
    (tmp_path / "new").write_text("new")
    now = tree.read_tree(tmp_path)
    assert {*committed} == {".gitignore", "same", "changed", "gone"}
    assert {*now} == {".gitignore", "same", "changed", "new"}
    assert now["same"] == committed["same"]
    assert now["changed"] != committed["changed"]
