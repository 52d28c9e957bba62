"""The publish checks read the HTML that a browser gets. `domain/test_problems.py` tests the wording of each problem."""

from pathlib import Path

import pytest

from portolan.builds.media_source import MediaFolder
from portolan.domain.problems import (
    DeadLink,
    GoneLink,
    MissingAnchor,
    MissingMedia,
    Problem,
    ProblemDetail,
    Subject,
    UnfilledPlaceholder,
    UnusableAddress,
    WrongAlternates,
    WrongHeadings,
    WrongLanguage,
)
from portolan.domain.redirects import Redirect
from portolan.publisher.addresses import Addresses
from portolan.publisher.build_inputs import FRAME
from portolan.publisher.publish_checks import CheckedPage, PublishChecks
from portolan.publisher.renderer import Seen, SeenPart
from portolan.publisher.route_table import build_route_table
from portolan.releases.index import Page

from .fake_renderer import inspect

HOME = Subject("en", "page", "home", "Home", "/")
PAGES = [
    Page(site, key, path, "service", key, None, "", False)
    for site in ("en", "de")
    for key, path in (("home", "/"), ("about", "/about-us"))
]

REDIRECTS = {
    "en": {
        "/about": Redirect(301, "/about-us"),
        "/team": Redirect(302, "/about-us#team"),
        "/old": Redirect(410, ""),
        "/blog/*": Redirect(301, "https://blog.example/*"),
    }
}


@pytest.fixture
def publish_checks(addresses: Addresses, tmp_path: Path) -> PublishChecks:
    (tmp_path / "quay.webp").touch()
    files = {"en": ["/assets/app.js", "/favicon.svg"], "de": ["/assets/app.js"]}

    def is_file(site: str, path: str) -> bool:
        return path in files.get(site, ())

    media, sites = MediaFolder(tmp_path), addresses.registry.sites
    return PublishChecks(build_route_table(PAGES, addresses), addresses, media, is_file, REDIRECTS, sites)


def html(body: str = "", opening: str = 'lang="en" dir="ltr"', head: str = "", h1: str = "<h1>One</h1>") -> bytes:
    return f"<!doctype html><html {opening}><head>{head}</head><body>{h1}{body}</body></html>".encode()


def check(publish_checks: PublishChecks, page: bytes) -> CheckedPage:
    return publish_checks.check_page(HOME, inspect(page), [])


@pytest.mark.parametrize(
    "body",
    [
        '<a href="/about-us">',
        '<a href="/about-us/">',
        '<a href="/about-us?ref=menu">',
        '<a href="http://de.localhost:8000/about-us">',
        '<a href="https://elsewhere.example/x">',
        '<a href="/about">',
        '<a href="/team">',
        '<a href="/blog/a-post">',
        '<a href="mailto:hello@brightmoor.example">',
        '<a href="?industry=healthcare">',
        '<a href="tel:+441632960000">',
        '<a href="#part"></a><p id="part">',
        '<a href="#top">',
        '<a href="#">',
        '<img src="/media/quay.webp"/>',
        '<source srcSet="/media/quay.webp, /media/quay.webp 2x"/>',
        '<img src="data:image/svg+xml,%3Csvg/%3E"/>',
        '<script src="/assets/app.js">',
        '<use href="/favicon.svg#mark">',
        '<form action="/api/integration/form-data">',
        "<p>{age is no placeholder}</p>",
    ],
)
def test_lets_pass(publish_checks: PublishChecks, body: str) -> None:
    assert check(publish_checks, html(body)).problems == []


ENGLISH = WrongLanguage("en", "ltr")


@pytest.mark.parametrize(
    ("page", "detail"),
    [
        (html('<a href="/gone">'), DeadLink("/gone")),
        (html('<a href="/old">'), GoneLink("/old")),
        (html('<a href="http://de.localhost:8000/gone">'), DeadLink("http://de.localhost:8000/gone")),
        (html('<a href="#part">'), MissingAnchor("#part")),
        (html('<a href="about-us">'), UnusableAddress("about-us")),
        (html('<a href="javascript:alert(1)">'), UnusableAddress("javascript:alert(1)")),
        (html('<a href="//evil.example">'), UnusableAddress("//evil.example")),
        (html('<img src="/media/gone.webp"/>'), MissingMedia("/media/gone.webp")),
        (html('<source srcSet="/media/quay.webp, /media/gone.webp 2x"/>'), MissingMedia("/media/gone.webp")),
        (html('<script src="/assets/gone.js">'), DeadLink("/assets/gone.js")),
        (html(h1=""), WrongHeadings(0)),
        (html(h1="<h1>One</h1><h1>Two</h1>"), WrongHeadings(2)),
        (html("<p>{employees} people</p>"), UnfilledPlaceholder("{employees}")),
        (html(opening='lang="de-DE" dir="ltr"'), ENGLISH),
        (html(opening='lang="en" dir="rtl"'), ENGLISH),
        (html(head='<link rel="alternate" href="/about-us"/>'), WrongAlternates(())),
    ],
)
def test_stops(publish_checks: PublishChecks, page: bytes, detail: ProblemDetail) -> None:
    assert check(publish_checks, page).problems == [Problem(HOME, detail)]


