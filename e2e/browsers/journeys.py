"""Navigation, forms and header in Firefox, WebKit and Chromium: `make journeys-browsers`.

No default run collects this file. Each journey holds whether the browser has the Navigation API or not: then links load
documents. Details are the other journeys' and the unit tests'.
"""

import json
from uuid import uuid4

import pytest

from ..faults import Faults, wait_until
from ..product import Product
from ..tabs import CLICKED, data_of, heading
from .window import ENTER, ESCAPE, TAB, OpenWindow, Window

ABOUT = "/about-us"
CONTACT = "/contact-us"
BOTH = pytest.mark.parametrize("site", ["en", "ae"])
FOOTER_LINK = f'footer a[href="{ABOUT}"]'
FORM = "form[data-form=contact]"
SUMMARY = f"{FORM} [data-summary]"
THANKS = "[data-thanks]"
TRIGGER = "[data-submenu] > div > button[aria-expanded]"
PANEL = "[data-panel]"


def open_page(window: Window, path: str) -> None:
    """Load a document, and wait for the page runtime, which follows links."""
    window.go(path)
    window.wait("return document.readyState === 'complete' && 'portolan' in window")


def expect_page(window: Window, product: Product, path: str, address: str = "", site: str = "en") -> None:
    """The page is shown at its address, and nothing of another one."""
    window.wait("return location.href === arguments[0]", window.origin + (address or path))
    window.wait_for_text("main h1", heading(product, path, site))


# Navigation ----------------------------------------------------------------------------------------------------------


@BOTH
def test_links_back_and_forward_show_the_page_of_the_address(
    open_window: OpenWindow, product: Product, site: str
) -> None:
    window = open_window(site)
    open_page(window, "/")
    title = window.run("return document.title")
    window.scroll_to(900)
    window.run("document.querySelector(arguments[0]).setAttribute('href', arguments[1])", FOOTER_LINK, ABOUT + CLICKED)
    window.click(f'footer a[href="{ABOUT + CLICKED}"]')
    expect_page(window, product, ABOUT, ABOUT + CLICKED, site)
    window.wait_scroll(0)
    assert window.run("return document.title") != title
    window.back()
    expect_page(window, product, "/", site=site)
    assert window.run("return document.title") == title
    window.forward()
    expect_page(window, product, ABOUT, ABOUT + CLICKED, site)


def test_back_is_where_the_reader_was(open_window: OpenWindow, product: Product) -> None:
    window = open_window()
    open_page(window, "/")
    window.scroll_to(700)
    window.run("document.querySelector(arguments[0]).click()", FOOTER_LINK)  # the pointer would scroll to the footer
    expect_page(window, product, ABOUT)
    window.back()
    expect_page(window, product, "/")
    window.wait_scroll(700)


def test_a_link_with_a_hash_shows_that_part(open_window: OpenWindow, product: Product) -> None:
    window = open_window()
    open_page(window, "/")
    target = f"{ABOUT}#principles"
    window.run("document.querySelector(arguments[0]).setAttribute('href', arguments[1])", FOOTER_LINK, target)
    window.run("document.querySelector(arguments[0]).click()", f'footer a[href="{target}"]')
    expect_page(window, product, ABOUT, target)
    window.wait("return Math.abs(document.getElementById('principles').getBoundingClientRect().top) < 200")


def test_a_server_that_fails_never_leaves_another_page_at_the_address(
    open_window: OpenWindow, product: Product, faults: Faults
) -> None:
    """In place, the old page stays at its own URL with an alert. If links load documents, the browser shows the server's
    error. Either way, the page loads once the server is well."""
    window = open_window()
    open_page(window, "/")
    broken = [
        faults.add(data_of(ABOUT), status=503),
        faults.add(ABOUT, status=503, body="<h1>Out of order</h1>", headers={"Content-Type": "text/html"}),
    ]
    window.run("document.querySelector(arguments[0]).click()", FOOTER_LINK)
    old, away = heading(product, "/"), "Out of order"
    window.wait(
        "const shown = document.querySelector('h1')?.textContent.trim();"
        "const alert = document.querySelector('[data-load-alert]');"
        "return shown === arguments[1] || (shown === arguments[0] && alert?.checkVisibility() === true)",
        old,
        away,
    )
    at, shown = window.run("return [location.pathname, document.querySelector('h1').textContent.trim()]")
    assert (at, shown) in (("/", old), (ABOUT, away))
    for fault in broken:
        faults.remove(fault)
    open_page(window, "/")
    window.run("document.querySelector(arguments[0]).click()", FOOTER_LINK)
    expect_page(window, product, ABOUT)


# Forms ---------------------------------------------------------------------------------------------------------------


def leads(product: Product, mark: str) -> list[dict[str, object]]:
    rows = product.ask("SELECT fields FROM leads_lead WHERE CAST(fields AS text) LIKE %s", f"%{mark}%")
    return [json.loads(row["fields"]) for row in rows]


def field(name: str) -> str:
    return f'{FORM} [name="{name}"]'


def fill(window: Window, mark: str) -> None:
    window.type(field("contact[name]"), "Head of Operations")
    window.type(field("message"), f"We move containers. {mark}")
    window.click(field("privacyAccepted"))


