"""Islands and other elements of a static page start on demand; the event that started them is kept."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .product import Product


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    yield page
    context.close()


def test_the_click_that_brings_the_office_filter_s_code_filters(product: Product, page: Page) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.goto(product.origin("en") + "/about-us")
    filter_ = page.locator("[data-office-filter]")
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


def test_what_islands_need_is_fetched_when_somebody_comes_near_to_one(product: Product, page: Page) -> None:
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url))
    of_islands = ("/assets/react-", "/assets/hydrate-", "/assets/lead-form-", "/__captcha")

    def asked() -> list[str]:
        return [url for url in scripts if any(name in url for name in of_islands)]

    with page.expect_response("**/page-data/app-data.json"):  # the page runtime has come, and what comes by itself
        page.goto(product.origin("en") + "/contact-us")
    assert asked() == [], "that the form is in sight does not say that anybody is there"
    with page.expect_event("requestfinished", lambda request: "/assets/lead-form-" in request.url):
        page.mouse.move(3, 3)
        page.mouse.move(5, 5)
    assert page.locator("[data-awake]").count() == 0
    assert not any("/__captcha" in url for url in asked())
    with page.expect_response("**/__captcha"):
        page.locator("form[data-form] textarea").click()
    expect(page.locator("[data-island=lead-form]")).to_have_attribute("data-awake", "")


def test_a_page_without_islands_never_fetches_what_they_need(product: Product, page: Page) -> None:
    scripts: list[str] = []
    page.on("request", lambda request: scripts.append(request.url))
    page.goto(product.origin("en") + "/privacy-policy")
    page.locator("[data-switcher] summary").click()
    expect(page.locator("[data-switcher-place][data-ready]")).to_be_attached()
    page.locator("footer").scroll_into_view_if_needed()
    loaded = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventStart")
    early = page.evaluate(
        """loaded => performance.getEntriesByType('resource')
            .filter(({name, startTime}) => name.endsWith('.js') && startTime < loaded).map(({name}) => name)""",
        loaded,
    )
    assert all("/assets/browser-" in url for url in early), early
    assert [url for url in scripts if "/assets/react-" in url] == []


def test_a_form_that_breaks_is_static_again(product: Product, page: Page) -> None:
    """React reports the error to the browser; other runtimes must report it in their own way."""
    broken = "export function LeadForm() { throw new Error('never draws') }"
    page.route("**/assets/lead-form-*.js", lambda route: route.fulfill(content_type="text/javascript", body=broken))
    page.goto(product.origin("en") + "/contact-us")
    field = page.locator("form[data-form] textarea")
    before = page.locator("form[data-form]").inner_html()
    with page.expect_console_message(lambda message: "is static again" in message.text):
        field.click()
    expect(field).to_be_visible()
    assert page.locator("form[data-form]").inner_html() == before


def test_the_language_list_goes_with_the_mouse_that_opened_it(product: Product, page: Page) -> None:
    """A click leaves the focus on the button, in Chromium, and does not mean that anybody uses the keyboard."""
    page.goto(product.origin("en") + "/about-us")
    switcher = page.locator("[data-switcher]")
    button = switcher.locator("summary")
    button.hover()
    expect(page.locator("[data-switcher-place][data-ready]")).to_be_attached()
    button.click()
    switcher.locator("a").last.hover()
    expect(switcher).to_have_attribute("open", "")
    page.mouse.move(640, 600)
    expect(switcher).not_to_have_attribute("open", "")
    button.click()
    expect(switcher).to_have_attribute("open", "")
    button.click()
    expect(switcher).not_to_have_attribute("open", "")
