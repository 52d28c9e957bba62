"""An editor changes a page's URL in its form, which shows the consequences; the old URL redirects."""

import re

from playwright.sync_api import Browser, expect

from .editing import editing, expect_published, log_in
from .faults import wait_until
from .product import Product

LIST = "/blueprint"
PAGE, NEW = f"{LIST}/offline-first-field-app", f"{LIST}/without-a-network"
TAKEN = "taking-over-a-system"


def test_what_follows_is_said_while_the_address_is_typed_and_then_happens(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 390, "height": 900}, reduced_motion="reduce") as context,
    ):
        form = editor.keep(PAGE)
        page = context.new_page()
        log_in(page, product)
        page.goto(f"{form}#tab-promote")
        address = page.locator("input[name=slug]")
        told = page.get_by_role("status").and_(page.locator(".studio-follows"))
        address.fill(TAKEN)
        expect(told).to_contain_text("already has this URL")
        address.fill(_last(NEW))
        expect(told).to_contain_text("2 URLs change on International, United Kingdom.")
        expect(told).not_to_contain_text("already has this URL")
        told.get_by_text("Which ones").click()
        expect(told.get_by_text(f"{PAGE} → {NEW}").first).to_be_visible()
        address.fill(_last(PAGE))
        expect(told).to_be_empty()
        address.fill(_last(NEW))
        expect(told).not_to_be_empty()
        page.get_by_role("button", name=re.compile("^Publish")).first.click()
        expect_published(page)
        with product.client() as get:
            for site in ("en", "uk"):
                wait_until(lambda site=site: get(site, PAGE).headers.get("location") == NEW, f"{site} redirects")
                assert get(site, NEW).status_code == 200
            assert f'href="{NEW}"' in get("en", LIST).text, "links follow"


def _last(path: str) -> str:
    return path.rpartition("/")[2]
