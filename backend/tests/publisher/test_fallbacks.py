"""Test pages that a site shows in its source's language: their content, links to them, and reasons to render them."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.builds.store import ContentStore
from portolan.domain.redirects import Redirect
from portolan.publisher.publish import Publisher

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, add_article, page, rich_text, show_fallbacks

CONTACT = "/contact-us"
LINKS = '<p><a data-page="web" data-anchor="only-english">Web</a> <a data-page="extra" data-anchor="part">More</a></p>'
NEWS = "/company/insights/article-1"


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "builds"


@pytest.fixture
def renderer() -> FakeRenderer:
    return FakeRenderer()


@pytest.fixture
def publisher(make_publisher: MakePublisher, renderer: FakeRenderer, book: ReleaseBook) -> Publisher:
    """A publisher whose Arabic site shows two English pages: the contact page and an article."""
    add_article(book, "en", 1)
    book.content["en", "page", "web"]["blocks"].append(rich_text("<p>In detail</p>", "only-english"))
    book.content["en", "page", "extra"] = page("/extra", blocks=[rich_text("<p>In detail</p>", "part")])
    book.content["en", "page", "insights"] = page("/company/insights", "Insights", blocks=[news_list()])
    book.content["en", "page", "contact"]["blocks"].append(rich_text(LINKS))
    show_fallbacks(book, "ae")
    book.release()
    publisher = make_publisher(renderer)
    publisher.publish()
    renderer.rendered.clear()
    return publisher


def test_a_fallback_has_the_original_as_canonical_and_is_named_by_nothing(publisher: Publisher, builds: Path) -> None:
    shown = content(builds, "ae", CONTACT)
    assert shown["fallback"] == {"lang": "en", "dir": "ltr", "dateLocale": "en-GB"}
    assert shown["head"]["canonical"] == "http://localhost:8000/contact-us"
    assert shown["head"]["alternates"] == []
    assert shown["head"]["ogLocale"] == content(builds, "en", CONTACT)["head"]["ogLocale"]
    assert {link["site"]: link["href"] for link in shown["switcher"] if link["current"]} == {"ae": CONTACT}
    original = content(builds, "en", CONTACT)
    assert "fallback" not in original
    assert {alternate["site"] for alternate in original["head"]["alternates"]} == {"en", "de"}
    assert "http://ae.localhost:8000" in {link["href"] for link in original["switcher"]}
    assert CONTACT not in served(builds, "ae", "/sitemap.xml")
    assert "ae.localhost" not in re.findall(f"<url><loc>[^<]*{CONTACT}.*", served(builds, "en", "/sitemap.xml"))[0]


def test_links_of_the_site_and_of_the_fallback_stay_on_the_site(publisher: Publisher, builds: Path) -> None:
    assert f'href="{CONTACT}"' in served(builds, "ae", "/services/web-development")
    shown = served(builds, "ae", CONTACT)
    assert 'href="/services/web-development"' in shown, "the Arabic page lacks the anchor of the English one"
    assert 'href="/extra#part"' in shown
    assert 'href="/services/web-development#only-english"' in served(builds, "en", CONTACT)


def test_a_change_of_the_source_renders_its_fallback_and_nothing_else(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    book.content["en", "page", "contact"]["blocks"][0]["title"] = "Talk to us"
    show_fallbacks(book, "ae")
    book.release()
    publisher.publish()
    assert sorted(renderer.rendered) == [("ae", CONTACT), ("en", CONTACT)]
    assert "Talk to us" in served(builds, "ae", CONTACT)
    renderer.rendered.clear()
    book.content["en", "news", "article-1"]["value"]["summary"] = "In short"  # the card of a page, which lists show
    book.release()
    publisher.publish()
    lists = "/company/insights"
    assert sorted(renderer.rendered) == [("ae", lists), ("ae", NEWS), ("en", lists), ("en", NEWS)]
    assert content(builds, "ae", NEWS)["facts"]["summary"] == "In short"


def test_a_translation_replaces_the_fallback_and_its_path_redirects(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    book.content["ae", "page", "contact"] = page("/talk", "Talk", parent="home")
    show_fallbacks(book, "ae")
    book.release()
    publisher.publish()
    assert live(builds, "ae").redirects == {CONTACT: Redirect(301, "/talk")}
    assert "fallback" not in content(builds, "ae", "/talk")
    named = {alternate["href"] for alternate in content(builds, "en", CONTACT)["head"]["alternates"]}
    assert "http://ae.localhost:8000/talk" in named
    del book.content["ae", "page", "contact"]
    show_fallbacks(book, "ae")
    book.release()
    publisher.publish()
    assert live(builds, "ae").redirects == {"/talk": Redirect(301, CONTACT)}
    assert {alternate["site"] for alternate in content(builds, "en", CONTACT)["head"]["alternates"]} == {"en", "de"}


def test_a_translation_at_the_same_path_is_named_by_the_others(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    book.content["ae", "page", "contact"] = page(CONTACT, "Contact en", parent="home")
    book.release()
    publisher.publish()
    assert "ae" in {alternate["site"] for alternate in content(builds, "en", CONTACT)["head"]["alternates"]}
    assert live(builds, "ae").redirects == {}


def test_going_back_shows_the_fallbacks_of_that_release(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    show_fallbacks(book, "ae", is_shown=False)
    book.release()
    publisher.publish()
    assert CONTACT not in live(builds, "ae").files
    publisher.publish(release=1)
    assert content(builds, "ae", CONTACT)["fallback"]["lang"] == "en"


def news_list() -> Any:
    every = {"$items": "news"}
    return {"type": "news_list", "id": "list", "tone": "paper", "anchor": None, "title": "News", "articles": every}


def live(builds: Path, site: str) -> Manifest:
    return read_manifest(builds, site, read_live(builds).builds[site])


def served(builds: Path, site: str, path: str) -> str:
    data = ContentStore(builds).read(live(builds, site).files[path].digest)
    assert data is not None
    return data.decode()


def content(builds: Path, site: str, path: str) -> Any:
    """Return the page content that a page was rendered from."""
    told = re.search(r"<!-- shared=\S+ (.*) -->", served(builds, site, path))
    assert told
    return json.loads(unescape(told[1]))[0]
