"""The explanation of a URL: why its page was rendered, the changes that would render it, its links, and other files."""

import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.content.blocks.news_list import NewsListBlock
from portolan.publisher.addresses import Addresses
from portolan.publisher.explain import Answer, Explainer, Explanation, PageFacts, Why
from portolan.publisher.find_address import find_address
from portolan.publisher.item_names import ItemNames
from portolan.publisher.page_links import find_links
from portolan.publisher.problem import UsageError
from portolan.publisher.publish import Publisher
from portolan.publisher.reason_texts import say_reason
from portolan.publisher.reasons import Cause, Reason
from portolan.releases.reader import ItemId, open_reader
from portolan.sites.registry import Registry

from .conftest import MakePublisher
from .release_book import ReleaseBook, add_article, page, picture

Explain = Callable[..., Explanation]
WEB, ABOUT, CONTACT = (ItemId("de", "page", key) for key in ("web", "about", "contact"))
PICTURE = ItemId("", "picture", "1")


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "builds"


@pytest.fixture
def publisher(make_publisher: MakePublisher, book: ReleaseBook) -> Publisher:
    add_article(book, "de", 1)
    lists = NewsListBlock().snapshot({"title": "News"}, "list", {})
    book.content["de", "page", "insights"] = page("/company/insights", "Insights", blocks=[lists])
    publisher = make_publisher()
    book.release(by="seed")
    publisher.publish()
    return publisher


@pytest.fixture
def explain(builds: Path, book: ReleaseBook, addresses: Addresses) -> Explain:
    def run(path: str, site: str = "de") -> Explanation:
        reader = open_reader(book.url)
        try:
            return Explainer(builds, reader, addresses).explain(site, path)
        finally:
            reader.close()

    return run


def facts_of(found: Explanation) -> PageFacts:
    assert found.facts
    return found.facts


def why(found: Explanation) -> tuple[Why, ...]:
    last = facts_of(found).last
    assert last
    return last.why


def test_says_which_edit_rendered_a_page_and_whose_it_was(
    publisher: Publisher, book: ReleaseBook, explain: Explain
) -> None:
    book.content["de", "page", "web"]["blocks"][0]["title"] = "Another"
    book.release(by="Anna", note="new words")
    publisher.publish()
    found = explain("/services/web-development")
    [(reason, [edit])] = why(found)
    assert reason == Reason(Cause.PAGE, WEB)
    assert (edit.item, edit.change, edit.fields) == (WEB, "changed", ("Blocks › hero › title",))
    assert (edit.release.number, edit.release.created_by, edit.release.note) == (2, "Anna", "new words")
    [before] = facts_of(found).earlier
    assert (before.entry.release, before.why[0].reason.cause) == (1, Cause.FIRST)
    assert before.release
    assert before.release.created_by == "seed"


def test_says_by_way_of_what_an_item_reached_a_page(publisher: Publisher, book: ReleaseBook, explain: Explain) -> None:
    book.content["", "picture", "1"] = picture("harbour") | {"width": 7}
    book.release(by="Ben")
    publisher.publish()
    [(reason, edits)] = why(explain("/company/insights/article-1"))
    assert reason == Reason(Cause.ITEM, PICTURE)
    assert [(edit.release.created_by, edit.fields) for edit in edits] == [("Ben", ("Width",))]


def test_of_a_whole_site_says_what_of_the_frame_changed_by_whom(
    publisher: Publisher, book: ReleaseBook, explain: Explain
) -> None:
    book.content["de", "menu", "main"]["items"][0]["title"] = "Another"
    book.release(by="Anna")
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Another"
    book.release(by="Ben")
    publisher.publish()
    [(reason, edits)] = why(explain("/contact-us"))
    assert reason == Reason(Cause.FRAME, None, ("menu",))
    assert [(edit.item, edit.release.created_by) for edit in edits] == [(ItemId("de", "menu", "main"), "Anna")]


def test_of_a_frame_that_nobody_edited_says_what_it_refers_to(
    publisher: Publisher, book: ReleaseBook, explain: Explain
) -> None:
    """The contact button links to a page that moves."""
    book.content["de", "page", "contact"]["path"] = "/moved"
    book.release(by="Anna")
    publisher.publish()
    [(reason, edits)] = why(explain("/about-us"))
    assert reason == Reason(Cause.FRAME, None, ("contact",))
    assert [(edit.item, edit.fields, edit.release.created_by) for edit in edits] == [(CONTACT, ("Path",), "Anna")]


