"""An editor publishes and stays in the form at the same place. The delivery status appears next to the button, however long the release
takes. The keyboard gets there too."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from portolan.publisher.lock import publish_lock

from .axe import find_violations
from .editing import NOTE_WATCH, editing, log_in, wait_until_watched
from .faults import wait_until
from .product import Product

PAGE = "/services/web-development"
TITLES = ("Web development by Friday", "Web development by Monday")


def test_publishing_keeps_the_form_and_follows_a_release_that_takes_its_time(
    product: Product, browser: Browser
) -> None:
    with editing(product) as editor, shown(browser, product, editor.keep(PAGE)) as page:
        said, sites = page.locator("[data-published-said]"), page.locator(".studio-published-box [data-delivery-site]")
        open_last_block(page)
        page.evaluate("window.isSameDocument = true; scrollTo(0, document.body.scrollHeight)")
        before = page.evaluate("scrollY")
        with publish_lock(product.var_dir / "builds"):  # nothing goes live meanwhile, and nothing after it is frozen
            press_publish(page, TITLES[0])
            expect(said).to_have_text(f"“{TITLES[0]}” is saved and is going live.")
            expect(sites.first).to_have_attribute("data-state", "released")
            press_publish(page, TITLES[1])
            expect(said).to_have_text(f"“{TITLES[1]}” is saved and is going live.")
            expect(sites).to_have_count(0)
        expect(said).to_have_text(f"“{TITLES[1]}” is live.")
        expect(sites.first).to_have_attribute("data-state", "verified")
        expect(
            page.locator(".studio-published-box [data-state=frozen], .studio-published-box [data-state=rendered]")
        ).to_have_count(0)
        assert page.evaluate("window.isSameDocument"), "the form was not loaded again"
        assert page.evaluate("scrollY") == before
        expect(page.locator("[data-streamfield-child]").last.locator("[data-panel-toggle]").first).to_have_attribute(
            "aria-expanded", "true"
        )
        assert TITLES[1] in product.get("en", PAGE).text
        assert find_violations(page, ".studio-published-box") == []

        live = live_revision(product)
        page.locator("#id_title").fill("Web development, a draft")
        expect(page.locator("#w-autosave-indicator")).to_have_attribute("data-w-autosave-state-value", "saved")
        wait_until(lambda: newest_revision(product) != live, "the draft is a revision of its own")
        assert live_revision(product) == live, "what is published is not written over"


@contextmanager
def shown(browser: Browser, product: Product, form: str) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        page.goto(form)
        wait_until_watched(page)
        yield page


def open_last_block(page: Page) -> None:
    toggle = page.locator("[data-streamfield-child]").last.locator("[data-panel-toggle]").first
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")


def press_publish(page: Page, title: str) -> None:
    page.locator("#id_title").evaluate(
        "(field, title) => { field.value = title; field.dispatchEvent(new Event('input', { bubbles: true })) }", title
    )
    button = page.get_by_role("button", name=re.compile("^Publish")).first
    expect(button).to_be_enabled()
    button.evaluate("button => button.click()")  # a real one would scroll to it


def live_revision(product: Product) -> int:
    return find(product, "live_revision_id")


def newest_revision(product: Product) -> int:
    return find(product, "latest_revision_id")


def find(product: Product, column: str) -> int:
    [page] = product.ask(f"SELECT {column} AS found FROM wagtailcore_page WHERE url_path LIKE %s", f"%/en{PAGE}/")
    return int(page["found"])
