"""A visitor acts before the script has loaded: each action takes effect exactly once.

The page is untouched before. Answers are late, or one file is delayed until the visitor has finished.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Locator, Page, expect

from .faults import Faults
from .tabs import NewTab, Tab

LATENCY_S = 0.4
LOADER = r"/assets/browser-.*\.js"
MENU = r"/assets/start-menu-.*\.js"
CONSENT = r"/assets/consent-controls-.*\.js"
VIDEO = r"/assets/play-video-.*\.js"
READY = "[data-tabs][data-ready]"
"""What the menu's code leaves behind."""


@contextmanager
def late(tab: Tab, file: str) -> Iterator[None]:
    """The file is asked for in the block, and comes at its end."""
    with tab.faults.hold(file):
        yield
        tab.faults.wait_for(file)


def trigger(page: Page, number: int) -> Locator:
    return page.locator("[data-submenu] > div > button[aria-expanded]").nth(number)


def panel(page: Page, number: int) -> Locator:
    return page.locator("[data-panel]").nth(number)


def rest_on(page: Page, locator: Locator) -> None:
    """One move, as a hand makes that knows where it wants to go."""
    box = locator.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_pointer_that_rests_on_an_item_opens_its_sub_menu(tab: Tab, faults: Faults) -> None:
    faults.add(".*", delay_s=LATENCY_S)
    tab.page.goto(tab.origin)
    rest_on(tab.page, trigger(tab.page, 0))
    expect(panel(tab.page, 0)).to_be_visible()
    expect(trigger(tab.page, 0)).to_have_attribute("aria-expanded", "true")


def test_a_button_pressed_before_any_script_is_pressed(new_tab: NewTab) -> None:
    tab = new_tab("fr", answered=False)
    page = tab.page
    with late(tab, LOADER):
        page.goto(tab.origin, wait_until="commit")
        page.locator("[data-consent-choice=accept]:visible").click()
        expect(page.locator("html")).not_to_have_attribute("data-consent", "nothing")
    expect(page.locator("html")).to_have_attribute("data-consent", "nothing")


def test_a_click_opens_at_once_and_the_next_one_closes(tab: Tab) -> None:
    page = tab.page
    tab.open("/")
    with late(tab, MENU):
        trigger(page, 0).click()
        expect(panel(page, 0)).to_be_visible()
    expect(page.locator(READY).first).to_be_attached()
    expect(panel(page, 0)).to_be_visible()
    page.mouse.move(640, 890)
    trigger(page, 0).click()
    expect(panel(page, 0)).to_be_hidden()


def test_the_burger_opens_at_the_first_tap_and_the_menu_keeps_the_focus(new_tab: NewTab) -> None:
    tab = new_tab(touch=True)
    page = tab.page
    page.set_viewport_size({"width": 375, "height": 800})
    tab.open("/")
    with late(tab, MENU):
        page.locator("[data-burger]").tap()
        expect(page.locator("[data-menu]")).to_be_visible()
    expect(page.locator("[data-burger]")).to_have_attribute("aria-expanded", "true")
    expect(trigger(page, 0)).to_be_focused()
    assert page.locator("main").get_attribute("inert") is not None


def test_a_video_waits_for_its_player_and_leads_nobody_away(tab: Tab) -> None:
    page = tab.page
    tab.context.route("https://www.youtube-nocookie.com/**", lambda route: route.fulfill(body="<p>player</p>"))
    tab.open("/")
    with late(tab, VIDEO):
        item = page.locator("[data-submenu]").filter(has=page.locator("[data-video]"))
        item.locator("> div > button[aria-expanded]").click()
        item.get_by_role("tab").nth(1).click()
        item.locator("[data-video]").first.click()
    expect(page.locator("dialog[data-player]")).to_have_count(1)
    assert len(tab.context.pages) == 1


def test_a_choice_is_not_lost_where_its_code_comes_only_at_the_second_try(new_tab: NewTab, faults: Faults) -> None:
    tab = new_tab("fr", answered=False)
    tab.open("/")
    faults.add(CONSENT, status=503, times=1)
    accept = tab.page.locator("section[data-consent-theme=gdpr] [data-consent-choice=accept]")
    accept.click()
    expect(accept).to_be_hidden()
