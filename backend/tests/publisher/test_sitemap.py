"""The sitemap: every page, its translations, the time of its last change; in parts where one file cannot hold it."""

from xml.etree import ElementTree

from portolan.publisher.addresses import Addresses
from portolan.publisher.route_table import build_route_table
from portolan.publisher.sitemap import LIMITS, Limits, Sitemap
from portolan.releases.index import Page

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
ORIGIN = "http://de.localhost:8000"


def page(site: str, path: str, changed: str | None = "2026-11-01T10:00:00+00:00", template: str = "service") -> Page:
    return Page(site, path, path, template, path, None, changed, False)


def build(pages: list[Page], addresses: Addresses, limits: Limits = LIMITS) -> dict[str, ElementTree.Element]:
    sitemap = Sitemap()
    sitemap.update([each for each in pages if each.site == "de"], [], build_route_table(pages, addresses), addresses)
    return {path: ElementTree.fromstring(data) for path, data in sitemap.build(ORIGIN, limits).items()}


def locations(root: ElementTree.Element) -> list[str | None]:
    return [element.text for element in root.findall("*/s:loc", NAMES)]


def test_has_every_page_with_its_translations_and_time(addresses: Addresses) -> None:
    pages = [
        page("de", "/"),
        page("de", "/about-us"),
        page("en", "/about-us"),
        page("de", "/404.html", template="error"),
    ]
    root = build(pages, addresses)["/sitemap.xml"]
    assert locations(root) == ["http://de.localhost:8000", "http://de.localhost:8000/about-us"]
    about = root.findall("s:url", NAMES)[1]
    assert about.findtext("s:lastmod", namespaces=NAMES) == "2026-11-01T10:00:00+00:00"
    links = [(link.get("hreflang"), link.get("href")) for link in about.findall("x:link", NAMES)]
    assert links == [
        ("en", "http://localhost:8000/about-us"),
        ("x-default", "http://localhost:8000/about-us"),
        ("de", "http://de.localhost:8000/about-us"),
    ]


def test_makes_up_no_time(addresses: Addresses) -> None:
    root = build([page("de", "/", changed=None)], addresses)["/sitemap.xml"]
    assert locations(root) == ["http://de.localhost:8000"]
    assert root.find("s:url/s:lastmod", NAMES) is None


def test_follows_changes(addresses: Addresses) -> None:
    pages = [page("en", "/a"), page("en", "/b")]
    sitemap = Sitemap()
    sitemap.update(pages, [], build_route_table(pages, addresses), addresses)
    later = [page("en", "/b", "2026-12-01")]
    sitemap.update(later, ["/a"], build_route_table(later, addresses), addresses)
    fresh = Sitemap()
    fresh.update(later, [], build_route_table(later, addresses), addresses)
    assert sitemap.build(ORIGIN) == fresh.build(ORIGIN)


def test_is_an_index_of_parts_where_there_are_too_many_pages(addresses: Addresses) -> None:
    pages = [page("de", f"/p{number}", f"2026-11-0{number}") for number in range(1, 6)]
    files = build(pages, addresses, Limits(urls=2))
    assert locations(files["/sitemap.xml"]) == [f"{ORIGIN}/sitemap-{number}.xml" for number in (1, 2, 3)]
    changed = [element.text for element in files["/sitemap.xml"].findall("s:sitemap/s:lastmod", NAMES)]
    assert changed == ["2026-11-02", "2026-11-04", "2026-11-05"]
    listed = [locations(files[f"/sitemap-{number}.xml"]) for number in (1, 2, 3)]
    assert [len(part) for part in listed] == [2, 2, 1]
    assert sorted(str(url) for part in listed for url in part) == [f"{ORIGIN}/p{number}" for number in range(1, 6)]


def test_no_part_is_larger_than_it_may_be(addresses: Addresses) -> None:
    pages = [page("de", f"/p{number}") for number in range(1, 6)]
    whole = build(pages, addresses, Limits(bytes=10_000))
    assert list(whole) == ["/sitemap.xml"]
    assert len(build(pages, addresses, Limits(bytes=500))) == 1 + 3
    assert len(build(pages, addresses, Limits(bytes=1))) == 1 + 5, "a page alone is never left out"
