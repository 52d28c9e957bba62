"""``portolan purge``, with a server that records requests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.commands import purge
from portolan.commands.purge import purge_after, purge_lock
from portolan.config.env import Env

from ..builds.conftest import Build, build, root
from ..cdn.test_backends import Provider, provider

__all__ = ["build", "provider", "root"]

REGISTRY = Path(__file__).parents[3] / "sites.toml"
FRONT = '\n[[cdns]]\nname = "front"\nkind = "http"\ncountry = "cdn"\nenvironments = ["local"]\nurls = ["{url}"]\n'


@pytest.fixture
def product(root: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Env]:
    file = root.parent / "sites.toml"
    file.write_text(REGISTRY.read_text() + FRONT.format(url=provider.url))
    made = Env(var_dir=root.parent, sites_file=file)
    monkeypatch.setattr(purge, "env", lambda: made)
    yield made


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(purge.command, arguments)
    return result.exit_code, result.output


def asked(provider: Provider) -> list[str]:
    found = [f"{headers['host']}{path}" for _, path, headers, _ in provider.asked]
    provider.asked.clear()
    return found


def test_purges_what_has_changed_since_the_last_time(product: Env, provider: Provider, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    assert run("--all") == (0, "Purged at front: 3 URLs.\n")
    assert asked(provider) == ["localhost:8000/*", "localhost:8000/", "localhost:8000/about-us"]
    build("b", {"/": "home", "/about-us": "about 2"})
    assert run()[0] == 0
    assert asked(provider) == ["localhost:8000/about-us"]
    assert run()[0] == 0


def test_a_failure_is_its_exit_code_and_says_that_the_sites_are_live(
    product: Env, provider: Provider, build: Build
) -> None:
    provider.status = 503
    build("a", {"/": "home"})
    code, output = run()
    assert code == 1
    assert "503" in output and "The release is live" in output


def test_a_publish_purges_unless_a_process_that_stays_does_and_never_fails(
    product: Env, provider: Provider, build: Build, capsys: pytest.CaptureFixture[str]
) -> None:
    build("a", {"/": "home"})
    with purge_lock(product.builds_dir, wait=True):
        purge_after(product)
    assert asked(provider) == []
    provider.status = 500
    purge_after(product)
    assert asked(provider)[0] == "localhost:8000/*"
    assert "Not purged at front" in capsys.readouterr().out


def test_without_a_cdn_there_is_nothing_to_do(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Env(var_dir=root.parent, sites_file=REGISTRY)
    monkeypatch.setattr(purge, "env", lambda: settings)
    code, output = run()
    assert (code, "names no CDN" in output) == (1, True)
    purge_after(settings)
    assert not root.exists()
