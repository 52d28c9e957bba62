"""The live sites as plain files."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.commands import export
from portolan.config.env import Env
from portolan.sites.load import load_registry

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def own_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "env", lambda: Env(var_dir=root.parent))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(export.command, arguments)
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def hosts(root: Path) -> None:
    write_hosts(root, build_hosts(load_registry(ROOT / "sites.toml"), "production", 8000))


def test_writes_each_site_into_a_folder_and_brings_it_up_to_date(build: Build, root: Path, tmp_path: Path) -> None:
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
    assert run(str(target), "--site", "en") == (0, f"en: 4 files in {target}/en (1 written, 1 removed)\n")
    assert (target / "en" / "index.html").read_text() == "home again"
    assert not (target / "en" / "about-us").exists()


def test_hosts_are_told_where_the_files_will_lie_and_of_every_exported_site(build: Build, tmp_path: Path) -> None:
    build("a", {"/": "home"})
    build("x", {"/": "start"}, site="de")
    target = tmp_path / "out"
    assert run(str(target), "--site", "en", "--place", "/srv/www/")[0] == 0
    assert run(str(target), "--site", "de", "--place", "/srv/www/", "--pages", "files")[0] == 0
    for site in ("en", "de"):
        assert f'root "/srv/www/{site}";' in (target / f"{site}.nginx.server.conf").read_text()
        assert f'root * "/srv/www/{site}"' in (target / f"{site}.caddy").read_text()
        assert f'include "/srv/www/{site}.nginx.maps.conf";' in (target / "nginx.conf").read_text()
        origin = load_registry(ROOT / "sites.toml").sites[site].origin("production", 8000)
        assert f"server_name {origin.removeprefix('https://')};" in (target / "nginx.conf").read_text()
        assert f"{origin} {{" in (target / "Caddyfile").read_text()


def test_touches_nothing_it_did_not_write(build: Build, tmp_path: Path) -> None:
    build("a", {"/": "home"})
    (tmp_path / "out" / "en").mkdir(parents=True)
    (tmp_path / "out" / "en" / "thesis.txt").write_text("mine")
    code, output = run(str(tmp_path / "out"))
    assert code == 1
    assert "has files that are not from an export" in output
    assert (tmp_path / "out" / "en" / "thesis.txt").read_text() == "mine"


@pytest.mark.parametrize(("arguments", "message"), [((), "Publish first"), (("--site", "fr"), "Site fr is not live")])
def test_says_what_is_not_live(root: Path, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    code, output = run(str(tmp_path / "out"), *arguments)
    assert code == 1
    assert message in output
