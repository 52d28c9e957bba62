"""Axe finds no problem on any screen of our own in the studio, wide or narrow, in English or German, and all fit the width of a
phone.

`make axe` is the long form: every screen in both widths, with lists and forms of entries. The short form requests each of the studio's
own screens and opens a fixed third of them in one width and one language. A browser takes a second of a core for each.
"""

import os
import re
from typing import Final
from zlib import crc32

import httpx
from playwright.sync_api import Browser, Error, Page

from .administrators import add_administrator, sign_in_as
from .axe import find_violations
from .faults import LONGEST_WAIT_S
from .product import Product
from .studio_screens import WITHOUT_EXAMPLE, Screen, list_screens

PHONE: Final = 390
WIDTHS: Final = (1440, PHONE)
WHOLE: Final = "() => Math.max(900, document.querySelector('.content-wrapper')?.scrollHeight ?? 0)"
"""How high a screen is that shows all there is."""
NAME: Final = "looks-at-all"
LANGUAGES: Final = ("en-GB", "de-DE")
EVERY_SCREEN: Final = os.environ.get("PORTOLAN_AXE") == "every-page"
OPENS_ONE_OF: Final = 1 if EVERY_SCREEN else 3


def test_every_screen_that_is_ours_can_be_used_by_everybody(product: Product, browser: Browser) -> None:
    screens = list_screens(product)
    unknown = {name for screen in screens for name in screen.missing} - WITHOUT_EXAMPLE.keys() - {"pk"}
    assert not unknown, f"e2e/studio_screens.py has no example for {unknown}"
    chosen = [screen for screen in screens if not screen.missing]
    if not EVERY_SCREEN:  # forms and lists of entries are Wagtail's, with little of ours
        own = [screen for screen in chosen if screen.view.startswith("portolan.studio.")]
        chosen = list({(screen.view, screen.name): screen for screen in own}.values())
    found: dict[str, list[str]] = {}
    seen = 0
    for turn, language in enumerate(LANGUAGES):
        with browser.new_context(reduced_motion="reduce", locale=language) as context:
            page = context.new_page()
            if turn == 0:
                add_administrator(page, product, NAME)
            else:
                sign_in_as(page, product, NAME)
            for place, screen in enumerate(chosen):
                if place % 3 == 0 if turn == 0 else place % 3:
                    continue  # a third of them in German
                if not is_in_sample(screen):
                    seen += is_answered(page, product, screen)
                    continue
                widths = WIDTHS if EVERY_SCREEN else WIDTHS[place % 2 : place % 2 + 1]
                looked = look(page, product, screen, widths)
                seen += looked is not None
                if looked:
                    found[f"{screen.address} ({language})"] = looked
    assert seen >= 30, f"only {seen} of {len(chosen)} are screens"
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())


def look(page: Page, product: Product, screen: Screen, widths: tuple[int, ...]) -> list[str] | None:
    """Return the screen's problems, or None if the URL answers otherwise."""
    page.set_viewport_size({"width": widths[0], "height": 900})
    try:
        reply = page.goto(f"{product.studio}/{screen.address}")
    except Error as error:
        assert re.search("Download is starting|ERR_ABORTED", str(error)), screen  # a file, or an answer without a page
        return None
    assert reply is not None
    assert reply.status < 500, f"{screen.address}: {reply.status}"
    if reply.status != 200 or page.locator("main").count() == 0:
        return None
    problems = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        problems += [f"{wide} px too wide at {width}"] if wide > 0 else []
        # A form's bar stays at the bottom of the screen, and axe does not scroll to elements below it.
        if width == PHONE:
            page.set_viewport_size({"width": width, "height": page.evaluate(WHOLE)})
        problems += find_violations(page, "main")
    return problems


def is_in_sample(screen: Screen) -> bool:
    """By its name, so that another screen more or less leaves the rest as it is."""
    return crc32(f"{screen.view} {screen.name}".encode()) % OPENS_ONE_OF == 0


def is_answered(page: Page, product: Product, screen: Screen) -> bool:
    """Whether the address answers with a screen; without opening it."""
    cookies = "; ".join(f"{kept['name']}={kept['value']}" for kept in page.context.cookies(product.studio))
    headers = {"Host": product.studio.removeprefix("http://"), "Cookie": cookies}
    reply = httpx.get(
        f"http://127.0.0.1:{product.port}/{screen.address}", headers=headers, timeout=LONGEST_WAIT_S, verify=False
    )
    assert reply.status_code < 500, f"{screen.address}: {reply.status_code}"
    return reply.status_code == 200 and "<main" in reply.text
