from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.store import ContentStore, digest_of
from portolan.commands import verify
from portolan.config.env import Env

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]


@pytest.fixture(autouse=True)
def own_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "env", lambda: Env(var_dir=root.parent))


def test_whole_builds_pass(build: Build) -> None:
    build("a", {"/": "home"})
    build("a", {"/": "start"}, site="de")
    result = CliRunner().invoke(verify.command)
    assert (result.exit_code, result.output) == (0, "2 builds checked: every file is as it was published.\n")


def test_a_damaged_file_of_an_earlier_build_is_found_with_all(root: Path, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    build("b", {"/": "home"})
    Path(ContentStore(root).path(digest_of(b"about"))).unlink()
    assert CliRunner().invoke(verify.command).exit_code == 0
    result = CliRunner().invoke(verify.command, ["--all"])
    assert result.exit_code == 1
    assert "en a /about-us" in result.output
    assert "1 files of 2 builds" in result.output


def test_a_site_that_is_not_live_is_named(build: Build) -> None:
    build("a", {"/": "home"})
    result = CliRunner().invoke(verify.command, ["--site", "fr"])
    assert result.exit_code == 1
    assert "Not live, so there is nothing to check: fr" in result.output
