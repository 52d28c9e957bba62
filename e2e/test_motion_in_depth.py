"""Motion of the mobile menu, of answers and of the consent notice, in a browser whose animations are paused by the test."""

from playwright.sync_api import Locator, expect

from .faults import wait_until
from .tabs import NewTab
from .test_motion import PHONE, Speed


def height(part: Locator) -> int:
    return int(part.evaluate("part => part.offsetHeight"))


def is_pressed_through(part: Locator) -> bool:
    """Return whether a press on its middle reaches the element behind it."""
    hit = """part => {
        const { left, top, width, height } = part.getBoundingClientRect();
        return !part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }"""
    return bool(part.evaluate(hit))


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
