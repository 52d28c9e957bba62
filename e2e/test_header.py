"""The header (spec §2, §4): each rule in English and in Arabic, with the clock in our hands."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .product import Product

BOTH = pytest.mark.parametrize("site", ("en", "ae"))
READY = "[data-tabs][data-ready]"
"""What the menu's script leaves behind; it comes with the first touch of the header."""


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
    touch(page)
    if clock:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    return page


def touch(page: Page) -> None:
    page.locator("header[data-header]").dispatch_event("pointerover")
    expect(page.locator(READY).first).to_be_attached()


def trigger(page: Page, number: int) -> Locator:
    return page.locator("[data-submenu] > div > button[aria-expanded]").nth(number)


def panel(page: Page, number: int) -> Locator:
    return page.locator("[data-panel]").nth(number)


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@BOTH
@pytest.mark.parametrize("path", ("/", "/about-us"))
def test_it_is_fixed_past_20_pixels_and_nothing_moves(
    product: Product, context: BrowserContext, site: str, path: str
) -> None:
    page = open_page(context, product, site, path)
    header = page.locator("header[data-header]")
    page.evaluate(
        "async () => { await document.fonts.ready; window.shifts = 0; new PerformanceObserver(list => "
        "{ for (const entry of list.getEntries()) window.shifts += entry.value }).observe({type: 'layout-shift'}) }"
    )
    for top, fixed in ((20, False), (21, True), (600, True), (20, False), (0, False)):
        page.evaluate(f"window.scrollTo({{top: {top}, behavior: 'instant'}})")
        if fixed:
            expect(header).to_have_attribute("data-fixed", "")
            assert header.bounding_box()["y"] == 0
        else:
            expect(header).not_to_have_attribute("data-fixed", "")
    assert page.evaluate("window.shifts") == 0


@BOTH
def test_hovering_opens_after_200_ms_and_switches_after_100(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, clock=True)
    page.mouse.move(*middle(trigger(page, 0)))
    page.clock.run_for(199)
    expect(panel(page, 0)).to_be_hidden()
    page.clock.run_for(1)
    expect(panel(page, 0)).to_be_visible()
    expect(trigger(page, 0)).to_have_attribute("aria-expanded", "true")
    page.mouse.move(*middle(trigger(page, 1)))
    page.clock.run_for(99)
    expect(panel(page, 0)).to_be_visible()
    page.clock.run_for(1)
    expect(panel(page, 1)).to_be_visible()
    expect(panel(page, 0)).to_be_hidden()
    expect(trigger(page, 0)).to_have_attribute("aria-expanded", "false")


@BOTH
def test_leaving_before_the_delay_opens_nothing(product: Product, context: BrowserContext, site: str) -> None:
    page = open_page(context, product, site, clock=True)
    page.mouse.move(*middle(trigger(page, 0)))
    page.clock.run_for(150)
    page.mouse.move(640, 600)
    page.clock.run_for(1000)
    expect(page.locator("[data-panel]:popover-open")).to_have_count(0)


def go(
    page: Page, start: tuple[float, float], end: tuple[float, float], steps: int, step_ms: int, jitter: float
) -> None:
    """A pointer trace: so many steps, each taking its time, off the line now to one side and now to the other."""
    for step in range(1, steps + 1):
        part = step / steps
        off = jitter * (1 if step % 2 else -1) if step < steps else 0
        page.mouse.move(start[0] + (end[0] - start[0]) * part + off, start[1] + (end[1] - start[1]) * part)
        page.clock.run_for(step_ms)


@BOTH
@pytest.mark.parametrize(
    ("steps", "step_ms", "jitter"), [(8, 10, 0), (24, 30, 0), (14, 15, 2)], ids=["straight", "slow", "jittery"]
)
def test_on_its_way_to_the_panel_the_pointer_may_cross_others(
    product: Product, context: BrowserContext, site: str, steps: int, step_ms: int, jitter: float
) -> None:
    page = open_page(context, product, site, clock=True)
    start = middle(trigger(page, 1))
    page.mouse.move(*start)
    page.clock.run_for(200)
    expect(panel(page, 1)).to_be_visible()
    neighbour = middle(trigger(page, 2 if site == "en" else 0))
    box = panel(page, 1).bounding_box()
    assert box
    # Aslant, so that the way to the panel leads over the neighbour.
    end = (neighbour[0] + (neighbour[0] - start[0]) * 0.4, box["y"] + 30)
    go(page, start, end, steps, step_ms, jitter)
    page.clock.run_for(500)
    expect(panel(page, 1)).to_be_visible()


@BOTH
def test_resting_on_another_item_switches(product: Product, context: BrowserContext, site: str) -> None:
    page = open_page(context, product, site, clock=True)
    page.mouse.move(*middle(trigger(page, 0)))
    page.clock.run_for(200)
    x, y = middle(trigger(page, 1))
    page.mouse.move(x, y - 3)
    page.mouse.move(x, y)  # as if on the way down
    page.clock.run_for(100)
    expect(panel(page, 1)).to_be_visible()


@BOTH
def test_the_panel_can_be_entered_and_goes_when_it_is_left(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, clock=True)
    page.mouse.move(*middle(trigger(page, 0)))
    page.clock.run_for(200)
    page.mouse.move(*middle(panel(page, 0)), steps=5)
    page.clock.run_for(5000)
    expect(panel(page, 0)).to_be_visible()
    page.mouse.move(640, 890)
    page.clock.run_for(299)
    expect(panel(page, 0)).to_be_visible()
    page.clock.run_for(1)
    expect(panel(page, 0)).to_be_hidden()


