"""After a publish, an editor follows its delivery status on an open screen. A blocked site shows the change only once the
block ends. The version history restores an earlier version of a page.

``backend/tests/studio/test_delivery_status.py`` tests that an outdated edge is noticed.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, expect

from portolan.builds.live import Pin, resume, switch_live
from portolan.builds.manifest import now_iso

from .axe import find_violations
from .editing import log_in
from .faults import wait_until
from .product import Product

pytestmark = pytest.mark.postgres

CONTACT = "/contact-us"
FRIDAY = "Kontakt am Freitag"


def test_a_change_is_seen_travelling_to_a_site_that_is_blocked_and_is_reverted_in_its_version_history(
    product: Product, browser: Browser
) -> None:
    before = product.get("de", CONTACT).text
    with (
        pinned(product, "de"),
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        log_in(page, product)
        page.goto(f"{product.studio}/admin/pages/{find_page(product)}/edit/")
        page.locator("input[name=title]").fill(FRIDAY)
        page.get_by_role("button", name=re.compile("^Publish")).first.click()
        page.get_by_role("link", name="Delivery status").first.click()

        german, said = page.locator("[data-delivery-site=de]"), page.locator("[data-delivery-said]")
        expect(german).to_have_attribute("data-state", "blocked")
        expect(german).to_contain_text("Not live on Deutschland yet")
        with context.expect_page() as opened:
            page.evaluate("open(location.href)")  # somebody else's screen; this one stays as it is
        opened.value.get_by_role("button", name=re.compile("^Resume")).click()
        expect(german).to_have_attribute("data-state", "verified")
        expect(said).to_have_text("Verified on Deutschland.")
        assert FRIDAY in product.get("de", CONTACT).text
        expect(page.get_by_role("main")).to_contain_text("Demo editor")
        expect(page.locator("ins")).to_have_text("am Freitag", use_inner_text=True)
        assert find_violations(page, "main") == []

        page.get_by_role("link", name="Version history", exact=True).click()
        page.get_by_role("row").last.get_by_role("link").first.click()
        page.get_by_text("Restore the version of release").click()
        expect(page.locator("del")).to_have_text("am Freitag", use_inner_text=True)
        assert find_violations(page, "main") == []
        page.get_by_role("button", name="Restore version").click()
        expect(page.locator(".messages")).to_contain_text("The version of release")
        wait_until(lambda: product.get("de", CONTACT).text == before, "the page is as it was")


@contextmanager
def pinned(product: Product, site: str) -> Iterator[None]:
    """Pin a site to its release until publishing is resumed, or the block ends."""
    builds, live = product.var_dir / "builds", product.live_pointer()
    switch_live(builds, {site: live.builds[site]}, release=live.releases[site], pin=Pin(now_iso(), "Ben"))
    try:
        yield
    finally:
        resume(builds, [site])


def find_page(product: Product) -> int:
    """The German site's contact page."""
    [page] = product.ask("SELECT id FROM wagtailcore_page WHERE url_path LIKE %s", "%/de/contact-us/")
    return int(page["id"])
