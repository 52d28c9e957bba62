"""Two pages of two countries go live together: edited into a change set, looked at, put live, reverted as one."""

import re
from functools import partial

import pytest
from playwright.sync_api import Browser, Page, expect

from .axe import find_violations
from .editing import editing, log_in
from .faults import wait_until
from .product import Product

pytestmark = pytest.mark.postgres

CONTACT = "/contact-us"
TITLES = {"de": "Kontakt im Frühling", "pl": "Kontakt wiosną"}


def test_pages_of_two_countries_go_live_and_are_reverted_as_one(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        before = {site: product.get(site, CONTACT).text for site in TITLES}
        release = product.live_pointer().installation.release
        forms = {site: editor.keep(CONTACT, site) for site in TITLES}
        page = context.new_page()
        log_in(page, product)

        save_to_set(page, forms["de"], TITLES["de"], "Save to change set…")
        page.get_by_label("Name of the new change set").fill("Contact in spring")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator(".messages")).to_contain_text("is saved in the change set")
        save_to_set(page, forms["pl"], TITLES["pl"], "Save to “Contact in spring”")
        page.get_by_role("link", name="Open change set").click()

        things = page.get_by_role("main")
        for title in TITLES.values():
            expect(things).to_contain_text(title)
        assert find_violations(page, "main") == []
        assert {site: product.get(site, CONTACT).text for site in TITLES} == before
        page.get_by_role("button", name="Publish now").click()
        expect(page.locator(".messages")).to_contain_text("is being published as release")
        for site, title in TITLES.items():
            wait_until(partial(shows, product, site, title), f"{site} has it")
        assert product.live_pointer().installation.release == release + 1

        page.get_by_role("link", name="Revert…").click()
        page.get_by_role("button", name=re.compile("^Revert 2")).click()
        expect(page.locator(".messages")).to_contain_text("is reverted by release")
        for site, text in before.items():
            wait_until(lambda site=site, text=text: product.get(site, CONTACT).text == text, f"{site} is as before")
        page.goto(f"{product.studio}/admin/calendar/")
        expect(page.get_by_role("main")).to_contain_text("Change set was live, then reverted: Contact in spring")
        assert find_violations(page, "main") == []


def save_to_set(page: Page, form: str, title: str, label: str) -> None:
    page.goto(form)
    page.locator("#id_title").fill(title)
    page.get_by_role("button", name="More actions").last.click()
    page.get_by_role("button", name=label).click()


def shows(product: Product, site: str, title: str) -> bool:
    return title in product.get(site, CONTACT).text
