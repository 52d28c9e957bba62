"""The sitemap: every page, its translations, the time of its last change. Large ones have several parts."""

from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.publisher import sitemap
from portolan.publisher.addresses import Addresses
from portolan.publisher.route_table import build_route_table
from portolan.publisher.sitemap import Limits, Sitemap
from portolan.releases.index import Page
from portolan.sites.registry import Registry

NAMES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
ORIGIN = "http://de.localhost:8000"


def page(site: str, path: str, changed: str | None = "2026-11-01T10:00:00+00:00", template: str = "service") -> Page:
    return Page(site, path, path, template, path, None, changed, False)


def build(pages: list[Page], addresses: Addresses) -> dict[str, ElementTree.Element]:
    files = Sitemap("de", build_route_table(pages, addresses), addresses).build()
    return {path: ElementTree.fromstring(data) for path, data in files.items()}


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


def test_is_an_index_of_parts_where_there_are_many_pages(addresses: Addresses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "LIMITS", Limits(urls=2))
    pages = [page("de", f"/p{number}", f"2026-11-{number:02}") for number in range(1, 17)]
    files = build(pages, addresses)
    index = files.pop("/sitemap.xml")
    assert locations(index) == [f"{ORIGIN}{path}" for path in files]
    assert len(files) == 8
    listed = {path: locations(part) for path, part in files.items()}
    assert sorted(str(url) for part in listed.values() for url in part) == sorted(
        f"{ORIGIN}/p{n}" for n in range(1, 17)
    )
    for entry, part in zip(index.findall("s:sitemap", NAMES), files.values(), strict=True):
        newest = max(str(each.text) for each in part.findall("s:url/s:lastmod", NAMES))
        assert entry.findtext("s:lastmod", namespaces=NAMES) == newest


def test_an_edit_writes_one_part_and_the_index(addresses: Addresses, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "LIMITS", Limits(urls=100))
    pages = [page("de", f"/p{number}") for number in range(800)]
    before = Sitemap("de", build_route_table(pages, addresses), addresses).build()
    assert len(before) == 9
    assert max(data.count(b"<url>") for data in before.values()) < 130
    pages[7] = page("de", "/p7", "2026-12-01")
    read: list[str] = []
    after = Sitemap("de", build_route_table(pages, addresses), addresses)
    changed = after.change(800, ["/p7"], lambda path: read.append(path) or before[path])
    assert changed
    assert changed.gone == []
    assert len(changed.files) == len(read) == 2
    assert before | changed.files == after.build()


def test_no_part_is_larger_than_it_may_be(addresses: Addresses, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [page("de", f"/p{number}") for number in range(1, 6)]
    monkeypatch.setattr(sitemap, "LIMITS", Limits(bytes=10_000))
    assert list(build(pages, addresses)) == ["/sitemap.xml"]
    monkeypatch.setattr(sitemap, "LIMITS", Limits(bytes=800))
    table = build_route_table(pages, addresses)
    files = Sitemap("de", table, addresses).build()
    assert len(files) > 2
    assert all(len(data) <= 800 for path, data in files.items() if path != "/sitemap.xml")
    assert Sitemap("de", table, addresses).change(5, ["/p1"], files.get) is None, "built anew"


EDITS = st.lists(st.tuples(st.integers(1, 12), st.sampled_from(("edit", "error", "remove"))), max_size=12)


@given(
    st.lists(EDITS, max_size=5), st.sampled_from((Limits(urls=3), Limits(urls=1), Limits(), Limits(urls=5, bytes=700)))
)
def test_what_follows_edits_is_what_is_built_anew(registry: Registry, rounds: list[Any], limits: Limits) -> None:
    addresses = Addresses(registry, "local", 8000)
    there: dict[str, Page] = {"/": page("de", "/")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sitemap, "LIMITS", limits)
        files = Sitemap("de", build_route_table(there.values(), addresses), addresses).build()
        for number, edits in enumerate(rounds):
            before = len(there)
            for which, kind in edits:
                path = f"/p{which}"
                if kind == "remove":
                    there.pop(path, None)
                else:
                    template = "error" if kind == "error" else "service"
                    there[path] = page("de", path, f"2026-12-{number + 1:02}", template)
            now = Sitemap("de", build_route_table(there.values(), addresses), addresses)
            changed = now.change(before, {f"/p{which}" for which, _ in edits}, files.get)
            if changed:
                assert files.keys() >= set(changed.gone)
                files = {path: data for path, data in {**files, **changed.files}.items() if path not in changed.gone}
            else:
                files = now.build()
            assert files == now.build()
