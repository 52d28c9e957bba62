"""The index has the fields of every release's items, however it was made."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portolan.domain.references import Reference, find_references
from portolan.publisher.snapshot import Snapshot
from portolan.releases.connection import connected_reader
from portolan.releases.fill_index import fill_index, write_anew
from portolan.releases.index import REFERENCES, ROUTES
from portolan.releases.models import ReleaseReference, ReleaseRoute
from portolan.releases.reader import ItemId, ReleaseReader, open_reader
from portolan.releases.release_view import ReleaseView

from ..publisher.release_book import ReleaseBook, add_article, link, page, picture, small_site
from .conftest import World, rich_text

PAGES = ("a", "b", "c")
PICTURES = ("1", "2")
SITES = ("en", "de")


def pages_by_items(reader: ReleaseReader, release: int) -> list[tuple[Any, ...]]:
    found = []
    for item in reader.items(release):
        if item.kind == "page":
            body = json.loads(item.body)
            found.append((item.site, item.key, body["path"], body["title"], body["parent"], body["template"]))
    return sorted(found)


def pages_by_index(reader: ReleaseReader, release: int) -> list[tuple[Any, ...]]:
    found = reader.pages(release)
    return [(page.site, page.key, page.path, page.title, page.parent, page.template) for page in found]


def holders_by_items(reader: ReleaseReader, release: int, reference: Reference) -> list[ItemId]:
    return [
        ItemId(*item[:3])
        for item in reader.items(release)
        if item.kind not in ("picture", "document", "figures") and reference in find_references(json.loads(item.body))
    ]


def agrees(reader: ReleaseReader, release: int) -> None:
    assert pages_by_index(reader, release) == pages_by_items(reader, release)
    wanted = [Reference("page", key) for key in PAGES] + [Reference("picture", key) for key in PICTURES]
    for reference in wanted:
        assert reader.holders(release, reference) == holders_by_items(reader, release, reference)
    for site in SITES:
        bodies = [json.loads(item.body) for item in reader.collection(release, site, "page")]
        expected = {reference for body in bodies for reference in find_references(body)}
        assert reader.references(release, site, "page", PAGES) == expected
    for path in ("/a", "/b", "/a/b"):
        at = [(page.site, page.key) for page in reader.pages_at(release, path)]
        assert at == [row[:2] for row in pages_by_items(reader, release) if row[2] == path]
    same = [(page.site, page.key) for page in reader.translations(release, ["b", "none"])]
    assert same == [row[:2] for row in pages_by_items(reader, release) if row[1] == "b"]
    page_type = [(page.site, page.key) for page in reader.pages_of_types(release, ["event", "service"])]
    assert page_type == [row[:2] for row in pages_by_items(reader, release) if row[5] in ("event", "service")]


edit = st.tuples(
    st.sampled_from(SITES),
    st.sampled_from(PAGES),
    st.one_of(
        st.none(),
        st.tuples(
            st.sampled_from(["/a", "/b", "/a/b"]),
            st.sampled_from(["One", "Two"]),
            st.lists(st.sampled_from(PAGES), max_size=2),
            st.sampled_from([None, *PICTURES]),
            st.sampled_from(["service", "article"]),
        ),
    ),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(releases=st.lists(st.lists(edit, max_size=4), min_size=1, max_size=5), data=st.data())
def test_agrees_with_the_items_of_every_release_and_release_view(tmp_path_factory, releases, data):
    book = ReleaseBook(tmp_path_factory.mktemp("book") / "book.sqlite3")
    for key in PICTURES:
        book.content["", "picture", key] = picture(f"{key}.svg")
    for edits in releases:
        for site, key, given_page in edits:
            if given_page is None:
                book.content.pop((site, "page", key), None)
                continue
            path, title, links, shown, template = given_page
            blocks = [{"type": "x", "id": "1", "links": [link(other) for other in links]}]
            blocks += [{"type": "x", "id": "2", "picture": {"$picture": shown, "alt": ""}}] if shown else []
            book.content[site, "page", key] = page(path, title, blocks=blocks, template=template)
        book.release()
    reader = open_reader(book.url)
    for number in range(1, book.number + 1):
        agrees(reader, number)
    ids = st.tuples(st.sampled_from(SITES), st.sampled_from(PAGES))
    blocked = data.draw(st.dictionaries(ids, st.integers(1, book.number), max_size=3))
    agrees(reader.with_blocked({ItemId(site, "page", key): at for (site, key), at in blocked.items()}), book.number)
    assert reader.check_index() == []
    reader.close()
    book.close()


def rows() -> list[tuple[Any, ...]]:
    names = ("since", "until")
    return sorted(
        [
            *ReleaseRoute.objects.values_list(*ROUTES.columns, *names),
            *ReleaseReference.objects.values_list(*REFERENCES.columns, *names),
        ],
        key=str,
    )


@pytest.mark.postgres
def test_freezing_writes_it_and_what_was_frozen_before_it_gets_the_same(world: World) -> None:
    web, about = world.page("web"), world.page("about")
    about.body = rich_text(f'<p><a linktype="page" id="{web.pk}">Words</a></p>')
    about.save_revision().publish()
    assert world.snapshot()
    web.title = "Other words"
    web.save_revision().publish()
    assert world.snapshot()
    reader = connected_reader()
    to_web = Reference("page", str(web.translation_key))
    for release, links in ((1, 0), (2, 2), (3, 2)):
        assert pages_by_index(reader, release) == pages_by_items(reader, release) != []
        assert reader.holders(release, to_web) == holders_by_items(reader, release, to_web)
        assert len(reader.holders(release, to_web)) == links, "the page and its copy on the inheriting site"
    written = rows()
    assert any(until == 3 for *_, until in written), "the page's former title"
    assert any(until is None and since == 1 for *_, since, until in written), "what the edit left as it was"
    ReleaseRoute.objects.all().delete()
    ReleaseReference.objects.all().delete()
    fill_index()
    assert rows() == written
    ReleaseRoute.objects.filter(until=None).update(path="/elsewhere")
    ReleaseReference.objects.filter(until=None).first().delete()
    said = reader.check_index()
    assert any("has, without an item" in line and "/elsewhere" in line for line in said)
    assert any(line.startswith("releases_releasereference lacks") for line in said)
    fill_index()
    assert rows() != written, "an index that is there is left alone"
    write_anew()
    assert rows() == written


def test_a_snapshot_reads_pages_ahead_without_asking_for_each(tmp_path: Path) -> None:
    """Reading items one by one would cost a round trip to the database for every page."""
    book = ReleaseBook(tmp_path / "book.sqlite3")
    small_site(book, "en")
    for day in range(1, 4):
        add_article(book, "en", day)
        book.content["en", "page", f"article-{day}"]["blocks"][0]["picture"] = {"$picture": "1", "alt": ""}
    number = book.release()
    reader = open_reader(book.url)
    asked: list[str] = []
    execute = reader._execute
    reader._execute = lambda sql, values: asked.append(sql) or execute(sql, values)  # type: ignore[func-returns-value]
    snapshot = Snapshot(reader, ReleaseView(number, reader.mark(number) or "", {}))
    pages = [page for page in snapshot.pages(["en"]) if page.template == "article"]
    assert len(pages) == 3
    asked.clear()
    for one in snapshot.ahead(pages):
        body = snapshot.page_body(one)
        assert body["path"] == one.path
        for reference in find_references(body):
            if reference.kind == "picture":
                assert snapshot.picture(reference.key)
        assert snapshot.body(ItemId("en", "news", one.key))
    assert len(asked) == 4, "pages, cards, what pages refer to, pictures"
    reader.close()
    book.close()
