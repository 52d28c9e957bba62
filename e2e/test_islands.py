"""Islands: parts of a static page that React wakes when they are wanted; the event that woke them is not lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .product import Product


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    yield page
    context.close()


def test_the_click_that_wakes_the_office_filter_filters(product: Product, page: Page) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.goto(product.origin("en") + "/about-us")
    filter_ = page.locator("[data-island]").filter(has=page.locator("[role=group]"))
    choices = filter_.get_by_role("button")
    cards = page.locator("#offices li:visible, [id='offices'] li:visible")
    everything = cards.count()
    assert everything >= 16
    choices.nth(1).click()
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(choices.first).to_have_attribute("aria-pressed", "false")
    expect(filter_.get_by_role("status")).not_to_be_empty()
    assert 0 < cards.count() < everything
    choices.first.click()
    expect(choices.first).to_have_attribute("aria-pressed", "true")
    assert cards.count() == everything
    assert problems == []


def test_react_is_fetched_only_when_the_page_has_loaded(product: Product, page: Page) -> None:
    with page.expect_event("requestfinished", lambda request: "/assets/react-" in request.url):
        page.goto(product.origin("en") + "/")
    scripts = page.evaluate(
        """() => {
            const loaded = performance.getEntriesByType('navigation')[0].loadEventStart;
            const scripts = performance.getEntriesByType('resource').filter(({name}) => name.endsWith('.js'));
            return scripts.map(({name, startTime}) => [name, startTime < loaded]);
        }"""
    )
    before_load = [name for name, early in scripts if early]
    assert len(before_load) == 1, scripts
    assert "browser" in before_load[0]


def test_the_language_switcher_opens_and_escape_gives_focus_back(product: Product, page: Page) -> None:
    page.goto(product.origin("ae") + "/about-us")
    switcher = page.locator("[data-switcher]")
    switcher.locator("summary").click()
    expect(switcher).to_have_attribute("open", "")
    assert switcher.locator("a[hreflang='de']").get_attribute("href") == product.origin("de") + "/about-us"
    expect(page.locator("[data-island][data-awake]").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(switcher).not_to_have_attribute("open", "")
    expect(switcher.locator("summary")).to_be_focused()


def test_the_language_list_goes_with_the_mouse_that_opened_it(product: Product, page: Page) -> None:
    """A click leaves the focus on the button, in Chromium, and does not mean that anybody uses the keyboard."""
    page.goto(product.origin("en") + "/about-us")
    switcher = page.locator("[data-switcher]")
    button = switcher.locator("summary")
    button.hover()
    expect(page.locator("[data-switcher-place] [data-awake]")).to_be_attached()
    button.click()
    switcher.locator("a").last.hover()
    expect(switcher).to_have_attribute("open", "")
    page.mouse.move(640, 600)
    expect(switcher).not_to_have_attribute("open", "")
    button.click()
    expect(switcher).to_have_attribute("open", "")
    button.click()
    expect(switcher).not_to_have_attribute("open", "")
