"""The menu on small screens (spec §2, §4)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .product import Product
from .test_header import open_page, panel, trigger


@pytest.fixture
def phone(browser: Browser) -> Iterator[BrowserContext]:
    # A finger is put where something stands, which is not where it is while it slides in (test_motion.py).
    context = browser.new_context(viewport={"width": 375, "height": 800}, has_touch=True, reduced_motion="reduce")
    yield context
    context.close()


def test_the_mobile_menu_is_a_stack_that_keeps_the_focus(product: Product, phone: BrowserContext) -> None:
    page = open_page(phone, product, "en")
    burger, menu = page.locator("[data-burger]"), page.locator("[data-menu]")
    page.evaluate("window.scrollTo({top: 300, behavior: 'instant'})")
    name = burger.get_attribute("aria-label")
    burger.click()
    expect(menu).to_be_visible()
    expect(burger).to_have_attribute("aria-expanded", "true")
    assert burger.get_attribute("aria-label") != name
    first = trigger(page, 0)
    expect(first).to_be_focused()
    assert page.locator("main").get_attribute("inert") is not None
    page.mouse.wheel(0, 500)
    first.click()
    expect(panel(page, 0)).to_be_visible()
    back = panel(page, 0).locator("[data-back]")
    expect(back).to_be_focused()
    back.click()
    expect(panel(page, 0)).to_be_hidden()
    expect(first).to_be_focused()
    first.click()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(panel(page, 0)).to_be_hidden()
    expect(burger).to_be_focused()
    expect(burger).to_have_attribute("aria-label", name or "")
    assert page.locator("[inert]").count() == 0
    assert page.evaluate("window.scrollY") == 300
    burger.click()
    expect(menu).to_be_visible()
    expect(page.locator("[data-panel]:popover-open")).to_have_count(0)


def test_tab_goes_round_inside_the_mobile_menu_which_a_wider_window_closes(
    product: Product, phone: BrowserContext
) -> None:
    page = open_page(phone, product, "en")
    page.locator("[data-burger]").click()
    expect(trigger(page, 0)).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("[data-burger]")).to_be_focused()
    for _ in range(30):
        page.keyboard.press("Tab")
        inside = page.evaluate("document.activeElement.closest('[data-menu], [data-burger]') !== null")
        assert inside
    expect(page.locator("[data-menu]")).to_be_visible()
    page.set_viewport_size({"width": 1100, "height": 800})
    expect(page.locator("[data-menu]:popover-open")).to_have_count(0)
    assert page.locator("[inert]").count() == 0
    page.evaluate("window.scrollTo({top: 200, behavior: 'instant'})")
    assert page.evaluate("window.scrollY") == 200
