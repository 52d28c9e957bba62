"""The frame of a page except the header: anchor menu, reading progress, language notice and footer. Unit tests check which pages have
them and when a section is marked; `test_accessibility.py` checks each state with axe.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .product import Product
from .shifts import shifts, watch_shifts
from .touched_header import touch_header

CASE = "/project-cases/northwind-port-authority"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


def open_page(context: BrowserContext, product: Product, site: str, path: str) -> Page:
    page = context.new_page()
    page.goto(product.origin(site) + path)
    touch_header(page)
    return page


def scroll_to(page: Page, top: float) -> None:
    page.evaluate("top => window.scrollTo({top, behavior: 'instant'})", top)


def test_a_link_of_the_anchor_menu_leads_below_the_header_and_takes_the_focus_along(
    product: Product, context: BrowserContext
) -> None:
    page = open_page(context, product, "en", "/about-us")
    page.emulate_media(reduced_motion="reduce")
    link = page.locator("[data-anchor-menu] a").nth(1)
    anchor = (link.get_attribute("href") or "")[1:]
    link.click()
    heading = page.locator(f"[id='{anchor}']").locator("h1, h2, h3").first
    expect(heading).to_be_focused()
    expect(link).to_have_attribute("aria-current", "true")
    box, menu = heading.bounding_box(), page.locator("[data-anchor-menu]").bounding_box()
    assert box and menu
    assert box["y"] >= menu["y"] + menu["height"]


def test_the_bar_says_how_much_was_read(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", CASE)
    bar = page.locator("[role=progressbar]")
    expect(bar).to_be_visible()
    expect(bar).to_have_attribute("aria-valuenow", "0")
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    room = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    for part in (0.5, 1):
        page.evaluate("y => window.scrollTo({top: y, behavior: 'instant'})", room * part)
        expect(bar).to_have_attribute("aria-valuenow", str(round(part * 100)))
        width = page.evaluate("document.querySelector('[role=progressbar] > div').getBoundingClientRect().width")
        assert abs(width - 1280 * part) < 8


def test_a_link_to_the_international_site_says_its_language_first(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "kz", "/")
    before = page.url
    link = page.locator(f"footer a[href^='{product.origin('en')}']").first
    href = link.get_attribute("href") or ""
    link.click()
    notice = page.locator("[data-language-notice]")
    expect(notice).to_be_visible()
    assert notice.evaluate("dialog => dialog.matches(':modal')")
    expect(notice.locator("a")).to_have_attribute("href", href)
    page.keyboard.press("Escape")
    expect(notice).to_be_hidden()
    expect(link).to_be_focused()
    assert page.url == before
    link.click()
    notice.locator("a").click()
    page.wait_for_url(href)


def test_the_footer_folds_on_small_screens_alone(product: Product, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 375, "height": 800})
    page = open_page(context, product, "en", "/contact-us")
    groups = page.locator("[data-accordion] > [data-group]")
    expect(groups).to_have_count(5)
    first = groups.first
    button, links = first.locator("h3 > button"), first.locator("ul")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(links).to_be_hidden()
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(links).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("[data-accordion] button")).to_have_count(0)
    for index in range(5):
        expect(groups.nth(index).locator("ul")).to_be_visible()
    context.close()


def test_nothing_moves_while_a_page_comes_is_scrolled_and_answered(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as context:
        context.add_cookies([{"name": "country_code", "value": "de", "url": product.origin("en")}])
        page = context.new_page()
        page.goto(product.origin("en") + "/")  # loads the fonts: letters that come late move a little by themselves
        page.evaluate("() => document.fonts.ready")
        watch_shifts(page)
        session = context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 6})  # so the page is parsed and painted in pieces
        page.goto(product.origin("en") + "/about-us")
        expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        header = page.locator("header[data-header]")
        for top, fixed in ((20, False), (21, True), (600, True), (20, False), (0, False)):
            scroll_to(page, top)
            expect(page.locator("header[data-header][data-fixed]")).to_have_count(int(fixed))
            box = header.bounding_box()
            assert box
            assert not fixed or box["y"] == 0
        accept = page.locator("section[data-consent-theme=gdpr] [data-consent-choice=accept]")
        accept.dispatch_event("click")  # the browser leaves out shifts that follow a real press
        expect(accept).to_be_hidden()
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        # A shift without a node is drawn by styles, such as the line at the foot of the hero.
        assert [node for shift in shifts(page) for node in shift.nodes if node] == []
