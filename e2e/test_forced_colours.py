"""Where the visitor's system sets the colours (``forced-colors: active``), state, edges and the focus are seen.

Computed styles would not tell: the browser puts its own colours in their place when it paints. So pixels are read.
"""

from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Final

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .product import Product
from .touched_header import touch_header

Colour = tuple[int, int, int]
SCHEMES: Final = ("light", "dark")


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
    touch_header(page)
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    return page


def both_ways(page: Page) -> Iterator[None]:
    """With colours of a light system and of a dark one: black and white change places."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        yield


def paint(element: Locator, around: int = 0) -> Counter[Colour]:
    """How many pixels of which colour it shows, where it stands: a locator's own picture would scroll the page.

    ``around``: include so many CSS pixels around the element; a negative number excludes so many of its edge.
    """
    box = element.bounding_box()
    assert box
    clip = {
        "x": box["x"] - around,
        "y": box["y"] - around,
        "width": box["width"] + 2 * around,
        "height": box["height"] + 2 * around,
    }
    with Image.open(BytesIO(element.page.screenshot(clip=clip))) as picture:
        pixels = picture.convert("RGB")
        return Counter({colour: count for count, colour in pixels.getcolors(pixels.width * pixels.height) or []})


def ground(element: Locator) -> Colour:
    return paint(element).most_common(1)[0][0]


def expect_told_apart(chosen: Locator, other: Locator) -> None:
    """Check that the choice has its own background, and that its text has enough contrast."""
    expect(chosen).to_have_count(1)
    on = paint(chosen).most_common(1)[0][0]
    assert on != ground(other)
    assert contrast(on, text_colour(chosen)) >= 3


def text_colour(element: Locator) -> Colour:
    """Return the colour with the most contrast to the background."""
    colours = paint(element)
    on = colours.most_common(1)[0][0]
    return max(colours, key=lambda colour: contrast(on, colour))


def contrast(one: Colour, other: Colour) -> float:
    """WCAG's, of two colours."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def expect_focus_ring(control: Locator) -> None:
    """Check that the focus adds a line with enough contrast to the page."""
    centre(control)
    before = paint(control, around=6)
    control.page.keyboard.press("Shift")  # the focus is shown to who has last used the keyboard
    control.focus()
    ring = paint(control, around=6) - before
    assert ring, "nothing shows the focus"
    colour, count = ring.most_common(1)[0]
    assert count > 80
    assert contrast(colour, canvas(control.page)) >= 3


def centre(element: Locator) -> None:
    """In the middle of the window, where nothing that sticks to its edges lies upon it."""
    expect(element).to_be_visible()
    element.evaluate("element => element.scrollIntoView({ block: 'center' })")


def canvas(page: Page) -> Colour:
    """The system's ground of a page."""
    red, green, blue = page.evaluate(
        """() => {
          const probe = document.body.appendChild(document.createElement('i'));
          probe.style.color = 'Canvas';
          const { color } = getComputedStyle(probe);
          probe.remove();
          return color.match(/\\d+/g).slice(0, 3).map(Number);
        }"""
    )
    return red, green, blue


def edge_pixels(field: Locator) -> int:
    """How many pixels at the rim of an empty field are not its ground."""
    centre(field)
    rim = paint(field) - paint(field, around=-6)
    return rim.total() - rim[ground(field)]


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
    for _ in both_ways(page):
        expect_told_apart(tabs.and_(page.locator("[aria-selected=true]")), tabs.nth(1))
    page.keyboard.press("Escape")

    page.locator("[data-switcher] summary").click()
    languages = page.locator("[data-switcher] a")
    for _ in both_ways(page):
        expect_told_apart(languages.and_(page.locator("[aria-current]")), languages.last)
    page.keyboard.press("Escape")

    anchors = page.locator("[data-anchor-menu] a")
    page.evaluate("document.querySelector('main > [id]').scrollIntoView()")
    for _ in both_ways(page):
        expect_told_apart(anchors.and_(page.locator("[aria-current]")), anchors.last)

    links = page.locator("footer [data-group] a")
    current = links.and_(page.locator("[aria-current=page]"))
    current.scroll_into_view_if_needed()
    for _ in both_ways(page):
        expect_told_apart(current, links.first)

    page.locator("footer [data-consent-settings]").click()
    on, off = page.locator("[data-consent-dialog] input").all()
    turn(on, True)
    turn(off, False)
    for _ in both_ways(page):
        assert ground(on) != ground(off)
        for switch in (on, off):
            colours = paint(switch)
            assert contrast(ground(switch), text_colour(switch)) >= 3
            assert colours[text_colour(switch)] > 100  # the knob
    turn(off, True)
    for _ in both_ways(page):
        assert ground(on) == ground(off)


