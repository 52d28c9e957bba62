"""Variants of a visitor who acts before the script has loaded: other inputs, other elements, a second try."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from .faults import Faults
from .tabs import NewTab, Tab
from .test_first_contact import CONSENT, LATENCY_S, LOADER, MENU, READY, late, panel, rest_on, trigger

SWITCHER = r"/assets/close-switcher-.*\.js"
RECORDS = "/__consent"


def test_one_that_lay_there_before_any_script_opens_it_too(tab: Tab) -> None:
    with late(tab, LOADER):
        tab.page.goto(tab.origin, wait_until="commit")
        rest_on(tab.page, trigger(tab.page, 0))
        expect(trigger(tab.page, 0)).to_have_js_property("isConnected", True)
        assert trigger(tab.page, 0).evaluate("button => button.matches(':hover')")
    expect(panel(tab.page, 0)).to_be_visible()


@contextmanager
def before_the_menu(tab: Tab) -> Iterator[None]:
    """Until the end of the block its code is on the way; then it is there, and the clock is the test's all the time."""
    tab.page.clock.install()
    tab.open("/")
    tab.page.clock.pause_at(tab.page.evaluate("Date.now()") + 1000)
    with late(tab, MENU):
        yield
    expect(tab.page.locator(READY).first).to_be_attached()


def test_the_wait_begins_when_the_pointer_comes_not_when_the_code_does(tab: Tab) -> None:
    page = tab.page
    with before_the_menu(tab):
        rest_on(page, trigger(page, 0))
        page.clock.run_for(150)
    page.clock.run_for(49)
    expect(panel(page, 0)).to_be_hidden()
    page.clock.run_for(1)
    expect(panel(page, 0)).to_be_visible()


def pass_by(page: Page) -> None:
    rest_on(page, trigger(page, 0))
    page.mouse.move(640, 600)


def touch(page: Page) -> None:
    """Without the click that a touch makes."""
    page.locator("[data-submenu] > div > button").first.evaluate("button => button.disabled = true")
    trigger(page, 0).tap(force=True)


@pytest.mark.parametrize("come", (pass_by, touch))
def test_who_passes_by_or_touches_does_not_rest(new_tab: NewTab, come: Callable[[Page], None]) -> None:
    tab = new_tab(touch=come is touch)
    with before_the_menu(tab):
        come(tab.page)
    tab.page.clock.run_for(1000)
    expect(tab.page.locator("[data-panel]:popover-open")).to_have_count(0)


def test_a_key_opens_at_once_and_the_next_one_closes(tab: Tab) -> None:
    page = tab.page
    tab.open("/")
    with late(tab, MENU):
        trigger(page, 0).focus()
        page.keyboard.press("Enter")
        expect(panel(page, 0)).to_be_visible()
    expect(page.locator(READY).first).to_be_attached()
    expect(trigger(page, 0)).to_be_focused()
    expect(trigger(page, 0)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(panel(page, 0)).to_be_hidden()


def test_a_panel_that_was_reached_before_the_code_has_the_focus(new_tab: NewTab) -> None:
    tab = new_tab(touch=True)
    page = tab.page
    page.set_viewport_size({"width": 375, "height": 800})
    tab.open("/")
    with late(tab, MENU):
        page.locator("[data-burger]").tap()
        trigger(page, 1).tap()
        expect(panel(page, 1)).to_be_visible()
    back = panel(page, 1).locator("[data-back]")
    expect(back).to_be_focused()
    back.tap()
    expect(trigger(page, 1)).to_be_focused()


def test_the_language_list_closes_though_the_mouse_left_before_its_code_came(tab: Tab) -> None:
    page = tab.page
    tab.open("/")
    with late(tab, SWITCHER):
        page.locator("[data-switcher] summary").click()
        page.mouse.move(640, 600)
    expect(page.locator("[data-switcher-place][data-ready]")).to_be_attached()
    expect(page.locator("[data-switcher]")).not_to_have_attribute("open", "")


def test_accepting_twice_is_one_choice(new_tab: NewTab, faults: Faults) -> None:
    tab = new_tab("fr", answered=False)
    page = tab.page
    tab.open("/")
    faults.add(CONSENT, delay_s=LATENCY_S)
    accept = page.locator("section[data-consent-theme=gdpr] [data-consent-choice=accept]")
    accept.dblclick()
    expect(accept).to_be_hidden()
    expect(page.locator("[data-consent-status]")).not_to_be_empty()
    faults.wait_for(RECORDS, method="POST")
    page.reload()
    assert faults.count(RECORDS, method="POST") == 1
