"""Cards in a publish: lists made of them, the facts of their pages, and the pages that a change reaches."""

from pathlib import Path
from typing import Any, get_args

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.builds.store import ContentStore
from portolan.content.blocks.news_list import NewsListBlock
from portolan.content.blocks.project_list import ProjectListBlock
from portolan.content.blocks.project_teasers import ProjectTeasersBlock
from portolan.content.page_content import PageContent
from portolan.domain.cards import CARD_KINDS, FACT_LISTS
from portolan.publisher.addresses import Addresses
from portolan.publisher.page_content import FACTS
from portolan.schemas.base import wire_names
from portolan.schemas.page import PageFacts
from portolan.schemas.project import ProjectCard

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, add_article, page, project
from .test_page_content import Release


@pytest.fixture
def news(book: ReleaseBook) -> ReleaseBook:
    """The book with a listing of eleven articles on the English site, the newest first."""
    block = NewsListBlock().snapshot({"title": "News"}, "list", {})
    book.content["en", "page", "insights"] = page(
        "/company/insights", "Insights", parent="home", template="listing", blocks=[block]
    )
    for number in range(1, 12):
        add_article(book, "en", number)
    return book


def rendered_after(change: Any, book: ReleaseBook, make_publisher: MakePublisher) -> set[str]:
    """Paths of the English pages that a publish renders again after ``change``."""
    renderer = FakeRenderer()
    publisher = make_publisher(renderer)
    book.release()
    publisher.publish()
    renderer.rendered.clear()
    change()
    book.release()
    publisher.publish()
    return {path for site, path in renderer.rendered if site == "en"}


def test_every_family_with_a_card_has_facts() -> None:
    schemas = {schema.model_fields["family"].annotation: schema for schema in get_args(get_args(PageFacts)[0])}
    named = {
        get_args(page_type)[0]: {field.alias for field in schema.model_fields.values()} - {"family"}
        for page_type, schema in schemas.items()
    }
    assert named == {page_type: {*names, *FACT_LISTS.get(page_type, {})} for page_type, names in FACTS.items()}
    assert FACT_LISTS["case-study"]["related"]["pick"] == wire_names(ProjectCard)
    assert set(FACTS) == set(CARD_KINDS)


def test_a_list_holds_the_newest_and_links_to_all(news: ReleaseBook, addresses: Addresses) -> None:
    release = Release(news, addresses)
    content = release.content("en", "/company/insights")
    PageContent.model_validate(content, by_alias=True, by_name=False)
    block = content["blocks"][1]
    assert [article["title"] for article in block["articles"]] == [f"Article {n}" for n in range(11, 2, -1)]
    assert [link["href"] for link in block["archive"]] == [
        f"/company/insights/article-{number}" for number in range(11, 0, -1)
    ]
    assert block["articles"][0]["previewImage"]["url"] == "/media/harbour.svg"


def test_an_article_knows_its_date_and_stands_below_its_listing(news: ReleaseBook, addresses: Addresses) -> None:
    content = Release(news, addresses).content("en", "/company/insights/article-3")
    facts = content["facts"]
    assert (facts["family"], facts["id"], facts["title"]) == ("article", "article-3", "Article 3")
    assert facts["date"] == "2026-03-03"
    assert facts["previewImage"]["url"] == "/media/harbour.svg"
    assert [link["href"] for link in content["breadcrumb"]] == ["/", "/company/insights"]
    assert content["header"] == "solid"
    whole = PageContent.model_validate(content, by_alias=True, by_name=False)
    assert whole.model_dump(mode="json", by_alias=True) == content


def test_a_page_without_its_card_has_no_facts(news: ReleaseBook, addresses: Addresses) -> None:
    del news.content["en", "news", "article-3"]
    assert Release(news, addresses).content("en", "/company/insights/article-3")["facts"] is None


