"""Motion that explains: opening, leaving and entering elements, in a browser whose animations are paused by the test."""

from playwright.sync_api import Locator, expect

from .faults import wait_until
from .product import Product
from .tabs import NewTab, Tab, heading

CASES = "/project-cases"
CASE = "/project-cases/northwind-port-authority"
PHONE = {"width": 375, "height": 800}


class Speed:
    """The speed of all animations in a tab: a hundredth at first, so that 250 ms take 25 s."""

    def __init__(self, tab: Tab) -> None:
        self._session = tab.context.new_cdp_session(tab.page)
        self._session.send("Animation.enable")
        self.slow()

    def slow(self) -> None:
        self._session.send("Animation.setPlaybackRate", {"playbackRate": 0.01})

    def normal(self) -> None:
        self._session.send("Animation.setPlaybackRate", {"playbackRate": 1})


def moving(tab: Tab) -> set[str]:
    """The parts of the view transition that is on its way, by name."""
    parts = """document.getAnimations().map(({ effect }) => effect.pseudoElement ?? '')
        .filter((name) => name.startsWith('::view-transition-group')).map((name) => name.slice(24, -1))"""
    return set(tab.page.evaluate(parts))


def wait_for_transition(tab: Tab) -> None:
    wait_until(lambda: "root" in moving(tab), "one view blends into the next")


def named(tab: Tab) -> Locator:
    return tab.page.locator("main img[style*='view-transition-name: cover']")


def is_pressed_through(part: Locator) -> bool:
    """Return whether a press on its middle reaches the element behind it."""
    hit = """part => {
        const { left, top, width, height } = part.getBoundingClientRect();
        return !part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }"""
    return bool(part.evaluate(hit))


def height(part: Locator) -> int:
    return int(part.evaluate("part => part.offsetHeight"))


def test_the_picture_of_a_card_becomes_the_cover_and_goes_back_to_its_card(new_tab: NewTab, product: Product) -> None:
    tab = new_tab(motion=True)
    tab.open(CASES)
    speed = Speed(tab)
    tab.page.locator(f"main li a[href='{CASE}']").click()
    wait_for_transition(tab)
    assert moving(tab) == {"root", "cover"}
    expect(named(tab)).to_have_attribute("fetchpriority", "high")
    tab.expect_shown(CASE, heading(product, CASE))
    speed.normal()
    expect(named(tab)).to_have_count(0)
    speed.slow()
    tab.page.go_back()
    wait_for_transition(tab)
    assert moving(tab) == {"root", "cover"}
    expect(named(tab)).to_have_count(1)
    tab.expect_shown(CASES, heading(product, CASES))
    speed.normal()
    expect(named(tab)).to_have_count(0)
    speed.slow()
    tab.follow("/contact-us")
    wait_for_transition(tab)
    assert moving(tab) == {"root"}, "a link of the frame has no picture"


def test_the_mobile_menu_slides_and_is_out_of_the_way_as_soon_as_it_goes(new_tab: NewTab) -> None:
    tab = new_tab("ae", motion=True)
    tab.page.set_viewport_size(PHONE)
    tab.open("/")
    burger, menu = tab.page.locator("[data-burger]"), tab.page.locator("[data-menu]")
    speed = Speed(tab)
    burger.click()
    expect(burger).to_have_attribute("aria-expanded", "true")
    box = menu.bounding_box()
    assert box
    assert box["x"] < -200, "it comes from where the button is"
    speed.normal()
    place = "menu => { const { left, right, bottom } = menu.getBoundingClientRect(); return [left, right, bottom]; }"
    wait_until(lambda: menu.evaluate(place) == [0, 375, 800], "it has come, and fills the window")
    speed.slow()
    burger.click()
    expect(burger).to_have_attribute("aria-expanded", "false")
    assert menu.is_visible(), "it is on its way"
    assert is_pressed_through(menu)
    speed.normal()
    expect(menu).to_be_hidden()


def test_an_answer_opens_to_its_height(new_tab: NewTab) -> None:
    tab = new_tab(motion=True)
    tab.open("/about-us")
    group = tab.page.locator("main details").first
    group.scroll_into_view_if_needed()
    closed = height(group)
    speed = Speed(tab)
    group.locator("summary").click()
    expect(group).to_have_attribute("open", "")
    assert closed <= height(group) < closed + 60, "it has only begun"
    speed.normal()
    wait_until(lambda: height(group) > closed + 200, "it is open")
    speed.slow()
    group.locator("summary").click()
    expect(group).not_to_have_attribute("open", "")
    assert height(group) > closed + 140, "it has only begun"
    speed.normal()
    wait_until(lambda: height(group) == closed, "it is closed")


def test_the_question_about_cookies_is_there_at_once_and_leaves_by_the_foot(new_tab: NewTab) -> None:
    tab = new_tab("de", motion=True, answered=False)
    tab.open("/")
    notice = tab.page.locator("section[data-consent-theme]").locator("visible=true")
    assert notice.evaluate("notice => notice.getAnimations().length") == 0
    speed = Speed(tab)
    notice.locator("[data-consent-choice]").first.click()
    expect(tab.page.locator("#_main")).to_be_focused()
    expect(notice).to_have_count(1)
    assert is_pressed_through(notice)
    speed.normal()
    expect(notice).to_have_count(0)


def test_nothing_moves_for_who_asks_for_stillness(new_tab: NewTab, product: Product) -> None:
    tab = new_tab()
    tab.page.set_viewport_size(PHONE)
    tab.open(CASES)
    Speed(tab)
    burger, menu = tab.page.locator("[data-burger]"), tab.page.locator("[data-menu]")
    burger.click()
    box = menu.bounding_box()
    assert box
    assert box["x"] == 0
    burger.click()
    assert not menu.is_visible()
    tab.page.locator(f"main li a[href='{CASE}']").click()
    tab.expect_shown(CASE, heading(product, CASE))
    assert moving(tab) == set()
