"""The files of a new project, and the command that writes them."""

import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path

import pytest
from click import ClickException
from click.testing import CliRunner, Result

from portolan.commands.init import command, refuse_content
from portolan.config.env import Env
from portolan.publisher.icons import ICON_FILES, build_icons
from portolan.sites.load import read_registry
from portolan.starter.content import languages
from portolan.starter.countries import COUNTRY_SITES
from portolan.starter.project import build_logo


def run(folder: Path, *options: str, answers: str | None = None) -> Result:
    given = [] if answers is not None else ["--yes"]
    return CliRunner().invoke(command, [str(folder), *given, "--files-only", *options], input=answers)


def test_every_ready_site_makes_a_registry_that_is_in_order(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    result = run(
        folder, "--name", 'Say "Acme"', "--sites", ",".join(COUNTRY_SITES), "--domain", "https://Acme.example/"
    )
    assert result.exit_code == 0, result.output
    registry = read_registry(folder / "sites.toml")
    assert list(registry.sites) == list(COUNTRY_SITES)
    assert (registry.company.name, registry.company.slug) == ('Say "Acme"', "say-acme")
    assert registry.sites["de"].origin("production", 8000) == "https://de.acme.example"
    assert registry.sites["en"].origin("local", 8000) == "http://localhost:8000"
    assert [key for key, site in registry.sites.items() if site.dir == "rtl"] == ["ae", "sa"]
    assert registry.sites_granting_unasked() == []
    assert {*build_icons(registry.brand)} == {*ICON_FILES}


def test_a_further_site_in_a_language_stands_by_itself(tmp_path: Path) -> None:
    result = run(tmp_path / "many", "--sites", "us,outlet=us,clearance=us,de", "--domain", "acme.example")
    assert result.exit_code == 0, result.output
    registry = read_registry(tmp_path / "many" / "sites.toml")
    assert [site.language for site in registry.sites.values()] == ["en-US", "en-US", "en-US", "de-DE"]
    assert [site.key for site in registry.alternates_of("us")] == ["us", "de"]
    assert [site.key for site in registry.alternates_of("outlet")] == ["outlet"]
    assert registry.sites["outlet"].origin("production", 8000) == "https://outlet.acme.example"


@pytest.mark.parametrize("sites", ["outlet=xx", "out-let=us", "o=us", "=us"])
def test_a_further_site_needs_a_key_and_a_ready_site(tmp_path: Path, sites: str) -> None:
    result = run(tmp_path / "none", "--sites", sites)
    assert result.exit_code == 1
    assert f"no ready site {sites}" in result.output
    assert not (tmp_path / "none").exists()


def test_every_ready_site_has_texts_in_its_language() -> None:
    assert {site.texts for site in COUNTRY_SITES.values()} == {*languages()}


def test_nothing_of_the_demo_is_in_it(tmp_path: Path) -> None:
    run(tmp_path / "own")
    written = "".join(file.read_text() for file in (tmp_path / "own").rglob("*") if file.is_file()).lower()
    assert "brightmoor" not in written
    assert "compass" not in written
    assert read_registry(tmp_path / "own" / "sites.toml").brand.motif == "dots"


def test_it_asks_for_what_is_not_given(tmp_path: Path) -> None:
    result = run(tmp_path / "asked", answers="Northern Lights\nde,uk\nnorth.example\n#35d0a5\n#0a1f1a\n1999\n")
    assert result.exit_code == 0, result.output
    registry = read_registry(tmp_path / "asked" / "sites.toml")
    assert (registry.company.name, registry.company.default_site) == ("Northern Lights", "de")
    assert (registry.company.founded.year, registry.brand.colours.accent) == (1999, "#35d0a5")
    assert list(registry.sites) == ["de", "uk"]


def test_a_logo_that_is_given_is_the_project_s(tmp_path: Path) -> None:
    logo = tmp_path / "mark.svg"
    logo.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>')
    run(tmp_path / "own", "--logo", str(logo))
    assert (tmp_path / "own" / "logo.svg").read_bytes() == logo.read_bytes()


def test_a_company_without_a_logo_has_a_mark_that_follows_from_its_name() -> None:
    assert build_logo("acme") == build_logo("acme") != build_logo("northern-lights")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--sites", "en,xx"), "There is no ready site xx. Nothing was written"),
        (("--sites", ","), "none was named"),
        (("--domain", "not a domain"), "'not a domain' is not a domain"),
        (("--ground", "#888888"), "choose a darker ground"),
        (("--accent", "blue"), "write colours as #rrggbb"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_written(
    tmp_path: Path, options: tuple[str, str], problem: str
) -> None:
    result = run(tmp_path / "own", *options)
    assert result.exit_code == 1
    assert problem in result.output
    assert not (tmp_path / "own").exists()


def test_somebody_s_project_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "sites.toml").write_text("mine")
    result = run(tmp_path)
    assert "it is a project. Nothing was written" in result.output
    assert (tmp_path / "sites.toml").read_text() == "mine"
    assert [file.name for file in tmp_path.iterdir()] == ["sites.toml"]


def test_the_texts_of_all_languages_say_the_same_things_and_fit() -> None:
    folder = Path(__file__).parents[2] / "portolan" / "starter" / "texts"
    texts = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*.toml")}
    assert len(texts) > 1
    for language, found in texts.items():
        assert list(found) == list(texts["en"]), language
        for key, text in found.items():
            if key.endswith("_description"):
                assert 50 <= len(text) <= 160, (language, key)
            assert text.strip() == text != "", (language, key)


def test_a_database_with_somebody_s_releases_is_left_alone(tmp_path: Path) -> None:
    settings = Env(database_url=f"sqlite:///{tmp_path}/theirs.sqlite3")
    with closing(sqlite3.connect(tmp_path / "theirs.sqlite3")) as database:
        refuse_content(settings)  # it has no tables: a new one
        database.execute("CREATE TABLE releases_release (number integer)")
        database.commit()
        refuse_content(settings)
        database.execute("INSERT INTO releases_release VALUES (7)")
        database.commit()
    with pytest.raises(ClickException, match="the newest is 7"):
        refuse_content(settings)


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Über Acme", "uber-acme"), ("Łódź Œuvre", "lodz-oeuvre"), ("東京", "dongjing"), ("😀", "company")],
)
def test_the_short_name_of_a_company_keeps_its_letters(tmp_path: Path, name: str, slug: str) -> None:
    assert run(tmp_path / "one", "--name", name, "--sites", "en").exit_code == 0
    assert read_registry(tmp_path / "one" / "sites.toml").company.slug == slug