def test_what_no_release_caused_is_nobody_s(publisher: Publisher, explain: Explain) -> None:
    publisher.publish(full=True)
    [(reason, edits)] = why(explain("/about-us"))
    last = facts_of(explain("/about-us")).last
    assert (reason, edits) == (Reason(Cause.FULL), ())
    assert last
    assert (last.entry.release, last.release) == (1, None)


def test_lists_what_would_render_a_page_again(publisher: Publisher, explain: Explain) -> None:
    found = set(facts_of(explain("/services/mobile-development")).depends_on)
    assert found == {
        Reason(Cause.PAGE, ItemId("de", "page", "mobile")),
        Reason(Cause.LINK, ABOUT),
        Reason(Cause.ABOVE, WEB),
        Reason(Cause.ABOVE, ItemId("de", "page", "home")),
        Reason(Cause.ITEM, ItemId("", "placeholder", "company")),
        *(Reason(Cause.TRANSLATION, ItemId(site, "page", "mobile")) for site in ("en", "ae")),
    }
    article = facts_of(explain("/company/insights/article-1")).depends_on
    assert Reason(Cause.CARD, ItemId("de", "news", "article-1")) in article
    assert Reason(Cause.ITEM, ItemId("de", "news", "")) in facts_of(explain("/company/insights")).depends_on


def test_every_dependency_is_one_that_a_change_has(publisher: Publisher, book: ReleaseBook, explain: Explain) -> None:
    """Each listed dependency renders the page: its image, the page above it, its translation."""
    for number, change in enumerate(
        (
            lambda content: content[PICTURE].update(width=9),
            lambda content: content["de", "page", "home"].update(title="Another"),
            lambda content: content["en", "page", "web"].update(path="/moved"),
        )
    ):
        change(book.content)
        book.release()
        publisher.publish()
        found = explain("/services/web-development")
        reasons = {each.reason for each in why(found)}
        assert reasons & set(facts_of(found).depends_on), number
        assert facts_of(found).last.entry.release == number + 2  # type: ignore[union-attr]


def test_knows_links_both_ways(publisher: Publisher, explain: Explain) -> None:
    about = facts_of(explain("/about-us")).links
    assert set(about.by) == {ItemId("de", "page", "mobile"), ItemId("de", "footer", "main")}
    assert facts_of(explain("/services/web-development")).links.to == [CONTACT]
    article = facts_of(explain("/company/insights/article-1")).links
    assert article.listed_by == [ItemId("de", "page", "insights")]


def test_a_page_of_the_default_site_is_linked_from_sites_that_lack_it(publisher: Publisher, explain: Explain) -> None:
    """The site ``ae`` has no contact page."""
    assert ItemId("ae", "page", "web") in facts_of(explain("/contact-us", "en")).links.by
    assert ItemId("ae", "page", "web") not in facts_of(explain("/contact-us", "de")).links.by


def test_reads_links_of_the_main_part_alone() -> None:
    html = '<a href="/menu">x</a><main><a href="/a#b">x</a><a href="/a#b">x</a><p id="c"></main><a href="/foot">x</a>'
    assert find_links(html) == ["/a#b"]