def test_names_a_missing_translation(publish_checks: PublishChecks) -> None:
    alternates = [{"hreflang": "de", "href": "http://de.localhost:8000/about-us?a&b"}]
    (problem,) = publish_checks.check_page(HOME, inspect(html()), alternates).problems
    assert problem.detail == WrongAlternates(("de",))
    head = '<link rel="alternate" hrefLang="de" href="http://de.localhost:8000/about-us?a&amp;b"/>'
    assert publish_checks.check_page(HOME, inspect(html(head=head)), alternates).problems == []


def test_says_again_on_every_page_what_is_broken(publish_checks: PublishChecks) -> None:
    page = html('<a href="/gone"></a><a href="/about-us">')
    assert len(check(publish_checks, page).problems) == len(check(publish_checks, page).problems) == 1


def test_remembers_links_that_other_pages_can_break(publish_checks: PublishChecks) -> None:
    body = '<a href="/about-us#team"></a><a href="/about-us"></a><a href="http://de.localhost:8000/about-us">'
    assert check(publish_checks, html(body)).cross_page_links == {"/about-us#team", "http://de.localhost:8000/about-us"}
    assert check(publish_checks, html(body)).cross_page_links == {"/about-us#team", "http://de.localhost:8000/about-us"}


FRAMES = [
    (SeenPart(values=["/about-us", "#main", "#menu"], ids=["menu"]), []),
    (SeenPart(values=["/gone"]), [DeadLink("/gone")]),
    (SeenPart(values=["#nowhere"]), [MissingAnchor("#nowhere")]),
    (SeenPart(braces=["{employees}"]), [UnfilledPlaceholder("{employees}")]),
    (SeenPart(headings=1), [WrongHeadings(2)]),
]


@pytest.mark.parametrize(("frame", "details"), FRAMES)
def test_checks_the_frame_around_each_page_rendered_or_spliced(
    publish_checks: PublishChecks, frame: SeenPart, details: list[ProblemDetail]
) -> None:
    own = SeenPart(headings=1, ids=["main"])
    problems = [Problem(HOME, detail) for detail in details]
    for _ in range(2):
        assert publish_checks.check_page(HOME, Seen("en", "ltr", 0, own, frame), []).problems == problems
        assert publish_checks.check_spliced_page(HOME, own, frame) == problems


def test_tells_the_links_of_a_frame_from_those_of_its_pages(publish_checks: PublishChecks) -> None:
    frame = SeenPart(values=["/about-us#team", "/"], ids=["menu"])
    own = SeenPart(headings=1, values=["http://de.localhost:8000/about-us", "#menu"])
    assert publish_checks.check_frame("en", frame).cross_page_links == {"/about-us#team"}
    links = publish_checks.check_page(HOME, Seen("en", "ltr", 0, own, frame), []).cross_page_links
    assert links == {"http://de.localhost:8000/about-us", "/#menu"}, "another frame may lack what the page links to"


def test_names_the_home_page_where_the_frame_has_the_link(publish_checks: PublishChecks) -> None:
    (problem,) = publish_checks.check_cross_page_links("en", "/gone", [FRAME, "/"], lambda site, path: None)
    assert problem.subject.path == "/"


@pytest.mark.parametrize(
    ("url", "there", "detail"),
    [
        ("/about-us#team", b'<p id="team">', None),
        ("/about-us#team", b"<p>", MissingAnchor("/about-us#team")),
        ("/about-us#t%C3%A9am", '<p id="téam">'.encode(), None),
        ("/gone#team", None, DeadLink("/gone#team")),
        ("/about#team", b'<p id="team">', None),
        ("/about#team", b"<p>", MissingAnchor("/about#team")),
        ("/about", b"<p>", None),
        ("/blog/post#team", None, None),
        ("/old", None, GoneLink("/old")),
        ("http://de.localhost:8000/gone", None, DeadLink("http://de.localhost:8000/gone")),
    ],
)
def test_looks_at_other_pages_when_they_are_there(
    publish_checks: PublishChecks, url: str, there: bytes | None, detail: ProblemDetail | None
) -> None:
    problems = list(publish_checks.check_cross_page_links("en", url, ["/", "/about-us"], lambda site, path: there))
    assert [(problem.subject.path, problem.detail) for problem in problems] == (
        [("/", detail), ("/about-us", detail)] if detail else []
    )
