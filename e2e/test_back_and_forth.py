"""Going back restores the view of the history entry, in the same document and after a new load (spec §2)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .faults import wait_until
from .product import Product
from .tabs import Tab, heading

ABOUT = "/about-us"
CASES = "/project-cases"
NEWS = "/company/insights"
HASHED = f"{ABOUT}#principles"

Leave = Callable[[Tab, str], None]


def in_place(tab: Tab, path: str) -> None:
    tab.follow(path)


def by_document(tab: Tab, path: str) -> None:
    """Browsers of journeys keep no page that was left, so going back loads its document."""
    tab.page.goto(tab.origin + path)


both_ways = pytest.mark.parametrize("leave", [in_place, by_document])


def rows(tab: Tab) -> Locator:
    return tab.page.locator("main li[data-id]").filter(visible=True)


def scroll_of(tab: Tab) -> int:
    height: float = tab.page.evaluate("scrollY")
    return round(height)


def scroll_to(tab: Tab, height: int) -> None:
    tab.page.evaluate("height => scrollTo({ top: height, behavior: 'instant' })", height)
    expect_scroll(tab, height)


def expect_scroll(tab: Tab, height: int) -> None:
    wait_until(lambda: abs(scroll_of(tab) - height) <= 1, lambda: f"scrolled to {height}, is at {scroll_of(tab)}")


def test_back_from_the_menus_link_to_a_narrowed_list_narrows_it_again(tab: Tab, product: Product) -> None:
    tab.open("/")
    tab.follow(CASES)
    tab.expect_shown(CASES, heading(product, CASES))
    everything = rows(tab).count()
    choice = tab.page.locator("a[href^='?technology=']").first
    narrowed = f"{CASES}{choice.get_attribute('href')}"
    choice.click()
    tab.expect_at(narrowed)
    wait_until(lambda: 0 < rows(tab).count() < everything, "narrowed")
    fewer = rows(tab).count()
    tab.follow(CASES)
    tab.expect_at(CASES)
    expect(rows(tab)).to_have_count(everything)
    tab.page.go_back()
    tab.expect_at(narrowed)
    expect(rows(tab)).to_have_count(fewer)
    tab.page.go_back()
    tab.expect_at(CASES)
    expect(rows(tab)).to_have_count(everything)
    for address, count in ((narrowed, fewer), (CASES, everything)):
        tab.page.go_forward()
        tab.expect_at(address)
        expect(rows(tab)).to_have_count(count)
    assert tab.same_document


@both_ways
def test_more_news_are_there_again_and_the_reader_is_where_they_were(tab: Tab, product: Product, leave: Leave) -> None:
    tab.open(NEWS)
    published = rows(tab).count()
    tab.page.locator("[data-more-news] button").click()
    wait_until(lambda: rows(tab).count() > published, "more news")
    count = rows(tab).count()
    place: int = tab.page.evaluate("document.documentElement.scrollHeight - innerHeight - 10")
    scroll_to(tab, place)
    leave(tab, ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    tab.page.go_back()
    tab.expect_at(NEWS)
    expect(rows(tab)).to_have_count(count)
    expect_scroll(tab, place)


@both_ways
def test_back_to_an_address_with_a_hash_is_where_the_reader_was(tab: Tab, product: Product, leave: Leave) -> None:
    tab.open(HASHED)
    scroll_to(tab, 300)
    leave(tab, "/contact-us")
    tab.expect_shown("/contact-us", heading(product, "/contact-us"))
    tab.page.go_back()
    tab.expect_shown(HASHED, heading(product, ABOUT))
    expect_scroll(tab, 300)