def test_names_what_keeps_a_change_back(publisher: Publisher, book: ReleaseBook, explain: Explain) -> None:
    book.content["de", "page", "web"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    book.release(by="Anna")
    publisher.publish(keep_going=True)
    facts = facts_of(explain("/services/web-development"))
    assert [problem.detail.code for problem in facts.problems] == ["picture-missing"]
    assert facts.last
    assert facts.last.entry.release == 1


def test_an_installation_without_a_journal_is_told_so(publisher: Publisher, builds: Path, explain: Explain) -> None:
    shutil.rmtree(builds / "journal")
    found = explain("/about-us")
    assert (facts_of(found).last, found.begins) == (None, "")
    assert facts_of(found).links.by


def test_going_back_is_said_beside_the_rendering(publisher: Publisher, book: ReleaseBook, explain: Explain) -> None:
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Another"
    book.release()
    publisher.publish()
    publisher.go_back(1, by="Anna")
    last = facts_of(explain("/about-us")).last
    assert last
    assert (last.entry.release, last.back and last.back.by) == (1, "Anna")


def test_a_restored_database_lends_nobody_else_s_name(
    publisher: Publisher, book: ReleaseBook, explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restore, the release of that number differs from the build's."""
    monkeypatch.setattr("portolan.publisher.explain._CLOCKS_DIFFER", timedelta(days=-1))
    last = facts_of(explain("/about-us")).last
    assert last
    assert last.release is None


def test_says_what_is_where_no_page_is(publisher: Publisher, book: ReleaseBook, explain: Explain) -> None:
    book.content["de", "page", "web"]["path"] = "/moved"
    del book.content["de", "page", "insights"]
    body = {"page": "about", "anchor": "", "address": "", "status": 302}
    book.content["de", "redirect", "/old/*"] = body
    book.release()
    publisher.publish()
    book.content["de", "page", "new"] = page("/new", "New")
    book.release()
    answers = {
        path: (found.answer, found.redirect and found.redirect.target, found.rule, found.former and found.former.title)
        for path in ("/services/web-development", "/company/insights", "/old/x", "/never", "/robots.txt", "/api/x")
        for found in [explain(path)]
    }
    assert answers == {
        "/services/web-development": (Answer.MOVED, "/moved", "", "Web de"),
        "/company/insights": (Answer.GONE, "", "", "Insights"),
        "/old/x": (Answer.MOVED, "/about-us", "/old/*", None),
        "/never": (Answer.MISSING, None, "", None),
        "/robots.txt": (Answer.FILE, None, "", None),
        "/api/x": (Answer.OTHER, None, "", None),
    }
    waiting = explain("/new").waiting
    assert waiting
    assert waiting.title == "New"
    assert [other.site for other in explain("/services/web-development").elsewhere] == ["ae", "en"]


def test_a_site_that_was_never_live_has_no_answer(publisher: Publisher, builds: Path, explain: Explain) -> None:
    assert "pl" not in read_live(builds).builds
    shutil.rmtree(builds)
    assert explain("/about-us").answer == Answer.NO_SITE


@pytest.mark.parametrize(
    ("text", "site", "expected"),
    [
        ("http://de.localhost:8000/about-us/?a=b#c", None, ("de", "/about-us")),
        ("https://brightmoor-de.example/about-us", None, ("de", "/about-us")),
        ("de.staging.brightmoor.example/", None, ("de", "/")),
        ("http://DE.localhost/about%2Dus", "de", ("de", "/about-us")),
        ("https://brightmoor-de.example:443/", None, ("de", "/")),
        ("/about-us", None, ("en", "/about-us")),
        ("about-us", "de", ("de", "/about-us")),
        ("/page-data/about-us/page-data.json", "de", ("de", "/about-us")),
    ],
)
def test_finds_the_address_that_is_meant(
    registry: Registry, text: str, site: str | None, expected: tuple[str, str]
) -> None:
    assert find_address(text, site, registry, 8000) == expected


@pytest.mark.parametrize(
    ("text", "site", "said"),
    [
        ("https://example.com/x", None, "example.com is not one of our sites"),
        ("http://de.localhost/x", "en", "a URL of site de, not of en"),
        ("http://de.localhost:9999/about-us", None, "not on this installation, whose port at de.localhost is 8000"),
        ("de.localhost:9999", None, "not on this installation"),
        ("https://brightmoor-de.example:8000/", None, "whose port at brightmoor-de.example is 443"),
        ("http://de.localhost:x/", None, "not on this installation"),
        ("/x", "xx", "There is no site 'xx'"),
    ],
)
def test_an_address_that_is_not_ours_is_refused(registry: Registry, text: str, site: str | None, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_address(text, site, registry, 8000)


def test_names_items_also_where_they_are_gone(publisher: Publisher, book: ReleaseBook) -> None:
    del book.content["de", "page", "contact"]
    book.release()
    reader = open_reader(book.url)
    names = ItemNames("de", reader)
    items = (
        WEB,
        CONTACT,
        PICTURE,
        ItemId("en", "office", "london"),
        ItemId("", "placeholder", "age"),
        ItemId("de", "news", ""),
    )
    assert [names.name(item) for item in items] == [
        "“Web de” (/services/web-development)",
        "“Contact de” (/contact-us)",
        "picture harbour.svg",
        "office London on en",
        "{age}",
        "any of its news",
    ]
    reader.close()


def test_every_cause_has_words() -> None:
    said = [
        say_reason(Reason(cause, ABOUT, ("news",)), "X", change) for cause in Cause for change in ("added", "removed")
    ]
    assert all(said)
    assert len(set(said)) > len(Cause)