@BOTH
def test_escape_closes_wherever_the_focus_is_and_it_stays_shut(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, clock=True)
    page.mouse.move(*middle(trigger(page, 0)))
    page.clock.run_for(200)
    expect(panel(page, 0)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel(page, 0)).to_be_hidden()
    x, y = middle(trigger(page, 0))
    page.mouse.move(x + 1, y)
    page.clock.run_for(1000)
    expect(panel(page, 0)).to_be_hidden()
    page.mouse.move(640, 600)
    page.clock.run_for(1000)
    page.mouse.move(x, y)
    page.clock.run_for(200)
    expect(panel(page, 0)).to_be_visible()


@BOTH
@pytest.mark.parametrize("key", ("Enter", "Space"))
def test_with_the_keyboard(product: Product, context: BrowserContext, site: str, key: str) -> None:
    page = open_page(context, product, site)
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


@BOTH
def test_a_touch_opens_and_does_not_follow(product: Product, browser: Browser, site: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
    page = open_page(context, product, site)
    address = page.url
    trigger(page, 0).tap()
    expect(panel(page, 0)).to_be_visible()
    trigger(page, 1).tap()
    expect(panel(page, 1)).to_be_visible()
    expect(panel(page, 0)).to_be_hidden()
    trigger(page, 1).tap()
    expect(panel(page, 1)).to_be_hidden()
    assert page.url == address
    context.close()


def tabs_of(page: Page) -> Locator:
    """Of the last sub-menu that has tabs, which is opened: on the international site that of insights."""
    item = page.locator("[data-submenu]").filter(has=page.locator("[data-tabs]")).last
    item.locator("> div > button[aria-expanded]").click()
    tabs = item.locator("[data-tabs] [role=tab]")
    expect(tabs.first).to_be_visible()
    return tabs


@BOTH
def test_arrows_go_from_tab_to_tab_the_way_they_point(product: Product, context: BrowserContext, site: str) -> None:
    page = open_page(context, product, site)
    tabs = tabs_of(page)
    count = tabs.count()
    forward, back = ("ArrowRight", "ArrowLeft") if site == "en" else ("ArrowLeft", "ArrowRight")
    tabs.first.focus()
    goals = [
        (forward, 1),
        (back, 0),
        (back, count - 1),
        (forward, 0),
        ("End", count - 1),
        ("Home", 0),
        ("ArrowDown", 1),
    ]
    for key, goal in goals:
        page.keyboard.press(key)
        expect(tabs.nth(goal)).to_be_focused()
        expect(tabs.nth(goal)).to_have_attribute("aria-selected", "true")
        expect(page.locator("[data-tabs] [role=tabpanel]:visible")).to_have_count(1)
        assert [tabs.nth(index).get_attribute("tabindex") for index in range(count)].count("0") == 1


def test_the_news_is_asked_for_once_and_only_when_shown(product: Product, context: BrowserContext) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url) if "/news/pagination" in request.url else None)
    page = open_page(context, product, "en")
    articles = page.locator("[data-menu-news] li")
    for visit in range(5):
        tabs = tabs_of(page)
        assert len(asked) == min(visit, 1)  # the panel is open, its first tab is another
        for _ in range(2):
            tabs.last.click()
            expect(articles).to_have_count(3)
            tabs.first.click()
        assert asked == [product.origin("en") + "/api/content/news/pagination?page=1&perPage=3"]
        page.reload()
        touch(page)


def test_news_that_cannot_be_had_can_be_asked_for_again(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en")
    page.route("**/news/pagination*", lambda route: route.abort())
    tabs_of(page).last.click()
    news = page.locator("[data-menu-news]")
    expect(news.get_by_role("status")).not_to_be_empty()
    page.unroute("**/news/pagination*")
    news.get_by_role("button").click()
    expect(news.locator("li")).to_have_count(3)


def test_a_video_asks_nobody_before_it_is_wanted(product: Product, context: BrowserContext) -> None:
    foreign: list[str] = []
    context.on("request", lambda request: foreign.append(request.url) if "localhost" not in request.url else None)
    context.route("https://www.youtube-nocookie.com/**", lambda route: route.fulfill(body="<p>player</p>"))
    page = open_page(context, product, "en")
    tabs_of(page).nth(1).click()
    videos = page.locator("[data-tabs] [data-video]")
    expect(videos.first).to_be_visible()
    assert foreign == []
    videos.first.click()
    expect(page.locator("dialog[data-player] iframe")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[data-player]")).to_have_count(0)
    assert foreign
    assert all(url.startswith("https://www.youtube-nocookie.com/embed/") for url in foreign)


@BOTH
def test_without_scripts_everything_can_be_reached(product: Product, browser: Browser, site: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 375, "height": 800})
    page = context.new_page()
    page.goto(product.origin(site) + "/")
    page.locator("[data-burger]").click()
    trigger(page, 0).click()
    link = panel(page, 0).locator("a").first
    expect(link).to_be_visible()
    href = link.get_attribute("href") or ""
    link.click()
    assert page.url == product.origin(site) + href
    context.close()
