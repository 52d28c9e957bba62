"""Each page has an image for social networks. Each distinct image is drawn once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.builds.store import ContentStore
from portolan.publisher.problem import PublishError
from portolan.publisher.publish import Publisher
from portolan.publisher.sharing import describe_picture
from portolan.publisher.web_build import WebBuild

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook

SHOWN: dict[str, Any] = {
    "title": "Berth plans",
    "label": "Services",
    "company": "Brightmoor",
    "language": "en",
    "direction": "ltr",
    "motif": 7,
    "drawing": "d1",
}


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({}, True),
        ({"language": "en-GB"}, True),
        ({"title": "Berth plan"}, False),
        ({"label": ""}, False),
        ({"language": "az"}, False),
        ({"direction": "rtl"}, False),
        ({"motif": 8}, False),
        ({"drawing": "d2"}, False),
    ],
)
def test_picture_is_named_by_what_it_shows(change: dict[str, Any], is_same: bool) -> None:
    assert (describe_picture(**SHOWN | change).path == describe_picture(**SHOWN).path) is is_same


@pytest.fixture
def renderer() -> FakeRenderer:
    return FakeRenderer()


Publish = Callable[..., Publisher]


@pytest.fixture
def make(make_publisher: MakePublisher, web: WebBuild, renderer: FakeRenderer) -> Publish:
    """Make a publisher whose web build can draw."""
    return lambda drawing="d1": make_publisher(renderer, web=web._replace(drawing=drawing))


@pytest.fixture
def publisher(make: Publish, book: ReleaseBook, renderer: FakeRenderer) -> Publisher:
    publisher = make()
    book.release()
    publisher.publish()
    return publisher


def live(tmp_path: Path, site: str) -> Manifest:
    builds = tmp_path / "builds"
    return read_manifest(builds, site, read_live(builds).builds[site])


def pictures(tmp_path: Path, site: str) -> set[str]:
    return {path for path in live(tmp_path, site).files if path.startswith("/assets/sharing-")}


def test_every_page_but_error_pages_has_its_own(publisher: Publisher, renderer: FakeRenderer, tmp_path: Path) -> None:
    assert {site: len(pictures(tmp_path, site)) for site in ("en", "de", "ae")} == {"en": 5, "de": 5, "ae": 4}
    assert not [path for _, path in renderer.drawn if path.endswith(".html")]
    builds, manifest = ContentStore(tmp_path / "builds"), live(tmp_path, "ae")
    html = builds.read(manifest.files["/about-us"].digest)
    assert html
    (name,) = [name for name in pictures(tmp_path, "ae") if f"http://ae.localhost:8000{name}".encode() in html]
    drawn = builds.read(manifest.files[name].digest)
    assert drawn
    shown = orjson.loads(drawn.removeprefix(b"JPEG of "))
    assert (shown["title"], shown["dir"], shown["lang"]) == ("About ae at Brightmoor", "rtl", "ar")
    assert manifest.files[name].content_type == "image/jpeg"


def test_unchanged_title_costs_nothing(
    publisher: Publisher, make: Publish, book: ReleaseBook, renderer: FakeRenderer, tmp_path: Path
) -> None:
    before = pictures(tmp_path, "de")
    renderer.drawn.clear()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    publisher.publish()
    make().publish(full=True)
    assert renderer.drawn == []
    assert pictures(tmp_path, "de") == before


def test_new_title_is_drawn_and_the_old_picture_stays_for_who_has_its_address(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, tmp_path: Path
) -> None:
    before = pictures(tmp_path, "de")
    renderer.drawn.clear()
    book.content["de", "page", "about"]["head"]["title"] = "Wer wir sind"
    book.release()
    publisher.publish()
    assert renderer.drawn == [("de", "/about-us")]
    (gone,) = before - pictures(tmp_path, "de")
    assert live(tmp_path, "de").file(gone)
    renderer.drawn.clear()
    book.content["de", "page", "about"]["head"]["title"] = "About de at {company}"
    book.release()
    publisher.publish()
    assert renderer.drawn == [], "it is there still"
    assert pictures(tmp_path, "de") == before


def test_drawn_anew_where_it_is_drawn_otherwise(
    publisher: Publisher, make: Publish, renderer: FakeRenderer, tmp_path: Path
) -> None:
    before = pictures(tmp_path, "en")
    renderer.drawn.clear()
    make("d2").publish(full=True)
    assert len(renderer.drawn) == 14
    assert not before & pictures(tmp_path, "en")


def test_picture_that_cannot_be_drawn_keeps_the_page_from_going_live(
    publisher: Publisher, book: ReleaseBook, tmp_path: Path
) -> None:
    before = live(tmp_path, "de").build
    book.content["de", "page", "about"]["head"]["title"] = "undrawable"
    book.release()
    with pytest.raises(PublishError, match=r"de, “About de” \(/about-us\): could not be rendered: out of ink"):
        publisher.publish()
    assert live(tmp_path, "de").build == before


def test_a_picture_that_pages_share_stays_until_the_last_of_them_has_another(
    make: Publish, book: ReleaseBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portolan.publisher.page_content.crc32", lambda key: 7)  # usually each page has its own pattern
    pages = [book.content["de", "page", key] for key in ("about", "contact")]
    for body in pages:
        body["head"]["title"] = "The same"
    publisher = make()
    book.release()
    publisher.publish()
    shared = pictures(tmp_path, "de")
    for number, body in enumerate(pages):
        body["head"]["title"] = f"Another {number}"
        book.release()
        publisher.publish()
        gone = shared - pictures(tmp_path, "de")
        assert len(gone) == number
