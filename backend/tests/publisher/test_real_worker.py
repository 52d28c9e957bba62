"""The real render worker: content to HTML, and incremental equal to full."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import brotli
import orjson
import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.builds.store import ContentStore
from portolan.publisher.addresses import Addresses
from portolan.publisher.publish import Publisher
from portolan.publisher.render_worker import worker_command
from portolan.publisher.renderer import RenderPool
from portolan.publisher.web_build import load_web_build
from portolan.releases.reader import open_reader
from portolan.sites.registry import Registry

from .conftest import ROOT
from .release_book import ReleaseBook

SITES = ("en", "de", "ae")
Publish = Callable[[str], dict[str, Manifest]]
"""Publish into a folder of this name. Return the live manifests."""


@pytest.fixture
def publish(registry: Registry, book: ReleaseBook, media: Path, tmp_path: Path) -> Iterator[Publish]:
    web = load_web_build(ROOT / "web" / "dist")
    pools = []

    def run(name: str) -> dict[str, Manifest]:
        pool = RenderPool(worker_command(web.worker), workers=1)
        pools.append(pool)
        publisher = Publisher(
            Addresses(registry, "local", 8000), open_reader(book.url), web, tmp_path / name, media, pool
        )
        publisher.publish()
        publisher.close()
        live = read_live(tmp_path / name).builds
        return {site: read_manifest(tmp_path / name, site, live[site]) for site in SITES}

    yield run
    for pool in pools:
        pool.close()


def test_incremental_build_of_real_pages_equals_a_full_one(publish: Publish, book: ReleaseBook, tmp_path: Path) -> None:
    book.release()
    first = publish("incremental")
    store = ContentStore(tmp_path / "incremental")
    html = store.read(first["ae"].files["/about-us"].digest)
    copy = store.read(first["ae"].files["/about-us"].digest, "br")
    assert html and copy
    assert brotli.decompress(copy) == html
    assert b'<html lang="ar-AE" dir="rtl"' in html
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.content["en", "page", "contact"]["path"] = "/contact"
    book.content["ae", "office", "london"]["value"]["phone"] = "+44 20 7946 0999"
    book.release()
    incremental = publish("incremental")
    full = publish("full")
    for site in SITES:
        assert incremental[site].files == full[site].files
        assert incremental[site].html_headers == full[site].html_headers
    for site in SITES:
        for part in ("menu", "footer"):
            book.content[site, part, "main"] = _retitled(book.content[site, part, "main"])
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2008"
    # One word of the frame, and one of the page's own switcher.
    book.content["ae", "words", "main"] = {"words": {"homePage": {"$verbatim": "{company} البداية"}}}
    book.content["en", "words", "main"] = {"words": {"chooseLanguage": "Pick a language"}}
    book.release()
    spliced = publish("incremental")
    full = publish("full again")
    for site in SITES:
        assert spliced[site].files == full[site].files
        assert spliced[site].files["/"] != incremental[site].files["/"]
    assert "Brightmoor البداية" in store.read(spliced["ae"].files["/about-us"].digest).decode()  # type: ignore[union-attr]
    assert "Pick a language" in store.read(spliced["en"].files["/about-us"].digest).decode()  # type: ignore[union-attr]
    # A rendered page comes with its compressed copy. A reframed one is compressed later in the background.
    files = spliced["de"].files
    assert [store.encodings(files[path].digest) for path in ("/", "/about-us", "/contact-us")] == [
        {"br"},
        {"br"},
        set(),
    ]


def _retitled(body: Any) -> Any:
    """Change every title, and add more."""
    return orjson.loads(orjson.dumps(body).replace(b'"title":"', b'"title":"\xd9\x8a &<'))
