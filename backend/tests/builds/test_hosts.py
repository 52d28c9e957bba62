from dataclasses import replace
from pathlib import Path

import pytest

from portolan.builds.hosts import build_hosts, host_of, read_hosts, write_hosts
from portolan.sites.load import load_registry

REGISTRY = load_registry(Path(__file__).parents[3] / "sites.toml")


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://localhost:8000", "localhost:8000"),
        ("http://De.Localhost:80", "de.localhost"),
        ("https://brightmoor.example:443", "brightmoor.example"),
        ("https://brightmoor.example:80", "brightmoor.example:80"),
    ],
)
def test_host_is_what_a_browser_sends(origin: str, host: str) -> None:
    assert host_of(origin) == host


def test_every_site_has_its_host_and_comes_back_from_the_file(root: Path) -> None:
    hosts = build_hosts(REGISTRY, "local", 8123)
    write_hosts(root, hosts)
    assert replace(read_hosts(root), number=0) == hosts
    assert hosts.hosts["localhost:8123"] == "en"
    assert hosts.studio == "studio.localhost:8123"
    assert set(hosts.hosts.values()) == set(REGISTRY.sites)
    assert not hosts.sites["ae"].noindex
    assert hosts.sites["ae"].dir == "rtl"


def test_what_a_site_takes_from_third_parties_comes_back_too(root: Path) -> None:
    hosts = build_hosts(REGISTRY, "local", 8123)
    third_party = ("https://cdn.example/a.js", "https://cdn.example/b.js")
    site = hosts.sites["en"]._replace(third_party=third_party, worker_sources=("https://tags.example",))
    write_hosts(root, replace(hosts, sites={**hosts.sites, "en": site}))
    assert read_hosts(root).sites["en"] == site


def test_staging_is_closed_to_search_engines() -> None:
    sites = build_hosts(REGISTRY, "staging", 80).sites
    assert {key: site.noindex for key, site in sites.items()} == dict.fromkeys(REGISTRY.sites, True)


def test_unchanged_hosts_are_not_written_again(root: Path) -> None:
    hosts = build_hosts(REGISTRY, "local", 8123)
    write_hosts(root, hosts)
    before = (root / "hosts.json").stat()
    write_hosts(root, hosts)
    assert (root / "hosts.json").stat().st_ino == before.st_ino
