"""Edits to the site configuration of a running process."""

from pathlib import Path

import pytest

from portolan.commands.registry_watch import RegistryWatch
from portolan.config.env import Env

ROOT = Path(__file__).parents[3]


@pytest.fixture
def given(tmp_path: Path) -> Env:
    file = tmp_path / "sites.toml"
    file.write_bytes((ROOT / "sites.toml").read_bytes())
    return Env(sites_file=file)


def test_another_registry_is_followed_once_it_has_stood_still_and_a_broken_one_is_not(given: Env) -> None:
    followed: list[str] = []
    said: list[str] = []
    watch = RegistryWatch(given, lambda: followed.append(given.registry.sites["de"].consent.profile), said.append)
    good = given.sites_file.read_text(encoding="utf-8")

    def write(text: str) -> None:
        given.sites_file.write_text(text, encoding="utf-8")

    watch.look()
    write(good.replace('profile = "spec"', 'profile = "strict"'))
    watch.look()
    assert not followed, "somebody may still be writing it"
    watch.look()
    assert followed == ["strict"]
    watch.look()
    assert followed == ["strict"], "it is in force now"
    write(good.replace('dir = "rtl"', 'dir = "up"'))
    for _ in range(3):
        watch.look()
    assert (len(followed), len(said)) == (1, 1)
    assert "'up' is not known" in said[0]
    assert "the previous site configuration is used" in said[0]
    assert given.registry.sites["de"].consent.profile == "strict"
    write(good)
    for _ in range(3):
        watch.look()
    assert followed == ["strict", "spec"]
