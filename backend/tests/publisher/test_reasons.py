"""The pages that a change may reach, with the reasons."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson
import pytest

from portolan.publisher.addresses import Addresses
from portolan.publisher.plan import find_affected_pages
from portolan.publisher.reasons import Cause, Reason, compare_shared, pack_reason, unpack_reason
from portolan.publisher.route_table import build_route_table
from portolan.publisher.snapshot import Snapshot, pages_of
from portolan.releases.reader import ItemId, open_reader
from portolan.releases.release_view import read_difference, release_view_of

from .release_book import ReleaseBook, add_article, page, picture

Content = dict[tuple[str, str, str], Any]


def item(site: str, kind: str, key: str) -> ItemId:
    return ItemId(site, kind, key)


def change_text(content: Content) -> None:
    content["de", "page", "about"]["blocks"][0]["title"] = "Another"


def retitle(content: Content) -> None:
    content["de", "page", "web"]["title"] = "Another"


def move(content: Content) -> None:
    content["de", "page", "contact"]["path"] = "/moved"


def move_default(content: Content) -> None:
    content["en", "page", "contact"]["path"] = "/moved"


def move_home(content: Content) -> None:
    content["de", "page", "home"]["path"] = "/moved"


def change_picture(content: Content) -> None:
    content["", "picture", "1"] = picture("harbour") | {"width": 1}


def change_office(content: Content) -> None:
    content["de", "office", "london"]["value"]["phone"] = "+44"


def change_figures(content: Content) -> None:
    content["", "figures", "company"] |= {"employees": "4000+"}


def change_card(content: Content) -> None:
    content["de", "news", "article-1"]["value"]["date"] = "2026-05-01"


def take_path(content: Content) -> None:
    content["de", "page", "a-rival"] = page("/contact-us", "Rival")


ABOUT, WEB, CONTACT = (item("de", "page", key) for key in ("about", "web", "contact"))
ARTICLE, NEWS, PICTURE = item("de", "page", "article-1"), item("de", "news", "article-1"), item("", "picture", "1")


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (change_text, {("de", "about"): [Reason(Cause.PAGE, ABOUT)]}),
        (
            retitle,
            {("de", "web"): [Reason(Cause.PAGE, WEB)], ("de", "mobile"): [Reason(Cause.ABOVE, WEB)]},
        ),
        (
            move,
            {
                ("de", "contact"): [Reason(Cause.PAGE, CONTACT)],
                ("en", "contact"): [Reason(Cause.TRANSLATION, CONTACT)],
                ("de", "web"): [Reason(Cause.LINK, CONTACT)],
            },
        ),
        (
            move_default,
            {
                ("en", "contact"): [Reason(Cause.PAGE, item("en", "page", "contact"))],
                ("de", "contact"): [Reason(Cause.TRANSLATION, item("en", "page", "contact"))],
                # The site that lacks the page links to the default site's.
                **{(site, "web"): [Reason(Cause.LINK, item("en", "page", "contact"))] for site in ("en", "ae")},
            },
        ),
        (move_home, dict.fromkeys(("en", "de", "ae"), Reason(Cause.HOME, item("de", "page", "home")))),
        (
            change_picture,
            {
                **{(site, "web"): [Reason(Cause.ITEM, PICTURE)] for site in ("en", "de", "ae")},
                ("de", "article-1"): [Reason(Cause.ITEM, PICTURE)],
                ("de", "insights"): [Reason(Cause.ITEM, PICTURE, ("news",))],
            },
        ),
        (change_office, {("de", "about"): [Reason(Cause.ITEM, item("de", "office", "london"))]}),
        (
            change_card,
            {("de", "article-1"): [Reason(Cause.CARD, NEWS)], ("de", "insights"): [Reason(Cause.ITEM, NEWS)]},
        ),
        (
            take_path,
            {
                ("de", "a-rival"): [Reason(Cause.PAGE, item("de", "page", "a-rival"))],
            },
        ),
    ],
)
def test_a_page_is_reached_for_reasons(
    book: ReleaseBook,
    addresses: Addresses,
    edit: Callable[[Content], None],
    expected: dict[tuple[str, str], list[Reason]] | Reason,
) -> None:
    add_article(book, "de", 1)
    list_of_news = {"type": "news_list", "id": "list", "items": {"$items": "news"}}
    book.content["de", "page", "insights"] = page("/company/insights", "Insights", blocks=[list_of_news])
    assert _reach(book, addresses, [edit]) == expected


def test_a_page_that_differs_for_more_than_one_reason_has_all_of_them(book: ReleaseBook, addresses: Addresses) -> None:
    reached = _reach(book, addresses, [retitle, change_picture])
    assert isinstance(reached, dict)
    assert reached["de", "web"] == [Reason(Cause.ITEM, PICTURE), Reason(Cause.PAGE, WEB)]


def test_who_takes_a_path_is_a_reason_for_who_had_it(book: ReleaseBook, addresses: Addresses) -> None:
    book.content["de", "page", "z-rival"] = page("/contact-us", "Rival")
    reached = _reach(book, addresses, [lambda content: content.pop(("de", "page", "contact"))])
    assert isinstance(reached, dict)
    assert reached["de", "z-rival"] == [Reason(Cause.PATH, CONTACT)]


def test_figures_reach_every_page_that_says_one(book: ReleaseBook, addresses: Addresses) -> None:
    reached = _reach(book, addresses, [change_figures])
    assert isinstance(reached, dict)
    assert reached["ae", "home"] == [Reason(Cause.ITEM, item("", "figures", "company"))]
    assert len(reached) == sum(kind == "page" for _, kind, _ in book.content)  # each has one in its title


@pytest.mark.parametrize(
    "reason",
    [
        Reason(Cause.FULL),
        Reason(Cause.PAGE, ABOUT),
        Reason(Cause.FRAME, None, ("menu", "offices")),
        Reason(Cause.ITEM, PICTURE, ("news",)),
    ],
)
def test_reasons_are_packed_as_json(reason: Reason) -> None:
    assert unpack_reason(orjson.loads(orjson.dumps(pack_reason(reason)))) == reason


def test_says_which_shared_data_differ() -> None:
    before = orjson.dumps({"menu": [1], "footer": [], "year": 2026})
    assert compare_shared(before, orjson.dumps({"menu": [2], "footer": [], "phones": []})) == ("menu", "phones", "year")
    assert compare_shared(None, b"{}") == ()


@pytest.mark.parametrize(
    ("before", "after", "part"),
    [
        ({}, {"words": {"openMenu": "Auf"}}, "frameWords"),
        (
            {"words": {"openMenu": "Auf", "formName": "Sie"}},
            {"words": {"openMenu": "Los", "formName": "Sie"}},
            "frameWords",
        ),
        ({"words": {"openMenu": "Auf"}}, {}, "frameWords"),
        ({}, {"words": {"openMenu": "Auf", "formName": "Sie"}}, "words"),
        ({"words": {"formName": "Sie"}}, {}, "words"),
    ],
)
def test_words_of_the_frame_alone_are_a_part_of_their_own(
    before: dict[str, Any], after: dict[str, Any], part: str
) -> None:
    assert compare_shared(orjson.dumps(before), orjson.dumps(after), {"openMenu"}) == (part,)


def _reach(
    book: ReleaseBook, addresses: Addresses, edits: Iterable[Callable[[Content], object]]
) -> dict[tuple[str, str], list[Reason]] | Mapping[str, Reason]:
    """Return the pages, or the sites of which any page may differ."""
    older = book.release()
    for edit in edits:
        edit(book.content)
    newer = book.release()
    reader = open_reader(book.url)
    try:
        release_views = release_view_of(reader, older), release_view_of(reader, newer)
        snapshot = Snapshot(reader, release_views[1])
        routes = build_route_table(snapshot.pages(), addresses)
        found = find_affected_pages(pages_of(read_difference(reader, *release_views)), snapshot, routes)
    finally:
        reader.close()
    pages = (pair for of_site in found.pages.values() for pair in of_site.items())
    return found.every or {(page.site, page.key): list(reasons) for page, reasons in pages}
