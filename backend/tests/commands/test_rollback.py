"""Earlier builds are put live again, for all sites or for one."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.live import read_live
from portolan.commands import rollback
from portolan.config.env import Env

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]


@pytest.fixture(autouse=True)
def own_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollback, "env", lambda: Env(var_dir=root.parent))


@pytest.fixture
def history(build: Build) -> None:
    for name in ("a", "b", "c"):
        build(name, {"/": name})
    for name in ("x", "y"):
        build(name, {"/": name}, site="de")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(rollback.command, arguments)
    return result.exit_code, result.output


def test_every_site_goes_back_by_one_build(history: None, root: Path) -> None:
    code, output = run()
    assert code == 0
    assert read_live(root) == {"en": "b", "de": "x"}
    assert "en: build b is live (release 1" in output


def test_one_site_goes_back_again_and_again(history: None, root: Path) -> None:
    run("--site", "en")
    run("--site", "en")
    assert read_live(root) == {"en": "a", "de": "y"}


def test_goes_to_a_named_build_also_a_later_one(history: None, root: Path) -> None:
    run("--site", "en", "--to", "a")
    assert run("--site", "en", "--to", "c")[0] == 0
    assert read_live(root)["en"] == "c"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "a"), "name it with --site"),
        (("--site", "en", "--to", "zz"), "has no build zz; nothing was changed. It has: c, b, a."),
        (("--site", "fr"), "Site fr is not live"),
        (("--site", "de", "--to", "../en/a"), "has no build ../en/a"),
    ],
)
def test_says_what_was_called_wrongly(history: None, root: Path, arguments: tuple[str, ...], message: str) -> None:
    code, output = run(*arguments)
    assert code != 0
    assert message in output
    assert read_live(root) == {"en": "c", "de": "y"}


def test_no_site_moves_where_one_has_nothing_to_go_back_to(history: None, build: Build, root: Path) -> None:
    build("only", {"/": "seul"}, site="fr")
    code, output = run()
    assert code == 1
    assert "Site fr has no build before only" in output
    assert read_live(root)["en"] == "c"


def test_says_that_nothing_is_live(root: Path) -> None:
    code, output = run()
    assert code == 1
    assert "Publish first" in output
