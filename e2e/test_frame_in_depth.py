"""The frame of a page, walked through with the keyboard, and on paper."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .product import Product
from .test_frame import CASE, open_page, scroll_to


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


SECTIONS = """[...document.querySelectorAll('[data-anchor-menu] a')].map((link) => {
    const { top, bottom } = document.getElementById(link.hash.slice(1)).getBoundingClientRect();
    return [link.hash, top + scrollY, bottom + scrollY];
})"""


def expect_current(page: Page, address: str | None) -> None:
    """Which link of the anchor menu is marked, and no other."""
    marked = page.locator("[data-anchor-menu] [aria-current]")
    expect(marked).to_have_count(0 if address is None else 1)
    if address is not None:
        expect(marked).to_have_attribute("href", address)


def test_the_section_that_the_top_comes_within_200_pixels_of_is_current(
    product: Product, context: BrowserContext
) -> None:
    page = open_page(context, product, "en", "/about-us")
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    room = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    sections = [each for each in page.evaluate(SECTIONS) if each[1] - 199 < room]
    assert len(sections) > 1
    scroll_to(page, sections[0][1] - 201)
    expect_current(page, None)
    for address, top, bottom in sections:
        scroll_to(page, top - 199)
        expect_current(page, address)
        scroll_to(page, min(bottom - 201, room))
        expect_current(page, address)


UNDER_THE_FRAME = """() => {
    const frame = [...document.querySelectorAll('header[data-header],[data-anchor-menu],[data-reading-progress]')];
    Object.assign(window, { stops: 0, covered: [], at: null });
    addEventListener('focusin', ({ target }) => requestAnimationFrame(() => {
        stops += 1;
        at = target;
        // The skip link lies over the header.
        if (target.matches('body,[data-skip]') || frame.some(part => part.contains(target))) return;
        const edge = Math.max(0, ...frame.map(part => part.getBoundingClientRect())
            .filter(({top, bottom, height}) => height && top < innerHeight / 2 && bottom > 0).map(({bottom}) => bottom));
        const {top, bottom, height} = target.getBoundingClientRect();
        if (height && (top < edge - 1 || top > innerHeight - 1) && height < innerHeight - edge)
            covered.push(`${Math.round(top)} to ${Math.round(bottom)}, the frame ends at ${Math.round(edge)}: `
                + target.outerHTML.slice(0, 100));
    }));
}"""


def tab_through(page: Page, key: str, end: str) -> int:
    """From control to control until the one at the end has the focus; returns how many there were."""
    before: int = page.evaluate("window.stops")
    for _ in range(400):
        page.keyboard.press(key)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        if page.evaluate("end => window.at?.matches(end) === true", end):
            break
    else:
        pytest.fail(f"400 times {key} did not lead to {end}")
    return int(page.evaluate("window.stops")) - before


@pytest.mark.parametrize("width", (375, 1280))
def test_nothing_that_has_the_focus_lies_under_the_header(product: Product, browser: Browser, width: int) -> None:
    """WCAG 2.4.11, and better: nothing of it is covered, on the way down and on the way back up."""
    with browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(product.origin("en") + CASE)
        page.locator("section[data-consent-theme]:visible [data-consent-choice=accept]").click()
        expect(page.locator("[role=status]:not(:empty)").first).to_be_attached()
        page.locator("a[data-skip]").focus()
        page.evaluate(UNDER_THE_FRAME)
        down = tab_through(page, "Tab", "footer a[href='#top']")
        up = tab_through(page, "Shift+Tab", "a[data-skip]")
        assert down > 40
        assert up == down
        assert page.evaluate("window.covered") == []


@pytest.mark.parametrize("width", (375, 1280))
def test_going_through_the_frame_by_keyboard_leaves_the_page_where_it_is(
    product: Product, browser: Browser, width: int
) -> None:
    """An element that is fixed at the top is visible already, so scrolling does not bring it nearer."""
    with browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(product.origin("en") + "/about-us")
        page.locator("section[data-consent-theme]:visible [data-consent-choice=accept]").click()
        expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
        for frame in ("[data-anchor-menu]", "header[data-header]"):
            controls = page.locator(f"{frame} :is(a, button):visible")
            count = min(controls.count(), 6)
            assert count > 1
            scroll_to(page, 1500)
            for number in range(count):
                controls.nth(number).focus()
                page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                assert page.evaluate("scrollY") == 1500, f"{frame}, control {number}"
        for key in ("Tab", "Shift+Tab"):
            page.locator("[data-anchor-menu] a").nth(1).focus()
            page.keyboard.press(key)
            page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate("[scrollY, document.activeElement.closest('[data-anchor-menu]') !== null]") == [
                1500,
                True,
            ]


def test_on_paper_a_page_is_its_text(product: Product, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(product.origin("en") + "/services/web-development")
    page.emulate_media(media="print")
    for hidden in ("section[data-consent-theme]", "[data-anchor-menu]", "[data-burger]", "header nav", "footer nav"):
        assert page.locator(hidden).locator("visible=true").count() == 0, hidden
    expect(page.locator("main h1")).to_be_visible()
    answers = page.locator("main details > :not(summary)")
    assert answers.count() >= 3
    for answer in answers.all():
        expect(answer).to_be_visible()
    grounds = page.evaluate(
        "[...document.querySelectorAll('[data-tone]')].map((part) => getComputedStyle(part).backgroundColor)"
    )
    assert set(grounds) == {"rgb(255, 255, 255)"}
    fixed = "[...document.querySelectorAll('*')].filter((part) => getComputedStyle(part).position === 'fixed' && part.checkVisibility())"
    assert page.evaluate(f"{fixed}.map((part) => part.className)") == []
