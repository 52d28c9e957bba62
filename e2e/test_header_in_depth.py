"""The header touched by a finger: sub-menus on a wide screen, and tabs of the mobile menu in both directions."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .product import Product
from .test_header import open_page, panel, tabs_of, trigger


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    # A finger is put where something stands, which is not where it is while it slides in (test_motion.py).
    context = browser.new_context(viewport={"width": 375, "height": 800}, has_touch=True, reduced_motion="reduce")
    yield context
    context.close()


END = """tab => {
    const [box, list] = [tab, tab.parentElement].map((element) => element.getBoundingClientRect());
    return (document.dir === 'rtl' ? list.right - box.left : box.right - list.left) / list.width;
}"""
"""Where a tab ends, the way the page reads; its list is 1 wide."""
FADES_FROM = 0.8


@pytest.mark.parametrize("site", ("en", "ae"))
def test_tabs_fade_where_there_are_more_and_a_tap_brings_one_whole(
    product: Product, phone: BrowserContext, site: str
) -> None:
    page = open_page(phone, product, site)
    page.locator("[data-burger]").tap()
    tabs = tabs_of(page)
    tabs.evaluate_all("tabs => tabs.forEach((tab) => { tab.style.inlineSize = '70%' })")
    fade = tabs.first.evaluate("tab => getComputedStyle(tab.parentElement).maskImage")
    assert fade.startswith(f"linear-gradient({90 if site == 'en' else -90}deg")
    second = tabs.nth(1)
    assert second.evaluate(END) > 1
    box = second.bounding_box()
    assert box
    start = box["x"] + 5 if site == "en" else box["x"] + box["width"] - 5
    page.touchscreen.tap(start, box["y"] + box["height"] / 2)
    expect(second).to_have_attribute("aria-selected", "true")
    assert second.evaluate(END) <= FADES_FROM + 0.01
    page.keyboard.press("End")
    expect(tabs.last).to_be_focused()
    assert tabs.last.evaluate(END) <= FADES_FROM + 0.01


def test_a_touch_opens_and_does_not_follow(product: Product, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
    page = open_page(context, product, "en")
    address = page.url
    trigger(page, 0).tap()
    expect(panel(page, 0)).to_be_visible()
    trigger(page, 1).tap()
    expect(panel(page, 1)).to_be_visible()
    expect(panel(page, 0)).to_be_hidden()
    trigger(page, 1).tap()
    expect(panel(page, 1)).to_be_hidden()
    assert page.url == address
    context.close()
