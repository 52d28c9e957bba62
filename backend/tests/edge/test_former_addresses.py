"""URLs that the live build redirects, requested by visitors and by page scripts."""

import orjson
import pytest

from portolan.domain.redirects import Redirect

from .conftest import DE, EN, Harbour, pages

REDIRECTS = {
    "/about": Redirect(301, "/about-us"),
    "/team": Redirect(302, "/about-us?from=team#team"),
    "/shop": Redirect(301, "https://shop.example/start"),
    "/closed": Redirect(410, ""),
    "/blog/*": Redirect(301, "/services/*"),
    "/wiki/*": Redirect(302, "https://wiki.example/*"),
    "/уголок": Redirect(301, "/"),
}


@pytest.fixture
def redirecting(harbour: Harbour) -> Harbour:
    harbour.build("b", pages("en"), redirects=REDIRECTS)
    return harbour


@pytest.mark.parametrize(
    ("asked", "status", "location"),
    [
        ("/about", 301, "/about-us"),
        ("/about/", 301, "/about-us"),
        ("/About", 301, "/about-us"),
        ("/%61bout", 301, "/about-us"),
        ("//about", 301, "/about-us"),
        ("/about/index.html", 301, "/about-us"),
        ("/about?utm_source=x&gclid=1", 301, "/about-us?utm_source=x&gclid=1"),
        ("/team?utm_source=x", 302, "/about-us?from=team&utm_source=x#team"),
        ("/shop?a=%0d%0ab", 301, "https://shop.example/start?a=%0d%0ab"),
        ("/blog/web-development", 301, "/services/web-development"),
        ("/blog/Web-Development/?x=1", 301, "/services/web-development?x=1"),
        ("/wiki/A%20b/%D1%83", 302, "https://wiki.example/A%20b/%D1%83"),
        ("/wiki//evil.com", 302, "https://wiki.example/evil.com"),
        ("/wiki/%5Cevil.com", 302, "https://wiki.example/%5Cevil.com"),
        ("/%D1%83%D0%B3%D0%BE%D0%BB%D0%BE%D0%BA", 301, "/"),
        ("/page-data/about/page-data.json", 301, "/page-data/about-us/page-data.json"),
        ("/page-data/blog/web-development/page-data.json", 301, "/page-data/services/web-development/page-data.json"),
        ("/page-data/About/page-data.json", 301, "/page-data/about-us/page-data.json"),
    ],
)
def test_an_old_address_leads_to_the_new_one(
    redirecting: Harbour, asked: str, status: int, location: str | None
) -> None:
    for method in ("GET", "HEAD"):
        answer = redirecting.ask(asked, method=method)
        assert (answer.status, answer.headers.get("location")) == (status, location)
        assert answer.headers["cache-control"] == "public, max-age=0, must-revalidate"
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("asked", ["/closed", "/closed/", "/Closed?x=1"])
def test_what_is_gone_is_the_sites_own_page_with_status_410(redirecting: Harbour, asked: str) -> None:
    answer = redirecting.ask(asked)
    assert (answer.status, answer.text) == (410, pages("en")["/404.html"])
    assert answer.headers["x-robots-tag"] == "noindex"
    assert "etag" not in answer.headers


def test_data_of_what_is_gone_is_gone(redirecting: Harbour) -> None:
    answer = redirecting.ask("/page-data/closed/page-data.json")
    assert (answer.status, answer.headers["content-type"]) == (410, "text/plain; charset=utf-8")


@pytest.mark.parametrize("asked", ["/shop", "/team", "/wiki/x"])
def test_data_of_what_leads_elsewhere_tells_the_runtime_to_load_the_document(redirecting: Harbour, asked: str) -> None:
    answer = redirecting.ask(f"/page-data{asked}/page-data.json")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    assert orjson.loads(answer.body) == {"path": asked, "html": "", "build": ""}


@pytest.mark.parametrize("asked", ["/nowhere", "/blog/nowhere", "/abouts", "/assets/about", "/media/about"])
def test_other_addresses_are_missing_as_ever(redirecting: Harbour, asked: str) -> None:
    assert redirecting.ask(asked).status == 404


def test_a_page_beats_a_redirect_and_another_site_has_its_own(redirecting: Harbour) -> None:
    redirecting.build("c", {**pages("en"), "/about": "The new page"}, redirects=REDIRECTS)
    assert (redirecting.ask("/about", EN).status, redirecting.ask("/about", DE).status) == (200, 404)


def test_redirects_come_and_go_with_the_build(redirecting: Harbour) -> None:
    redirecting.build("c", pages("en"), redirects={"/closed": Redirect(301, "/")})
    assert (redirecting.ask("/about").status, redirecting.ask("/closed").status) == (404, 301)
