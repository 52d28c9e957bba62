"""Fill the items of a menu from the pages that they choose."""

from typing import Any

import pytest

from portolan.domain.references import resolve
from portolan.publisher.chosen_pages import ChosenPage, fill_chosen_pages, list_chosen_pages, read_chosen_page
from portolan.releases.index import Page
from portolan.releases.reader import ItemId

PICTURE = {"$picture": "1", "alt": "A harbour"}
OTHER = {"$picture": "2", "alt": ""}
PAGES = {"web": ChosenPage("Web by {company}", "Sites and shops.", PICTURE), "bare": ChosenPage("Bare", "", None)}


def item(title: str, page: str | None, description: str = "", img: Any = None, links: Any = ()) -> dict[str, Any]:
    url = {"$page": page, "title": title} if page else None
    return {"title": title, "description": description, "url": url, "img": img, "linkList": [*links]}


def menu(*submenu: dict[str, Any]) -> Any:
    return {"items": [{"key": "services", "title": "Services", "submenu": [*submenu]}], "contact": None}


@pytest.mark.parametrize(
    ("before", "title", "description", "img"),
    [
        (item("", "web"), "Web by {company}", "Sites and shops.", PICTURE),
        (item("", "web", "Our own words", OTHER), "Web by {company}", "Our own words", OTHER),
        (item("", "bare"), "Bare", "", None),
        (item("Typed", "web"), "Typed", "", None),
        (item("", "gone"), "", "", None),
        (item("Tab", None), "Tab", "", None),
    ],
)
def test_an_item_without_a_title_shows_its_page(before: Any, title: str, description: str, img: Any) -> None:
    [found] = fill_chosen_pages(menu(before), PAGES.get)["items"][0]["submenu"]
    assert (found["title"], found["description"], found["img"]) == (title, description, img)
    assert found["url"] is None or found["url"]["title"] == title


def test_a_link_of_a_tab_shows_the_title_of_its_page() -> None:
    links = [{"$page": "web", "title": ""}, {"$page": "web", "title": "Typed"}, {"$url": "/x", "title": "Address"}]
    given = menu(item("Tab", None, links=links))
    [found] = fill_chosen_pages(given, PAGES.get)["items"][0]["submenu"]
    assert [link["title"] for link in found["linkList"]] == ["Web by {company}", "Typed", "Address"]
    assert links[0]["title"] == "", "the frozen menu stays as it is"
    assert [*list_chosen_pages(given)] == ["web"]


class FewItems:
    """Bodies of two pages, one with a card."""

    card = {"value": {"id": "c", "summary": "The card says it.", "cover": OTHER}}
    page = {
        "title": "Case",
        "head": {"description": "For search engines."},
        "blocks": [{"type": "text"}, {"type": "hero", "picture": PICTURE}],
    }

    def page_body(self, page: Page) -> Any:
        return self.page

    def body(self, id: ItemId) -> Any:
        return self.card if id.kind == "project" else None


@pytest.mark.parametrize(
    ("page_type", "teaser", "picture"),
    [("case-study", "The card says it.", OTHER), ("service", "For search engines.", PICTURE)],
)
def test_a_card_goes_before_the_head_and_the_hero(page_type: str, teaser: str, picture: Any) -> None:
    page = Page("en", "case", "/case", page_type, "Case", None, None, False)
    found = read_chosen_page(page, FewItems())  # type: ignore[arg-type]
    assert found == ChosenPage("Case", teaser, picture)
    assert resolve(found.title, None) == "Case"  # type: ignore[arg-type]
