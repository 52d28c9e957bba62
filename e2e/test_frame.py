"""What frames a page beside the header: the anchor menu, the reading progress, the notice of language, the footer."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .product import ROOT, Product

AXE = (ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text()
BOTH = pytest.mark.parametrize("site", ("en", "ae"))
CASE = "/project-cases/northwind-port-authority"


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def open_page(context: BrowserContext, product: Product, site: str, path: str) -> Page:
    page = context.new_page()
    page.goto(product.origin(site) + path)
    page.locator("header[data-header]").dispatch_event("pointerover")
    expect(page.locator("[data-tabs][data-ready]").first).to_be_attached()
    return page


@pytest.mark.parametrize(
    ("site", "path", "anchors", "progress"),
    [
        ("en", CASE, True, True),
        ("en", "/blueprint/taking-over-a-system", True, True),
        ("en", "/about-us", True, False),
        ("ae", "/about-us", True, False),
        ("en", "/", False, False),
        ("en", "/project-cases", False, False),
        ("en", "/contact-us", False, False),
        ("en", "/company/insights", False, False),
    ],
)
def test_which_pages_have_an_anchor_menu_and_a_progress_bar(
    product: Product, context: BrowserContext, site: str, path: str, anchors: bool, progress: bool
) -> None:
    page = open_page(context, product, site, path)
    assert page.locator("[data-anchor-menu]").count() == int(anchors)
    assert page.locator("[role=progressbar]").count() == int(progress)


SECTIONS = """[...document.querySelectorAll('[data-anchor-menu] a')].map((link) => {
    const { top, bottom } = document.getElementById(link.hash.slice(1)).getBoundingClientRect();
    return [link.hash, top + scrollY, bottom + scrollY];
})"""


def scroll_to(page: Page, top: float) -> None:
    page.evaluate("top => window.scrollTo({top, behavior: 'instant'})", top)


def expect_current(page: Page, address: str | None) -> None:
    """Which link of the anchor menu is marked, and no other."""
    marked = page.locator("[data-anchor-menu] [aria-current]")
    expect(marked).to_have_count(0 if address is None else 1)
    if address is not None:
        expect(marked).to_have_attribute("href", address)


@BOTH
def test_the_section_that_the_top_comes_within_200_pixels_of_is_current(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, "/about-us")
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


@BOTH
def test_a_mark_does_not_outlive_the_scrolling_that_made_it(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, "/about-us")
    page.emulate_media(reduced_motion="reduce")
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    links = page.locator("[data-anchor-menu] a")
    last = links.last.get_attribute("href")
    links.last.click()
    expect_current(page, last)
    [first, top, bottom] = page.evaluate(SECTIONS)[0]
    scroll_to(page, (top + bottom) / 2)
    expect_current(page, first)
    scroll_to(page, 0)
    expect_current(page, None)
    links.last.click()
    expect_current(page, last)
    page.mouse.move(640, 600)
    page.mouse.wheel(0, -20_000)
    expect_current(page, None)


@BOTH
@pytest.mark.parametrize("height", (900, 2000), ids=["reached", "the page ends before"])
def test_the_section_an_address_leads_to_is_current_on_arrival(
    product: Product, browser: Browser, site: str, height: int
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": height})
    page = context.new_page()
    page.goto(product.origin(site) + "/about-us#offices")
    expect_current(page, "#offices")
    with page.expect_response("**/page-data/app-data.json"):
        page.goto(product.origin(site) + "/")
    page.evaluate("navigation.navigate('/about-us#offices'); window.isSame = true")
    expect_current(page, "#offices")
    assert page.evaluate("window.isSame") is True
    context.close()


@BOTH
def test_a_link_of_the_anchor_menu_leads_below_the_header_and_takes_the_focus_along(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, "/about-us")
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
    for part in (0.5, 1, 0):
        page.evaluate("y => window.scrollTo({top: y, behavior: 'instant'})", room * part)
        expect(bar).to_have_attribute("aria-valuenow", str(round(part * 100)))
        width = page.evaluate("document.querySelector('[role=progressbar] > div').getBoundingClientRect().width")
        assert abs(width - 1280 * part) < 8


@pytest.mark.parametrize("site", ("kz", "ae"))
def test_a_link_to_the_international_site_says_its_language_first(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, "/")
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


@BOTH
def test_the_footer_folds_on_small_screens_alone(product: Product, browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 375, "height": 800})
    page = open_page(context, product, site, "/contact-us")
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


def test_explain_says_what_and_why(product: Product, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(product.origin("en") + "/?country=kz")
    explained = page.evaluate("portolan.explain()")
    assert explained["country"] == {"value": "kz", "because": "the cookie country_code"}
    assert explained["offices"]["value"] == "kz"
    assert explained["careers"]["value"] == "shown"
    assert explained["consent profile"]["value"] == "spec"


@pytest.mark.parametrize("width", (375, 1280))
@pytest.mark.parametrize(
    ("site", "state"),
    [(site, state) for site in ("en", "ae") for state in ("closed", "menu", "tabs")] + [("ae", "notice")],
)
def test_no_state_of_the_frame_shuts_anybody_out(
    product: Product, browser: Browser, site: str, width: int, state: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, bypass_csp=True)
    page = open_page(context, product, site, "/about-us" if state == "closed" else "/")
    if state == "notice":
        page.evaluate("document.querySelector('[data-language-notice]').showModal()")
    elif state != "closed":
        if width < 960:
            page.locator("[data-burger]").click()
        item = page.locator("[data-submenu]").filter(has=page.locator("[data-tabs]")).last
        button = item if state == "tabs" else page.locator("[data-submenu]").first
        button.locator("button[aria-expanded]").first.click()
        page.wait_for_timeout(300)
    page.evaluate(AXE)
    found = page.evaluate(
        """async () => {
            const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
            const {violations} = await axe.run(document, {runOnly: tags, rules: {'target-size': {enabled: true}}});
            return violations.map(({id, nodes}) => [id, nodes.slice(0, 3).map(({html}) => html.slice(0, 160))]);
        }"""
    )
    assert found == []
    context.close()


UNDER_THE_FRAME = """() => {
    const element = document.activeElement;
    const frame = [...document.querySelectorAll('header[data-header],[data-anchor-menu],[data-reading-progress]')];
    // The skip link lies over the header.
    if (element.matches('body,[data-skip]') || frame.some(part => part.contains(element))) return null;
    const edge = Math.max(0, ...frame.map(part => part.getBoundingClientRect())
        .filter(({top, bottom, height}) => height && top < innerHeight / 2 && bottom > 0).map(({bottom}) => bottom));
    const {top, bottom, height} = element.getBoundingClientRect();
    return height && (top < edge - 1 || top > innerHeight - 1) && height < innerHeight - edge
        ? `${Math.round(top)} to ${Math.round(bottom)}, the frame ends at ${Math.round(edge)}: `
            + element.outerHTML.slice(0, 100)
        : null;
}"""


@pytest.mark.parametrize("width", (375, 1280))
@pytest.mark.parametrize(("site", "path"), [("en", CASE), ("ae", "/about-us")])
def test_nothing_that_has_the_focus_lies_under_the_header(
    product: Product, browser: Browser, site: str, path: str, width: int
) -> None:
    """WCAG 2.4.11, and better: nothing of it is covered, on the way down and on the way back up."""
    with browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(product.origin(site) + path)
        page.locator("section[data-consent-theme]:visible [data-consent-choice=accept]").click()
        expect(page.locator("[role=status]:not(:empty)").first).to_be_attached()
        first, last = page.locator("a[data-skip]"), page.locator("footer a[href='#top']")
        first.focus()
        covered: list[str | None] = []
        stops: list[int] = []
        for key, end in (("Tab", last), ("Shift+Tab", first)):
            seen = 0
            while not end.evaluate("element => element === document.activeElement"):
                page.keyboard.press(key)
                covered.append(page.evaluate(UNDER_THE_FRAME))
                seen += 1
                assert seen < 400
            stops.append(seen)
        assert stops[0] > 40
        assert stops[1] == stops[0]
        assert [element for element in covered if element] == []


SHIFTS_OF_THE_HEADER = """
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const {sources} of list.getEntries())
            for (const {node} of sources) if (node?.parentElement?.closest('header[data-header]')) shifts.push(node.outerHTML);
    }).observe({type: 'layout-shift', buffered: true});
"""


@pytest.mark.parametrize("site", ("en", "ae"))
def test_the_header_is_seen_whole_or_not_at_all(product: Product, browser: Browser, site: str) -> None:
    """On a slow processor a page is parsed and painted in pieces."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.goto(product.origin(site) + "/")  # letters that come late move a little by themselves
        page.evaluate("() => document.fonts.ready")
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 6})
        page.add_init_script(SHIFTS_OF_THE_HEADER)
        page.goto(product.origin(site) + "/about-us")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.shifts") == []


@pytest.mark.parametrize("site", ("en", "ae"))
def test_on_paper_a_page_is_its_text(product: Product, context: BrowserContext, site: str) -> None:
    page = context.new_page()
    page.goto(product.origin(site) + "/services/web-development")
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
