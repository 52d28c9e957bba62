"""Going back shows what the history entry showed, in the same document and after a new load (spec §2)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import CLICKED, LONGEST_PAUSE_MS, NewTab, Tab, data_of, heading

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
    tab.open(CASES)
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


def test_scroll_is_kept_as_it_is_when_the_next_page_comes(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open(ABOUT)
    scroll_to(tab, 200)
    with faults.hold(data_of("/contact-us")):
        tab.follow("/contact-us")
        faults.wait_for(data_of("/contact-us"))
        scroll_to(tab, 700)
    tab.expect_shown("/contact-us", heading(product, "/contact-us"))
    tab.page.go_back()
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    expect_scroll(tab, 700)
    assert tab.same_document


def test_offices_are_narrowed_again(tab: Tab, product: Product) -> None:
    tab.open(ABOUT)
    choices = tab.page.locator("main [role=group]").get_by_role("button")
    choices.nth(1).click()
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    by_document(tab, "/contact-us")
    tab.expect_shown("/contact-us", heading(product, "/contact-us"))
    tab.page.go_back()
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")


def test_a_browser_that_cannot_wait_with_the_address_loads_documents(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    """As Safari 26.2: the Navigation API is there, handlers before the commit are not."""
    tab = new_tab()
    tab.context.add_init_script(
        """delete window.NavigationPrecommitController;
        const { intercept } = NavigateEvent.prototype;
        NavigateEvent.prototype.intercept = function ({ precommitHandler, ...options }) {
            window.intercepted = true;
            intercept.call(this, options);
        };"""
    )
    tab.open("/")
    tab.point_and_follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert not tab.same_document
    assert tab.documents(ABOUT) == 1
    faults.add("/contact-us", status=503, body="<h1>Busy</h1>", headers={"content-type": "text/html"})
    tab.follow("/contact-us")
    tab.expect_at("/contact-us")
    expect(tab.page.locator("h1")).to_have_text("Busy")
    tab.page.go_back()
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert tab.page.evaluate("window.intercepted") is None
    assert faults.count(data_of(ABOUT)) + faults.count(data_of("/contact-us")) == 0


def test_a_request_that_a_blocker_cancels_is_left_to_the_browser(tab: Tab, product: Product, faults: Faults) -> None:
    tab.page.clock.install()
    tab.open("/")
    tries = 0

    def block(route: Route) -> None:
        nonlocal tries
        tries += 1
        route.abort("blockedbyclient")

    def came() -> bool:
        tab.page.clock.fast_forward(int(LONGEST_PAUSE_MS) + 1)
        return tab.documents(ABOUT) == 1

    tab.page.route(f"**{data_of(ABOUT)}", block)
    tab.follow(ABOUT)
    wait_until(came, "the document")
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert (tries, faults.count(data_of(ABOUT))) == (4, 0)
    assert not tab.same_document


def test_the_switcher_keeps_the_advertisements_click(tab: Tab, product: Product) -> None:
    tab.open(f"/{CLICKED}#how")
    switcher = tab.page.locator("[data-switcher]")
    switcher.locator("summary").click()
    expect(tab.page.locator("[data-switcher-place][data-ready]")).to_be_attached()
    link = switcher.locator("a[hreflang='de']")
    tab.page.route("http://de.*/**", lambda route: route.fulfill(body="<h1>Deutsch</h1>", content_type="text/html"))
    link.click()
    expect(tab.page).to_have_url(f"{product.origin('de')}/{CLICKED}#how")
