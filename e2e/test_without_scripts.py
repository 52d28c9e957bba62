"""Check pages in a browser without scripts: all controls work, all texts are visible, and only the country is stored."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .product import Product
from .tabs import heading
from .test_consent import shown
from .test_header import panel, trigger
from .test_lists import ids
from .test_visitor import phones

LISTS = {
    "/project-cases": ("main li[data-id]", "content/projects/full-cards"),
    "/company/insights": ("main details a[href^='/company/insights/']", "content/news"),
    "/events": ("[data-events] > li", "content/events"),
}
"""The selector of a row, and the read of the content API that returns all rows, by path."""
NEEDS_A_SCRIPT = "button:not([type=submit], [popovertarget], [commandfor], [form])"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(java_script_enabled=False, viewport={"width": 1280, "height": 900}) as context:
        yield context.new_page()


def test_pages_are_whole_and_no_button_is_dead(product: Product, page: Page) -> None:
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on("response", lambda reply: failed.append(reply.url) if reply.status >= 400 else None)
    for path in ("/", "/about-us", "/estimate", *LISTS):
        page.goto(product.origin("en") + path)
        expect(page.locator("main h1")).to_have_text(heading(product, path))
        expect(page.locator("main h1")).to_be_visible()
        dead = page.locator(NEEDS_A_SCRIPT).filter(visible=True)
        assert [button.inner_text() for button in dead.all()] == [], path
        if path in LISTS:
            row, read = LISTS[path]
            closed = page.locator("main details:not([open]) > summary")
            while closed.count():
                closed.first.click()
            expect(page.locator(row).filter(visible=True)).to_have_count(len(ids(product, "en", read)))
    assert failed == []


def test_links_of_menu_footer_and_language_list_can_be_followed(product: Product, page: Page) -> None:
    origin = product.origin("en")
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(origin + "/")
    page.locator("[data-burger]").click()
    trigger(page, 0).click()
    link = panel(page, 0).locator("a").first
    href = link.get_attribute("href")
    link.click()
    expect(page).to_have_url(f"{origin}{href}")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("footer a[href='/contact-us']").last.click()
    expect(page).to_have_url(origin + "/contact-us")
    page.locator("[data-switcher] summary").click()
    expect(page.locator("[data-switcher] a[hreflang='de']")).to_be_visible()


def test_everybody_is_shown_the_default_and_asked_nothing(product: Product, page: Page) -> None:
    for site in ("en", "de"):
        page.context.add_cookies([{"name": "country_code", "value": "de", "url": product.origin(site)}])
    page.goto(product.origin("en") + "/")
    assert page.locator("footer [data-phone-id]:visible").all_inner_texts() == [phones(product)[""]]
    assert page.locator("footer [data-sets]:visible").count() >= 4
    page.goto(product.origin("de") + "/")
    assert shown(page) == []
    expect(page.locator("footer [data-consent-settings]")).to_be_hidden()
    expect(page.locator("footer a[href='/cookies-policy']")).to_be_visible()
    assert {cookie["name"] for cookie in page.context.cookies()} == {"country_code"}
    page.goto(product.origin("ae") + "/")
    assert page.evaluate("getComputedStyle(document.body).direction") == "rtl"
