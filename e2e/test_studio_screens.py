"""Axe finds no problem on any screen of our own in the studio, wide and narrow, in English or German, and all fit the width of a
phone.

A long test: a browser takes a second of a core for each screen.
"""

import re
from typing import Final

from playwright.sync_api import Browser, Error, Page

from .administrators import add_administrator, sign_in_as
from .axe import find_violations
from .product import Product
from .studio_screens import WITHOUT_EXAMPLE, Screen, list_screens

PHONE: Final = 390
WIDTHS: Final = (1440, PHONE)
WHOLE: Final = "() => Math.max(900, document.querySelector('.content-wrapper')?.scrollHeight ?? 0)"
"""How high a screen is that shows all there is."""
NAME: Final = "looks-at-all"
LANGUAGES: Final = ("en-GB", "de-DE")


def test_every_screen_that_is_ours_can_be_used_by_everybody(product: Product, browser: Browser) -> None:
    screens = list_screens(product)
    unknown = {name for screen in screens for name in screen.missing} - WITHOUT_EXAMPLE.keys() - {"pk"}
    assert not unknown, f"e2e/studio_screens.py has no example for {unknown}"
    chosen = [screen for screen in screens if not screen.missing]
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
                looked = look(page, product, screen)
                seen += looked is not None
                if looked:
                    found[f"{screen.address} ({language})"] = looked
    assert seen >= 30, f"only {seen} of {len(chosen)} are screens"
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())


def look(page: Page, product: Product, screen: Screen) -> list[str] | None:
    """Return the screen's problems, or None if the URL answers otherwise."""
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
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
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        problems += [f"{wide} px too wide at {width}"] if wide > 0 else []
        # A form's bar stays at the bottom of the screen, and axe does not scroll to elements below it.
        if width == PHONE:
            page.set_viewport_size({"width": width, "height": page.evaluate(WHOLE)})
        problems += find_violations(page, "main")
    return problems
