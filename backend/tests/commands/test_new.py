"""``portolan new block``."""

import ast
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
    folder = project / "acme_works_blocks"
    assert {file.name for file in folder.iterdir()} == {
        "__init__.py",
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
    assert load.read_registry(project / "sites.toml").plugins == ["acme_works_blocks"]


def test_further_ones_join_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("price_table")
    before = (project / "sites.toml").read_text()
    monkeypatch.setattr(load, "_in_force", {})  # another process
    assert run("map").exit_code == 0
    assert (project / "sites.toml").read_text() == before
    listed = (project / "acme_works_blocks/__init__.py").read_text()
    assert "from .price_table import PriceTableBlock\nfrom .map import MapBlock\n" in listed
    assert "BLOCKS = (MapBlock, PriceTableBlock,)" in listed
    assert run("quiz", "--plugin", "games").exit_code == 0
    assert 'plugins = ["acme_works_blocks", "games"]\n' in (project / "sites.toml").read_text()


@pytest.mark.parametrize("name", ["Price", "price-table", "2nd", "a__b", "../x"])
def test_a_name_that_python_or_files_could_not_have_is_refused(project: Path, name: str) -> None:
    result = run(name)
    assert result.exit_code == 1
    assert "cannot be its name, so nothing was written" in result.output
    assert not (project / "acme_works_blocks").exists()


def test_what_is_there_stays(project: Path) -> None:
    run("price_table")
    (project / "acme_works_blocks/price_table.py").write_text("mine")
    assert "is there already, so nothing was written" in run("price_table").output
    assert (project / "acme_works_blocks/price_table.py").read_text() == "mine"
