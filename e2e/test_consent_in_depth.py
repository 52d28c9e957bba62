"""The consent notice with the keyboard, at 400 percent, and where it saves by itself (spec §4)."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .product import Product
from .test_consent import ALL, accept, choice, notice, open_page, shown


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


def test_the_notice_saves_by_itself_and_stays_until_it_is_seen(product: Product, context: BrowserContext) -> None:
    records: list[str] = []
    context.on("request", lambda request: records.append(request.url) if "__consent" in request.url else None)
    page = open_page(context, product, "de")
    assert (shown(page), choice(context)) == (["small"], ALL)
    page.reload()
    assert shown(page) == ["small"]
    assert records == []  # nobody has chosen anything yet
    accept(page).click()
    expect(notice(page, "small")).to_be_hidden()
    page.reload()
    assert shown(page) == []


def test_it_comes_first_and_traps_nobody(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", "de")
    page.keyboard.press("Tab")
    expect(page.locator("[data-skip]")).to_be_focused()
    controls = page.locator("section[data-consent-theme]:visible").locator("a, button")
    for number in range(controls.count()):
        page.keyboard.press("Tab")
        expect(controls.nth(number)).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('header') !== null")


COVERED = """() => {
    const notice = document.querySelector(`section[data-consent-theme=${document.documentElement.dataset.consent}]`);
    const last = [...document.querySelectorAll('footer a, footer button')].filter(part => part.checkVisibility()).at(-1);
    Object.assign(window, { stops: 0, covered: [], atEnd: false });
    addEventListener('focusin', ({ target }) => requestAnimationFrame(() => {
        stops += 1;
        const { top, bottom } = target.getBoundingClientRect();
        if (!notice.contains(target) && (bottom > notice.getBoundingClientRect().top + 1 || top < 0))
            covered.push(target.outerHTML.slice(0, 120));
        atEnd ||= target === last;
    }));
}"""


def test_nothing_that_has_the_focus_lies_under_it(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 375, "height": 800}, reduced_motion="reduce") as context:
        page = open_page(context, product, "en", "de", "/about-us")
        expect(page.locator("html")).to_have_attribute("style", re.compile(r"scroll-padding-block-end: \d+px"))
        page.evaluate(COVERED)
        for _ in range(400):
            page.keyboard.press("Tab")
            page.evaluate("() => new Promise(requestAnimationFrame)")
            if page.evaluate("window.atEnd"):
                break
        assert page.evaluate("[window.atEnd, window.covered]") == [True, []]
        assert page.evaluate("window.stops") > 40


def test_at_400_percent_it_lies_in_the_page_and_can_be_read_whole(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 320, "height": 256}) as context:
        page = open_page(context, product, "en", "de")
        banner = notice(page, "gdpr")
        more = banner.locator("[data-consent-more]")
        expect(page.locator("#_consent-details")).to_be_hidden()
        more.click()
        expect(page.locator("#_consent-details").locator("visible=true")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # reaching the button may have scrolled
        expect(page.locator("header[data-header]")).not_to_have_attribute("data-fixed", "")
        box, header = banner.bounding_box(), page.locator("header[data-header]").bounding_box()
        assert box and header
        assert box["y"] == 0
        assert abs(header["y"] - box["height"]) < 1
        assert banner.evaluate("element => element.scrollHeight <= element.clientHeight")
        accept(page).click()
        expect(banner).to_be_hidden()
