"""The live sites as plain files."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.commands import export
from portolan.config.env import Env

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]


@pytest.fixture(autouse=True)
def own_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "env", lambda: Env(var_dir=root.parent))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(export.command, arguments)
    return result.exit_code, result.output


def test_writes_each_site_into_a_folder_and_replaces_it(build: Build, root: Path, tmp_path: Path) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    build("x", {"/": "start"}, site="de")
    (root.parent / "media" / "pictures").mkdir(parents=True)
    (root.parent / "media" / "pictures" / "quay.webp").write_text("picture")
    target = tmp_path / "out"
    assert run(str(target))[0] == 0
    assert (target / "en" / "about-us" / "index.html").read_text() == "about"
    assert (target / "de" / "index.html").read_text() == "start"
    assert (target / "en" / "media" / "pictures" / "quay.webp").read_text() == "picture"
    build("b", {"/": "home again"})
    assert run(str(target), "--site", "en")[0] == 0
    assert (target / "en" / "index.html").read_text() == "home again"
    assert not (target / "en" / "about-us").exists()


def test_touches_nothing_it_did_not_write(build: Build, tmp_path: Path) -> None:
    build("a", {"/": "home"})
    (tmp_path / "out" / "en").mkdir(parents=True)
    (tmp_path / "out" / "en" / "thesis.txt").write_text("mine")
    code, output = run(str(tmp_path / "out"))
    assert code == 1
    assert "holds something that no export wrote" in output
    assert (tmp_path / "out" / "en" / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize(("arguments", "message"), [((), "Publish first"), (("--site", "fr"), "Site fr is not live")])
def test_says_what_is_not_live(root: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, output = run(str(tmp_path / "out"), *arguments)
    assert code == 1
    assert message in output