def test_a_list_of_projects_holds_cards_and_no_more(book: ReleaseBook, addresses: Addresses) -> None:
    block = ProjectListBlock().snapshot({"title": "Cases"}, "list", {})
    book.content["en", "page", "cases"] = page("/project-cases", template="listing", blocks=[block])
    book.content["en", "page", "lumen"] = page("/project-cases/lumen", template="case-study", parent="cases")
    book.content["en", "project", "lumen"] = project("lumen")
    release = Release(book, addresses)
    (card,) = release.content("en", "/project-cases")["blocks"][1]["projects"]
    assert ProjectCard.model_validate(card, by_alias=True, by_name=False).link.href == "/project-cases/lumen"
    facts = release.content("en", "/project-cases/lumen")["facts"]
    assert (facts["client"], facts["industries"][0]["name"]) == ("Brightmoor's own client", "Healthcare")


def test_the_anchor_menu_is_filled(book: ReleaseBook, addresses: Addresses) -> None:
    book.content["en", "page", "web"]["anchors"] = [{"anchor": "results", "title": "{age} years"}]
    assert Release(book, addresses).content("en", "/services/web-development")["anchors"] == [
        {"anchor": "results", "title": "19 years"}
    ]


def test_a_changed_card_reaches_its_page_and_the_lists(news: ReleaseBook, make_publisher: MakePublisher) -> None:
    def change() -> None:
        news.content["en", "news", "article-5"]["value"]["date"] = "2026-03-09"

    assert rendered_after(change, news, make_publisher) == {"/company/insights", "/company/insights/article-5"}


def test_a_card_that_the_list_does_not_show_leaves_it_alone(news: ReleaseBook, make_publisher: MakePublisher) -> None:
    def change() -> None:
        news.content["en", "news", "article-1"]["value"]["summary"] = "The tenth and older have only a link."

    assert rendered_after(change, news, make_publisher) == {"/company/insights/article-1"}


def test_a_picture_of_a_card_reaches_its_page_and_the_lists(news: ReleaseBook, make_publisher: MakePublisher) -> None:
    def change() -> None:
        news.content["", "picture", "1"]["width"] = 801

    articles = {f"/company/insights/article-{number}" for number in range(1, 12)}
    assert rendered_after(change, news, make_publisher) == {
        "/company/insights", "/services/web-development", *articles,
    }  # fmt: skip


def test_a_new_address_of_an_article_reaches_the_lists(
    news: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path
) -> None:
    def change() -> None:
        news.content["en", "page", "article-11"]["path"] = "/company/insights/renamed"

    assert rendered_after(change, news, make_publisher) == {"/company/insights", "/company/insights/renamed"}
    assert b'href="/company/insights/renamed"' in read(tmp_path, "/company/insights")
    assert b"/company/insights/renamed</loc>" in read(tmp_path, "/sitemap.xml")


def test_a_card_that_is_gone_leaves_the_lists(news: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path) -> None:
    def change() -> None:
        del news.content["en", "page", "article-11"], news.content["en", "news", "article-11"]

    assert rendered_after(change, news, make_publisher) == {"/company/insights"}
    assert b"article-11" not in read(tmp_path, "/company/insights")


def read(tmp_path: Path, path: str) -> bytes:
    builds = tmp_path / "builds"
    manifest = read_manifest(builds, "en", read_live(builds).builds["en"])
    content = ContentStore(builds).read(manifest.files[path].digest)
    assert content
    return content


def test_a_count_reaches_the_page_that_shows_it(book: ReleaseBook, make_publisher: MakePublisher) -> None:
    book.content["en", "page", "web"]["blocks"].append(
        {"type": "testimonials", "id": "t", "tone": "paper", "anchor": None, "total": {"$count": "review"}}
    )

    def change() -> None:
        book.content["en", "review", "one"] = {"order": 1, "value": {"id": "one"}}

    assert rendered_after(change, book, make_publisher) == {"/services/web-development"}


