"""An earlier release is live again and stays, on all sites or on one, until it is resumed."""

from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.commands import resume, rollback
from portolan.config.env import Env

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]


@pytest.fixture(autouse=True)
def own_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in (rollback, resume):
        monkeypatch.setattr(command, "env", lambda: Env(var_dir=root.parent))


@pytest.fixture
def history(build: Build, root: Path) -> None:
    """Release 3 changed en alone, release 2 both, and all show 3."""
    for release, site, name in ((1, "en", "a"), (1, "de", "x"), (2, "en", "b"), (2, "de", "y"), (3, "en", "c")):
        texts = {"/": f"{site} {release}", f"/assets/{name}.js": name}
        build(name, texts, site=site, release=release, age=timedelta(days=5 - release))
    switch_live(root, read_live(root).builds, release=3)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(rollback.command, arguments)
    return result.exit_code, result.output


def live(root: Path, site: str) -> Manifest:
    return read_manifest(root, site, read_live(root).builds[site])


def shown(root: Path) -> dict[str, str]:
    """The release whose files each site shows, by the script that came with it."""
    return {
        site: next(path[8] for path in live(root, site).files if path.startswith("/assets/")) for site in ("en", "de")
    }


def test_what_the_last_release_changed_goes_back_and_nothing_else(history: None, root: Path) -> None:
    code, output = run()
    assert code == 0
    assert shown(root) == {"en": "b", "de": "y"}
    assert read_live(root).builds["de"] == "y"  # release 3 never touched it
    assert set(read_live(root).releases.values()) == {2}
    assert "en: as it was at release 2 (the files of build b" in output
    assert "de: as it was at release 2 (unchanged, build y" in output


def test_open_tabs_of_the_later_build_keep_their_files(history: None, root: Path) -> None:
    run()
    assert "/assets/c.js" not in live(root, "en").files
    assert live(root, "en").file("/assets/c.js")


def test_goes_back_again_and_again(history: None, root: Path) -> None:
    run("--site", "en")
    run("--site", "en")
    assert shown(root) == {"en": "a", "de": "y"}
    assert set(read_live(root).holds) == {"en"}


def test_goes_back_to_a_release(history: None, root: Path) -> None:
    run("--release", "1")
    assert shown(root) == {"en": "a", "de": "x"}


def test_goes_to_a_named_build_also_a_later_one(history: None, root: Path) -> None:
    run("--site", "en", "--to", "a")
    assert run("--site", "en", "--to", "c")[0] == 0
    assert shown(root)["en"] == "c"


def test_stays_until_it_is_resumed(history: None, root: Path) -> None:
    _, output = run()
    assert "On hold: nothing newer goes live there until `portolan resume`." in output
    result = CliRunner().invoke(resume.command, ["--site", "en"])
    assert result.output == "No longer on hold: en. `portolan publish` puts the newest release live.\n"
    assert set(read_live(root).holds) == {"de"}
    again = CliRunner().invoke(resume.command, ["--site", "en"])
    assert again.exit_code == 1
    assert "en is not on hold, so nothing was changed." in again.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "a"), "name it with --site"),
        (("--site", "en", "--to", "a", "--release", "1"), "Name a release or a build"),
        (("--site", "en", "--to", "zz"), "has no build zz; nothing was changed. It has: c, b, a."),
        (("--site", "fr"), "Site fr is not live"),
        (("--site", "de", "--to", "../en/a"), "has no build ../en/a"),
        (("--release", "4"), "Release 4 is newer than what is live on de, en"),
        (("--release", "0"), "Site de has no build before y of release 0 or earlier"),
    ],
)
def test_says_what_was_called_wrongly(history: None, root: Path, arguments: tuple[str, ...], message: str) -> None:
    code, output = run(*arguments)
    assert code != 0
    assert message in output
    assert read_live(root).builds == {"en": "c", "de": "y"}
    assert read_live(root).holds == {}


def test_no_site_moves_where_one_has_nothing_to_go_back_to(history: None, build: Build, root: Path) -> None:
    build("only", {"/": "seul"}, site="fr", release=3)
    code, output = run()
    assert code == 1
    assert "Site fr has no build before only" in output
    assert read_live(root).builds["en"] == "c"


def test_says_that_nothing_is_live(root: Path) -> None:
    code, output = run()
    assert code == 1
    assert "Publish first" in output