@BOTH
def test_a_form_says_what_is_wrong_and_is_sent(open_window: OpenWindow, product: Product, site: str) -> None:
    window, mark = open_window(site), uuid4().hex
    open_page(window, CONTACT)
    window.click(field("contact[name]"))
    window.wait("return document.querySelector(arguments[0]).noValidate", FORM)  # React has it
    fill(window, mark)
    window.type(field("contact[email]"), "operations@")
    window.click(f"{FORM} button[type=submit]")
    window.wait_focused(SUMMARY)
    window.wait("return document.querySelector(arguments[0]).matches('[aria-invalid=true]')", field("contact[email]"))
    assert leads(product, mark) == []
    window.retype(field("contact[email]"), "operations@northwind.example")
    window.click(f"{FORM} button[type=submit]")
    window.wait_visible(THANKS)
    window.wait_focused(THANKS)
    assert not window.is_visible(FORM)
    [lead] = leads(product, mark)
    assert lead["contact"]["email"] == "operations@northwind.example"  # type: ignore[index]


@pytest.mark.parametrize("referrer", ["strict-origin-when-cross-origin", "origin", "no-referrer"])
def test_without_scripts_it_comes_back_to_its_own_page(
    open_window: OpenWindow, product: Product, faults: Faults, referrer: str
) -> None:
    """The page's policy blocks all scripts and restricts the referrer."""
    policy = {"Content-Security-Policy": "script-src 'none'", "Referrer-Policy": referrer}
    faults.add(f"{CONTACT}|/__form", headers=policy)
    window, mark = open_window(), uuid4().hex
    window.go(CONTACT)
    fill(window, mark)
    window.run(
        "document.querySelector(arguments[0]).noValidate = true", FORM
    )  # of what browsers check, the server is told
    window.type(field("contact[email]"), "operations@nowhere")
    window.click(f"{FORM} button[type=submit]")
    window.wait_visible(SUMMARY)
    window.wait("return document.querySelector(arguments[0]).value.includes(arguments[1])", field("message"), mark)
    assert leads(product, mark) == []
    window.retype(field("contact[email]"), "operations@nowhere.example")
    window.click(f"{FORM} button[type=submit]")
    window.wait_visible(THANKS)
    assert window.run("return location.pathname") == CONTACT
    assert not window.is_visible(FORM)
    assert len(leads(product, mark)) == 1


# Header --------------------------------------------------------------------------------------------------------------


def touch_header(window: Window) -> None:
    """The menu's script comes with the first touch."""
    window.point_at("header[data-header] a")
    window.wait("return document.querySelector('[data-tabs][data-ready]') !== null")


@BOTH
def test_sub_menus_by_keyboard(open_window: OpenWindow, site: str) -> None:
    window = open_window(site)
    open_page(window, "/")
    touch_header(window)
    window.run("document.querySelector(arguments[0]).focus()", TRIGGER)
    window.press(ENTER)
    window.wait_visible(PANEL)
    window.wait_focused(f"{TRIGGER}[aria-expanded=true]")
    window.press(TAB)
    window.wait("return document.activeElement.closest(arguments[0]) !== null", PANEL)
    window.press(ESCAPE)
    window.wait_hidden(PANEL)
    window.wait_focused(TRIGGER)


@BOTH
def test_sub_menus_by_pointer(open_window: OpenWindow, site: str) -> None:
    window = open_window(site)
    open_page(window, "/")
    touch_header(window)
    window.point_at(TRIGGER)
    window.wait_visible(PANEL)
    window.point(640, 840)
    window.wait_hidden(PANEL)
    window.click(TRIGGER)
    window.wait_visible(PANEL)
    window.run("document.querySelector(arguments[0]).querySelector('a[href]').setAttribute('data-way', '')", PANEL)
    path = window.run("return new URL(document.querySelector('[data-way]').href).pathname")
    window.click("[data-way]")
    window.wait("return location.pathname === arguments[0]", path)
    window.wait("return [...document.querySelectorAll(arguments[0])].every(each => !each.checkVisibility())", PANEL)


@BOTH
def test_the_mobile_menu(open_window: OpenWindow, product: Product, site: str) -> None:
    window = open_window(site, width=600, height=800)
    open_page(window, "/")
    window.click("[data-burger]")
    window.wait_visible("[data-menu]")
    window.wait_focused(TRIGGER)
    window.click(TRIGGER)
    window.wait_visible(PANEL)
    window.wait_focused(f"{PANEL} [data-back]")
    window.click(f"{PANEL} [data-back]")
    window.wait_hidden(PANEL)
    window.wait_focused(TRIGGER)
    window.press(ESCAPE)
    window.wait_hidden("[data-menu]")
    window.wait_focused("[data-burger]")
    window.click("[data-burger]")
    window.wait_visible("[data-menu]")
    window.run("document.querySelector(arguments[0]).setAttribute('data-way', '')", f"[data-menu] a[href='{CONTACT}']")
    window.click("[data-way]")
    expect_page(window, product, CONTACT, site=site)
    window.wait_hidden("[data-menu]")


def test_all_of_the_page_can_be_reached_by_keys(open_window: OpenWindow) -> None:
    """The first stop is the link that skips to the main part, and it works."""
    window = open_window()
    open_page(window, "/")
    window.press(TAB)
    window.wait_focused("[data-skip]")
    window.press(ENTER)
    window.wait("return location.hash === '#_main'")
    window.press(TAB)
    wait_until(
        lambda: window.run("return document.activeElement.closest('main') !== null"), "the focus is in the main part"
    )
