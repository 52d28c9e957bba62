from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.commands import sites as command_module
from portolan.commands.main import main
from portolan.config.env import Env
from portolan.content.site_records import SiteRecord

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def with_registry(monkeypatch):
    def use(file: Path) -> None:
        monkeypatch.setattr(command_module, "env", lambda: Env(sites_file=file, port=8000))

    return use


def call(*arguments: str):
    return CliRunner().invoke(main, ["sites", *arguments])


def test_check_is_content_with_the_products_registry(with_registry):
    with_registry(ROOT / "sites.toml")
    result = call("check")
    assert result.exit_code == 0
    assert "is valid: 8 sites" in " ".join(result.output.split())


def test_check_names_all_problems_and_fails(with_registry):
    with_registry(ROOT / "fixtures" / "invalid" / "every-kind-at-once.toml")
    result = call("check")
    assert result.exit_code == 1
    assert "4 problems" in result.output
    assert "company.default_site: no site 'com'" in result.output


def test_list_shows_every_site_with_its_address(with_registry):
    with_registry(ROOT / "sites.toml")
    result = call("list")
    for address in ("http://localhost:8000", "http://de.localhost:8000", "http://studio.localhost:8000"):
        assert address in result.output.replace("\n", "")


@pytest.mark.django_db
def test_sync_says_what_it_changed_and_then_that_nothing_is_left(with_registry):
    with_registry(ROOT / "sites.toml")
    first, second = call("sync"), call("sync")
    assert first.exit_code == second.exit_code == 0
    assert first.output.count("created:") == 8
    assert "matches sites.toml: 8 sites" in second.output
    assert SiteRecord.objects.count() == 8