def test_filters_of_offices_and_case_studies(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/about-us")
    offices = page.locator("[data-office-filter] button")
    offices.nth(1).click()
    page.mouse.move(0, 0)
    offices.first.scroll_into_view_if_needed()
    for _ in both_ways(page):
        expect_told_apart(offices.and_(page.locator("[aria-pressed=true]")), offices.nth(2))
    page.goto(product.origin("en") + "/project-cases")
    facets = page.locator("[data-island=project-filter] li a")
    facets.nth(1).click()
    page.mouse.move(0, 0)
    chosen = facets.and_(page.locator("[aria-current]"))
    chosen.scroll_into_view_if_needed()
    for _ in both_ways(page):
        expect_told_apart(chosen, facets.nth(2))


def test_how_much_was_read(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/blueprint/taking-over-a-system")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    bar = page.locator("[role=progressbar]")
    expect(bar).to_have_attribute("aria-valuenow", "100")
    read = [ground(bar) for _ in both_ways(page)]
    page.evaluate("scrollTo(0, 0)")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    for _, before in zip(both_ways(page), read, strict=True):
        assert ground(bar) != before


def test_a_button_for_the_next_step_is_solid_and_can_be_read(product: Product, context: BrowserContext) -> None:
    """Its text shares the button's background, and its arrow keeps enough contrast with it."""
    page = open_page(context, product, "/about-us")
    button = page.locator("main section p > a:has(svg)").first
    centre(button)
    for _ in both_ways(page):
        assert ground(button) != canvas(page)
        assert ground(button.locator("svg")) == ground(button)
        for part in (button, button.locator("svg")):
            assert contrast(ground(button), text_colour(part)) >= 4.5


def expect_edge(element: Locator) -> None:
    """A line around it that stands out from its ground."""
    expect(element).to_be_visible()
    inside = ground(element)
    edge = paint(element, around=1) - paint(element, around=-3)
    line = sum(count for colour, count in edge.items() if contrast(inside, colour) >= 3)
    box = element.bounding_box()
    assert box
    assert line > box["width"] + box["height"]  # half of its length: corners are round


def test_code_and_dialogs_have_an_edge(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/find-developers/back-end")
    code = page.locator("main pre").first
    centre(code)
    for _ in both_ways(page):
        expect_edge(code)
        assert ground(code) == canvas(page)
    page.locator("footer [data-consent-settings]").click()
    for _ in both_ways(page):
        expect_edge(page.locator("[data-consent-dialog]"))


def test_a_form_shows_what_is_wrong_and_what_is_ticked(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/contact-us")
    form = page.locator("form[data-form=contact]")
    name, company = form.locator("[name='contact[name]']"), form.locator("[name='contact[company]']")
    name.focus()
    expect(form).to_have_attribute("novalidate", "")
    for _ in both_ways(page):
        assert edge_pixels(name) < 1.5 * edge_pixels(company)
    send = form.locator("button[type=submit]")
    send.click()
    expect(name).to_have_attribute("aria-invalid", "true")
    send.focus()
    for _ in both_ways(page):
        assert edge_pixels(name) > 2 * edge_pixels(company)

    ticked, other = form.locator("[name=services]").nth(0), form.locator("[name=services]").nth(1)
    ticked.check()
    send.focus()
    page.mouse.move(0, 0)
    centre(ticked)
    for _ in both_ways(page):
        assert paint(ticked) != paint(other)


def test_the_focus_is_seen_on_every_kind_of_control(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "/contact-us")
    form = page.locator("form[data-form=contact]")
    offices = page.locator("[data-office-filter] button")
    for control in (
        page.locator("main section p > a:has(svg)").first,
        form.locator("[name='contact[email]']"),
        form.locator("button[type=submit]"),
        offices.and_(page.locator("[aria-pressed=true]")),
        offices.and_(page.locator("[aria-pressed=false]")).first,
        page.locator("main summary").last,
        page.locator("footer [data-group] a").and_(page.locator("[aria-current=page]")),
    ):
        for _ in both_ways(page):
            expect_focus_ring(control)
            control.blur()


def test_drawings_and_marks_of_lists_are_seen(product: Product, context: BrowserContext) -> None:
    """On paper, whose colours are dark, also where the system's ground is."""
    page = open_page(context, product, "/contact-us")
    icon = page.locator("[data-tone=paper] li > svg, [data-tone=paper] summary > svg").first
    centre(icon)
    for _ in both_ways(page):
        assert contrast(canvas(page), text_colour(icon)) >= 4.5
    chart = page.locator("svg:has(> use[href*=land])").first
    centre(chart)
    for _ in both_ways(page):
        colours = paint(chart)
        assert contrast(canvas(page), text_colour(chart)) >= 4.5
        assert colours.most_common(1)[0][0] == canvas(page)


def test_native_parts_fit_the_ground_they_stand_on(product: Product, browser: Browser) -> None:
    """Without forced colours: scrollbars and lists of choices are dark exactly where the ground is."""
    page = browser.new_page()
    page.goto(product.origin("en") + "/")
    grounds = page.locator("html, [data-tone]").evaluate_all(
        """elements => elements.map((element) => {
          const { backgroundColor, colorScheme } = getComputedStyle(element);
          return [backgroundColor.match(/[\\d.]+/g).map(Number), colorScheme];
        })"""
    )
    page.close()
    shown = [(luminance((r, g, b)), scheme) for (r, g, b, *alpha), scheme in grounds if not alpha or alpha[0] == 1]
    assert {scheme for _, scheme in shown} == {"light", "dark"}
    assert all(scheme == ("light" if light > 0.5 else "dark") for light, scheme in shown)