@pytest.fixture
def cases(book: ReleaseBook) -> ReleaseBook:
    """The book with three case studies: a port and a bank in one industry, a clinic in another. The bank is placed on
    the English page for the web. The home page shows the ranked ones, and the web page those placed on it. Each case
    study shows its relatives, in a block and in its facts.
    """

    def teasers(source: str) -> Any:
        return ProjectTeasersBlock().snapshot({"title": "Cases", "source": source, "limit": 2}, source, {})

    put = book.content.__setitem__
    for order, (key, industry, rank) in enumerate(
        [("port", "logistics", 1), ("clinic", "health", 2), ("bank", "logistics", None)]
    ):
        block = teasers("related")
        put(("en", "page", key), page(f"/project-cases/{key}", key, template="case-study", blocks=[block]))
        card = project(key)
        card["order"] = order
        card["value"] |= {"rank": rank, "industries": [{"facet": "industry", "slug": industry, "name": industry}]}
        put(("en", "project", key), card)
    book.content["en", "project", "bank"]["pages"] = ["web"]
    book.content["en", "page", "home"]["blocks"].append(teasers("top"))
    book.content["en", "page", "web"]["blocks"].append(teasers("placed"))
    return book


def test_teasers_show_what_their_page_is_to_show(cases: ReleaseBook, addresses: Addresses) -> None:
    release = Release(cases, addresses)

    def titles(path: str) -> list[str]:
        content = release.content("en", path)
        PageContent.model_validate(content, by_alias=True, by_name=False)
        return [card["title"] for card in content["blocks"][-1]["projects"]]

    assert titles("/") == ["Port", "Clinic"]
    assert titles("/services/web-development") == ["Bank"]
    assert titles("/project-cases/port") == ["Bank"]
    assert titles("/project-cases/bank") == ["Port"]
    assert titles("/project-cases/clinic") == []
    for path, related in (("/project-cases/port", ["Bank"]), ("/project-cases/clinic", [])):
        assert [card["title"] for card in release.content("en", path)["facts"]["related"]] == related


@pytest.mark.parametrize(
    ("key", "field", "value", "reached"),
    [
        ("port", "summary", "Two records.", {"/", "/project-cases/bank"}),
        ("clinic", "summary", "Two records.", {"/"}),
        ("bank", "summary", "Two records.", {"/services/web-development", "/project-cases/port"}),
        ("bank", "rank", 3, set()),
        ("clinic", "rank", None, {"/"}),
    ],
)
def test_an_edited_case_study_reaches_the_pages_that_show_it(
    cases: ReleaseBook, make_publisher: MakePublisher, key: str, field: str, value: Any, reached: set[str]
) -> None:
    def change() -> None:
        cases.content["en", "project", key]["value"][field] = value

    assert rendered_after(change, cases, make_publisher) == reached


def test_a_case_study_that_is_placed_elsewhere_changes_the_pages_it_leaves_and_comes_to(
    cases: ReleaseBook, make_publisher: MakePublisher
) -> None:
    mobile = cases.content["en", "page", "mobile"]
    mobile["blocks"].append(cases.content["en", "page", "web"]["blocks"][-1])

    def change() -> None:
        cases.content["en", "project", "bank"]["pages"] = ["mobile"]

    assert rendered_after(change, cases, make_publisher) == {
        "/services/web-development",
        "/services/mobile-development",
    }


def test_the_facts_of_a_case_study_follow_its_relatives(cases: ReleaseBook, make_publisher: MakePublisher) -> None:
    for key in ("port", "clinic", "bank"):
        del cases.content["en", "page", key]["blocks"][-1]

    def change() -> None:
        industries = cases.content["en", "project", "bank"]["value"]["industries"]
        cases.content["en", "project", "clinic"]["value"]["industries"] = industries

    assert rendered_after(change, cases, make_publisher) == {
        "/", "/project-cases/port", "/project-cases/clinic", "/project-cases/bank",
    }  # fmt: skip
