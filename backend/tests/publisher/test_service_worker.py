"""`/sw.js` of each site: the web build's script, which version of the offline page it keeps, and the switch."""

from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import File, read_manifest
from portolan.builds.store import ContentStore
from portolan.publisher.addresses import Addresses
from portolan.publisher.service_worker import build_service_worker
from portolan.publisher.web_build import WebBuild
from portolan.sites.registry import Registry

from .conftest import MakePublisher
from .release_book import ReleaseBook, page

OFFLINE = ("en", "page", "offline")


def read_worker(builds: Path, site: str = "en") -> str:
    manifest = read_manifest(builds, site, read_live(builds).builds[site])
    file = manifest.files["/sw.js"]
    assert file.content_type == "text/javascript; charset=utf-8"
    script = ContentStore(builds).read(file.digest)
    assert script is not None
    return script.decode()


def switched_off(registry: Registry, company: str = "on", **sites: str) -> Registry:
    return registry.model_copy(
        update={
            "company": registry.company.model_copy(update={"service_worker": company}),
            "sites": {
                key: site.model_copy(update={"service_worker": sites.get(key, "on")})
                for key, site in registry.sites.items()
            },
        }
    )


def test_it_changes_with_the_offline_page_and_with_no_other(
    make_publisher: MakePublisher, book: ReleaseBook, tmp_path: Path
) -> None:
    builds, publisher = tmp_path / "builds", make_publisher()
    book.content[OFFLINE] = page("/offline.html", "No connection")
    book.release()
    publisher.publish()
    manifest = read_manifest(builds, "en", read_live(builds).builds["en"])
    first = read_worker(builds)
    assert first == f'self.OFFLINE_PAGE="{manifest.files["/offline.html"].digest}";\nworker on'

    book.content["en", "page", "about"]["blocks"][0]["title"] = "Since 2007"
    book.release()
    publisher.publish()
    assert read_worker(builds) == first

    book.content[OFFLINE]["blocks"][0]["title"] = "Out of sight of land"
    book.release()
    publisher.publish()
    assert read_worker(builds) != first


def test_a_site_without_an_offline_page_has_a_worker_all_the_same(
    make_publisher: MakePublisher, book: ReleaseBook, tmp_path: Path
) -> None:
    book.release()
    make_publisher().publish()
    assert read_worker(tmp_path / "builds") == 'self.OFFLINE_PAGE="";\nworker on'


@pytest.mark.parametrize(
    ("company", "sites", "on"),
    [
        ("on", {}, ["en", "de", "ae"]),
        ("on", {"de": "off"}, ["en", "ae"]),
        ("off", {}, []),
        ("off", {"de": "on"}, []),
    ],
)
def test_the_registry_switches_it_off(
    registry: Registry, web: WebBuild, company: str, sites: dict[str, str], on: list[str]
) -> None:
    addresses = Addresses(switched_off(registry, company, **sites), "local", 8000)
    offline = File("a" * 32, "text/html; charset=utf-8", 10)
    workers = {site: build_service_worker(site, web, offline, addresses) for site in registry.sites}
    for site, script in workers.items():
        assert addresses.registry.has_service_worker(site) is (site in on)
        assert script == (b'self.OFFLINE_PAGE="%s";\nworker on' % (b"a" * 32) if site in on else b"worker off")


def test_a_web_build_without_one_gives_sites_none(web: WebBuild, addresses: Addresses) -> None:
    assert build_service_worker("en", web._replace(service_workers={}), None, addresses) is None
