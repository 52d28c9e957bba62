"""Commands of ``portolan releases`` that change the database."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.commands import releases as command_module
from portolan.config.env import Env
from portolan.config.project import ROOT
from portolan.releases.connection import connected_reader
from portolan.releases.models import Release, ReleaseRoute

from .conftest import World

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found = Env(sites_file=ROOT / "sites.toml", var_dir=tmp_path)
    monkeypatch.setattr(command_module, "env", lambda: found)
    monkeypatch.setattr(command_module, "open_reader", lambda url: connected_reader())


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(command_module.command, arguments)
    return done.exit_code, done.output


def change_phone(world: World, phone: str) -> Release:
    world.office.phone = phone
    world.office.save()
    release = world.snapshot()
    assert release
    return release


def test_index_is_written_anew_from_the_items(world: World) -> None:
    route = ReleaseRoute.objects.filter(site="en", path="/about-us")
    route.update(path="/lost")
    assert connected_reader().check_index()
    assert run("index")[0] == 0
    assert route.count() == 1
    assert connected_reader().check_index() == []


def test_revert_restores_the_values_before_the_release(world: World) -> None:
    before = world.office.phone
    number = change_phone(world, "+1 214-555-0199").number
    code, said = run("revert", str(number), "--dry-run")
    assert (code, "Nothing changed. To revert" in said) == (0, True)
    assert connected_reader().latest() == number
    code, said = run("revert", str(number))
    assert (code, f"Release {number + 1} reverts them" in said) == (0, True)
    world.office.refresh_from_db()
    assert world.office.phone == before


def test_prune_removes_old_releases_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("portolan.publisher.retention._ALWAYS_KEPT", 1)
    change_phone(world, "+1 214-555-0199")
    Release.objects.update(created_at="2020-01-01T00:00:00Z")
    newest = change_phone(world, "+1 214-555-0200").number
    assert "days" in run("prune")[1]
    code, said = run("prune", "--days", "30", "--dry-run")
    assert (code, "Nothing changed" in said) == (0, True)
    assert Release.objects.count() == newest
    code, said = run("prune", "--days", "30", "--yes")
    assert (code, "Removed data that only releases before" in said) == (0, True)
    assert Release.objects.count() < newest
    assert connected_reader().latest() == newest
