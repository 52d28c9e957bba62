"""Where the visitor's system sets the colours (``forced-colors: active``), what is chosen is seen to be.

Computed styles would not tell: the browser puts its own colours in their place when it paints. So pixels are read.
"""

from collections import Counter
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .product import Product

Colour = tuple[int, int, int]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900},
        forced_colors="active",
        reduced_motion="reduce",
        service_workers="block",
    )
    context.add_init_script("try { localStorage.consentSeen = new Date().toISOString() } catch {}")
    yield context
    context.close()


def open_page(context: BrowserContext, product: Product, path: str) -> Page:
    page = context.new_page()
    page.goto(product.origin("en") + path)
    page.locator("header[data-header]").dispatch_event("pointerover")
    expect(page.locator("[data-tabs][data-ready]").first).to_be_attached()
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    return page


def paint(element: Locator) -> Counter[Colour]:
    """How many pixels of which colour it shows, where it stands: a locator's own picture would scroll the page."""
    box = element.bounding_box()
    assert box
    clip = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}
    with Image.open(BytesIO(element.page.screenshot(clip=clip))) as picture:
        pixels = picture.convert("RGB")
        return Counter({colour: count for count, colour in pixels.getcolors(pixels.width * pixels.height) or []})


def ground(element: Locator) -> Colour:
    return paint(element).most_common(1)[0][0]


def expect_told_apart(chosen: Locator, other: Locator) -> None:
    """By the ground, and what is chosen can be read on its own."""
    expect(chosen).to_have_count(1)
    on = paint(chosen).most_common(1)[0][0]
    assert on != ground(other)
    assert contrast(on, text_colour(chosen)) >= 3


def text_colour(element: Locator) -> Colour:
    """Of what is most unlike the ground."""
    colours = paint(element)
    on = colours.most_common(1)[0][0]
    return max(colours, key=lambda colour: contrast(on, colour))


def contrast(one: Colour, other: Colour) -> float:
    """WCAG's, of two colours."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def turn(switch: Locator, on: bool) -> None:
    """By keyboard, so that no pointer rests on it; then the focus goes elsewhere, and its ring with it."""
    expect(switch).to_be_visible()
    if switch.is_checked() is not on:
        switch.press("Space")
    expect(switch).to_be_checked(checked=on)
    switch.page.locator("[data-consent-dialog] h2").focus()


def luminance(colour: Colour) -> float:
    parts = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_what_is_chosen_in_the_frame_and_its_dialog(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/about-us")
    page.locator("[data-submenu]:has([data-tabs]) > div > button[aria-expanded]").first.click()
    tabs = page.locator("[data-panel]:popover-open [role=tab]")
    expect_told_apart(tabs.and_(page.locator("[aria-selected=true]")), tabs.nth(1))
    page.keyboard.press("Escape")

    page.locator("[data-switcher] summary").click()
    languages = page.locator("[data-switcher] a")
    expect_told_apart(languages.and_(page.locator("[aria-current]")), languages.last)
    page.keyboard.press("Escape")

    anchors = page.locator("[data-anchor-menu] a")
    page.evaluate("document.querySelector('main > [id]').scrollIntoView()")
    expect_told_apart(anchors.and_(page.locator("[aria-current]")), anchors.last)

    links = page.locator("footer [data-group] a")
    current = links.and_(page.locator("[aria-current=page]"))
    current.scroll_into_view_if_needed()
    expect_told_apart(current, links.first)

    page.locator("footer [data-consent-settings]").click()
    on, off = page.locator("[data-consent-dialog] input").all()
    turn(on, True)
    turn(off, False)
    assert ground(on) != ground(off)
    for switch in (on, off):
        colours = paint(switch)
        assert contrast(ground(switch), text_colour(switch)) >= 3
        assert colours[text_colour(switch)] > 100  # the knob
    turn(off, True)
    assert ground(on) == ground(off)


def test_filters_of_offices_and_case_studies(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/about-us")
    offices = page.locator("[data-island=office-filter] button")
    offices.nth(1).click()
    page.mouse.move(0, 0)
    offices.first.scroll_into_view_if_needed()
    expect_told_apart(offices.and_(page.locator("[aria-pressed=true]")), offices.nth(2))
    page.goto(product.origin("en") + "/project-cases")
    facets = page.locator("[data-island=project-filter] li a")
    facets.nth(1).click()
    page.mouse.move(0, 0)
    chosen = facets.and_(page.locator("[aria-current]"))
    chosen.scroll_into_view_if_needed()
    expect_told_apart(chosen, facets.nth(2))


def test_how_much_was_read(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/blueprint/taking-over-a-system")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    bar = page.locator("[role=progressbar]")
    expect(bar).to_have_attribute("aria-valuenow", "100")
    read = ground(bar)
    page.evaluate("scrollTo(0, 0)")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    assert ground(bar) != read
