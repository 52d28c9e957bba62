"""``portolan new``."""

import ast
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from portolan.commands import init, new
from portolan.config.env import Env
from portolan.sites import load


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own"
    done = CliRunner().invoke(init.command, [str(folder), "--name", "Acme Works", "--yes", "--files-only"])
    assert done.exit_code == 0, done.output
    monkeypatch.setattr(new, "env", lambda: Env(sites_file=folder / "sites.toml"))
    return folder


def run(name: str, *options: str) -> Result:
    return CliRunner().invoke(new.command, ["block", name, *options])


def test_a_block_is_form_component_and_styles_in_the_company_s_plugin(project: Path) -> None:
    assert run("price_table").exit_code == 0
    folder = project / "acme_works_plugin"
    assert {file.name for file in folder.iterdir()} == {
        "__init__.py",
        "blocks.py",
        "tsconfig.json",
        "price_table.py",
        "price_table.block.tsx",
        "price_table.module.css",
    }
    classes = [
        node.name
        for node in ast.walk(ast.parse((folder / "price_table.py").read_text()))
        if isinstance(node, ast.ClassDef)
    ]
    assert "PriceTableBlock" in classes
    assert "$" not in (folder / "price_table.block.tsx").read_text()
    assert load.read_registry(project / "sites.toml").plugins == ["acme_works_plugin"]


def test_further_ones_join_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("price_table")
    before = (project / "sites.toml").read_text()
    monkeypatch.setattr(load, "_in_force", {})  # another process
    assert run("map").exit_code == 0
    assert (project / "sites.toml").read_text() == before
    listed = (project / "acme_works_plugin/blocks.py").read_text()
    assert "from .price_table import PriceTableBlock\nfrom .map import MapBlock\n" in listed
    assert "BLOCKS = (MapBlock, PriceTableBlock,)" in listed
    assert run("quiz", "--plugin", "games").exit_code == 0
    assert 'plugins = ["acme_works_plugin", "games"]\n' in (project / "sites.toml").read_text()


@pytest.mark.parametrize("name", ["Price", "price-table", "2nd", "a__b", "../x"])
def test_a_name_that_python_or_files_could_not_have_is_refused(project: Path, name: str) -> None:
    result = run(name)
    assert result.exit_code == 1
    assert "is not a valid name. Nothing was written" in result.output
    assert not (project / "acme_works_plugin").exists()


def test_what_is_there_stays(project: Path) -> None:
    run("price_table")
    (project / "acme_works_plugin/price_table.py").write_text("mine")
    assert "exists. Nothing was written" in run("price_table").output
    assert (project / "acme_works_plugin/price_table.py").read_text() == "mine"


def test_a_page_family_is_page_layout_and_migration(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def migrate(command: list[str], **kwargs: object) -> "subprocess.CompletedProcess[str]":
        asked.append(command)
        folder = project / "acme_works_plugin/migrations"
        folder.mkdir()
        (folder / "0001_care_plan.py").touch()
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(new.subprocess, "run", migrate)
    result = CliRunner().invoke(new.command, ["page-type", "care_plan"])
    assert result.exit_code == 0, result.output
    assert "acme_works_plugin/migrations/0001_care_plan.py" in result.output
    assert asked[0][-6:] == ["makemigrations", "acme_works_plugin", "-n", "care_plan", "--verbosity", "0"]
    folder = project / "acme_works_plugin"
    assert "import CarePlanPage as CarePlanPage" in (folder / "models.py").read_text()
    page = (folder / "care_plan.py").read_text()
    assert "$" not in page
    assert 'page_type = "care-plan"' in page
    for file in ("care_plan.layout.tsx", "care_plan.layout.module.css", "__init__.py", "tsconfig.json"):
        assert (folder / file).exists()
    assert load.read_registry(project / "sites.toml").plugins == ["acme_works_plugin"]
