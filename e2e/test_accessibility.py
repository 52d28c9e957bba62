"""Every kind of page and state of the frame is accessible, fits the screen's width, keeps its policy and logs no error. Blocks are in
`test_gallery.py`.

`make axe` is the long form: every page of every site and every state, with axe on both screens. The short form checks each kind of page
once, on the international site, and two Arabic pages.
"""

import os
from collections.abc import Callable, Iterator

import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from .axe import find_violations
from .product import Product
from .test_consent import notice, open_settings
from .test_header import panel, trigger

PHONE, TABLET, DESKTOP = 320, 768, 1280
EVERY_PAGE = os.environ.get("PORTOLAN_AXE") == "every-page"
SITES = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr") if EVERY_PAGE else ("en", "ae")
FEW = {"ae": ["/", "/contact-us"]}
"""From right to left, these stand for the others."""
LOOKS_AT = {"en": (PHONE,), "ae": (DESKTOP,)}
"""Where axe looks at each kind of page; the others are only measured."""


def choose_pages(product: Product, site: str) -> list[str]:
    """Few pages that have every template there is on a site; or all of them."""
    wanted: dict[str, set[str]] = {}
    reader = product.open_reader()
    newest = reader.latest()
    assert newest is not None
    for item in reader.collection(newest, site, "page"):
        body = orjson.loads(item.body)
        wanted[body["path"]] = {body["template"]}
    reader.close()
    assert wanted
    return sorted(wanted) if EVERY_PAGE else FEW.get(site) or list(_cover(wanted))


def _cover(wanted: dict[str, set[str]]) -> Iterator[str]:
    left = set().union(*wanted.values())
    while left:
        path = max(wanted, key=lambda path: (len(wanted[path] & left), path))
        left -= wanted[path]
        yield path


@pytest.mark.parametrize("site", SITES)
def test_every_kind_of_page_can_be_used_fits_and_breaks_no_policy(
    product: Product, browser: Browser, site: str
) -> None:
    found: dict[str, list[str]] = {}
    # Check fading elements once they are visible.
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda line: said.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        for path in choose_pages(product, site):
            page.set_viewport_size({"width": PHONE, "height": 900})
            page.goto(product.origin(site) + path)
            # axe checks only elements that are laid out.
            expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
            for width in (PHONE, TABLET, DESKTOP):
                page.set_viewport_size({"width": width, "height": 900})
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                problems = [f"{wide} px too wide"] if wide > 0 else []
                if (EVERY_PAGE and width != TABLET) or width in LOOKS_AT.get(site, ()):
                    problems += find_violations(page)
                if problems:
                    found[f"{path} at {width}"] = problems
            if said:
                found[f"{path} says"] = [*said]
                said.clear()
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())


def open_sub_menu(page: Page) -> None:
    trigger(page, 0).press("Enter")
    expect(panel(page, 0)).to_be_visible()


def open_tabs(page: Page) -> None:
    item = page.locator("[data-submenu]").filter(has=page.locator("[data-tabs]")).last
    item.locator("button[aria-expanded]").first.press("Enter")
    expect(page.locator("[data-panel]:popover-open [role=tab]").first).to_be_visible()


def open_languages(page: Page) -> None:
    page.locator("[data-switcher] summary").click()
    expect(page.locator("[data-switcher] a").first).to_be_visible()


def open_mobile_menu(page: Page) -> None:
    page.locator("[data-burger]").click()
    expect(page.locator("[data-menu]")).to_be_visible()


def open_mobile_sub_menu(page: Page) -> None:
    open_mobile_menu(page)
    open_sub_menu(page)


def scroll_down(page: Page) -> None:
    page.evaluate("window.scrollTo({ top: 900, behavior: 'instant' })")
    expect(page.locator("header[data-header]")).to_have_attribute("data-fixed", "")


def read_all_of_the_notice(page: Page) -> None:
    theme = "gdpr" if page.locator("html").get_attribute("data-site") == "en" else "small"
    expect(notice(page, theme)).to_be_visible()
    more = notice(page, theme).locator("[data-consent-more]")
    if theme == "gdpr":
        more.click()
        expect(more).to_have_attribute("aria-expanded", "true")


def choose_cookies(page: Page) -> None:
    assert open_settings(page)


def tell_of_the_language(page: Page) -> None:
    page.evaluate("document.querySelector('[data-language-notice]').showModal()")


FRAME = (
    "header[data-header], footer, "
    "[data-consent-theme], [data-consent-dialog], [data-consent-status], [data-language-notice]"
)
ENGLISH, ARABIC = ("en", "de"), ("ae", "")
"""Sites, and the country a visitor comes from."""
STATES: dict[str, tuple[int, Callable[[Page], None]]] = {
    "a sub-menu": (DESKTOP, open_sub_menu),
    "tabs of a sub-menu": (DESKTOP, open_tabs),
    "the languages": (DESKTOP, open_languages),
    "the mobile menu": (PHONE, open_mobile_menu),
    "a sub-menu of the mobile menu": (PHONE, open_mobile_sub_menu),
    "the fixed header above its anchors": (DESKTOP, scroll_down),
    "the notice of cookies": (PHONE, read_all_of_the_notice),
    "the settings of cookies": (DESKTOP, choose_cookies),
}
OF_ITS_OWN: dict[str, tuple[int, Callable[[Page], None]]] = {
    "the notice of cookies": (PHONE, read_all_of_the_notice),
    "the notice of another language": (PHONE, tell_of_the_language),
}
"""What the Arabic site alone shows. The rest has the same roles and colours there, and each text is there: `catalog.test.ts`."""


@pytest.mark.parametrize(("where", "states"), [(ENGLISH, STATES), *([(ARABIC, OF_ITS_OWN)] if EVERY_PAGE else [])])
def test_every_state_of_the_frame_can_be_used(
    product: Product,
    browser: Browser,
    where: tuple[str, str],
    states: dict[str, tuple[int, Callable[[Page], None]]],
) -> None:
    site, country = where
    found: dict[str, list[str]] = {}
    for state, (width, bring_about) in states.items():
        with browser.new_context(reduced_motion="reduce", viewport={"width": width, "height": 900}) as context:
            if country:
                context.add_cookies([{"name": "country_code", "value": country, "url": product.origin(site)}])
            page = context.new_page()
            page.goto(product.origin(site) + "/about-us")
            bring_about(page)
            if problems := find_violations(page, FRAME):
                found[state] = problems
    assert not found, "\n".join(f"{state}: {what}" for state, what in found.items())
