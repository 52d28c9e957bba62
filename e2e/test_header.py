"""The header (spec §2, §4) as a browser lays it out. Unit tests check sub-menus, keys, and the request for news:
``web/src/features/header``, ``web/src/runtime/parts/tabs.test.ts``.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .product import Product
from .touched_header import touch_header


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def open_page(context: BrowserContext, product: Product, site: str, path: str = "/", *, clock: bool = False) -> Page:
    page = context.new_page()
    if clock:
        page.clock.install()
    page.goto(product.origin(site) + path)
    touch_header(page)
    if clock:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    return page


def trigger(page: Page, number: int) -> Locator:
    return page.locator("[data-submenu] > div > button[aria-expanded]").nth(number)


def panel(page: Page, number: int) -> Locator:
    return page.locator("[data-panel]").nth(number)


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def go(
    page: Page, start: tuple[float, float], end: tuple[float, float], steps: int, step_ms: int, jitter: float
) -> None:
    """A pointer trace: so many steps, each taking its time, off the line now to one side and now to the other."""
    for step in range(1, steps + 1):
        part = step / steps
        off = jitter * (1 if step % 2 else -1) if step < steps else 0
        page.mouse.move(start[0] + (end[0] - start[0]) * part + off, start[1] + (end[1] - start[1]) * part)
        page.clock.run_for(step_ms)


def test_on_its_way_to_the_panel_the_pointer_may_cross_others(product: Product, context: BrowserContext) -> None:
    """From right to left, where the panel's edges are mirrored."""
    page = open_page(context, product, "ae", clock=True)
    start = middle(trigger(page, 1))
    page.mouse.move(*start)
    page.clock.run_for(200)
    expect(panel(page, 1)).to_be_visible()
    neighbour = middle(trigger(page, 0))
    box = panel(page, 1).bounding_box()
    assert box
    # Aslant, so that the way to the panel leads over the neighbour.
    end = (neighbour[0] + (neighbour[0] - start[0]) * 0.4, box["y"] + 30)
    go(page, start, end, steps=14, step_ms=15, jitter=2)
    page.clock.run_for(500)
    expect(panel(page, 1)).to_be_visible()
    page.mouse.move(640, 890)
    page.clock.run_for(300)
    expect(panel(page, 1)).to_be_hidden()


def test_with_the_keyboard(product: Product, context: BrowserContext) -> None:
    page, key = open_page(context, product, "en"), "Enter"
    button = trigger(page, 0)
    button.focus()
    page.keyboard.press(key)
    expect(panel(page, 0)).to_be_visible()
    expect(button).to_be_focused()
    page.keyboard.press("Tab")
    expect(panel(page, 0).locator("a, [role=tab]").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel(page, 0)).to_be_hidden()
    expect(button).to_be_focused()
    page.keyboard.press(key)
    page.keyboard.press(key)
    expect(panel(page, 0)).to_be_hidden()
    page.keyboard.press(key)
    expect(panel(page, 0)).to_be_visible()
    page.locator("[data-header] > a").first.focus()
    expect(panel(page, 0)).to_be_hidden()
    assert page.locator("[role=menu], [role=menubar]").count() == 0


def tabs_of(page: Page) -> Locator:
    """Of the last sub-menu that has tabs, which is opened: on the international site that of insights."""
    item = page.locator("[data-submenu]").filter(has=page.locator("[data-tabs]")).last
    item.locator("> div > button[aria-expanded]").click()
    tabs = item.locator("[data-tabs] [role=tab]")
    expect(tabs.first).to_be_visible()
    return tabs


def test_the_news_is_asked_for_once_and_only_when_shown(product: Product, context: BrowserContext) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if "/news/pagination" in request.url else None)
    page = open_page(context, product, "en")
    articles = page.locator("[data-menu-news] li")
    tabs = tabs_of(page)
    assert asked == []  # the panel is open, its first tab is another
    tabs.last.click()
    expect(articles).to_have_count(3)
    page.reload()
    touch_header(page)
    tabs_of(page).last.click()
    expect(articles).to_have_count(3)
    assert asked == [product.origin("en") + "/api/content/news/pagination?page=1&perPage=3"]
