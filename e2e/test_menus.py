"""A menu is edited as a page is: a draft that the site does not know of, its preview, live, and back."""

import re

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from .editing import expect_published, log_in, wait_until_live
from .product import Product

pytestmark = pytest.mark.postgres

SITE = "de"
NAME = "Leistungsschau"


def test_a_menu_item_is_renamed_as_a_draft_previewed_published_and_reverted(product: Product, browser: Browser) -> None:
    before = product.live()[SITE].build
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, product)
        page.goto(product.studio + "/admin/menus/")
        row = page.locator(f"[data-site-setting='{SITE}']")
        row.get_by_role("link").first.click()
        form = page.url
        title = _title_of_first(page)
        old = title.input_value()
        assert page.locator("#w-editor-form input:visible").count() < 20, "what is not looked at is folded"
        title.fill(NAME)
        page.get_by_role("button", name="More actions").first.click()
        page.get_by_role("button", name="Save draft").first.click()
        expect(page.locator(".messages")).to_contain_text("updated")
        assert product.live()[SITE].build == before
        assert NAME not in product.get(SITE, "/").text

        page.get_by_role("button", name="Toggle preview").click()
        preview: FrameLocator = page.frame_locator("iframe#w-preview-iframe")
        expect(preview.get_by_text(NAME).first).to_be_attached()

        page.goto(form)
        _publish(page)
        wait_until_live(product, {(SITE, "/")})
        assert NAME in product.get(SITE, "/").text

        page.goto(form.replace("/edit/", "/history/"))
        expect(page.get_by_text(NAME).first).to_be_visible()
        page.locator("tr", has_text="The version before").get_by_role("button").first.click()
        page.get_by_role("link", name=re.compile("Review this version")).first.click()
        assert _title_of_first(page).input_value() == old
        _publish(page)
        wait_until_live(product, {(SITE, "/")})
        assert NAME not in product.get(SITE, "/").text


def _title_of_first(page: Page):  # type: ignore[no-untyped-def]
    """The first item's, unfolded."""
    item = page.locator("[data-streamfield-child]").first
    toggle = item.locator("[data-panel-toggle]").first
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    return item.locator("input[name$='-value-title']").first


def _publish(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Publish|^Replace")).first.click()
    expect_published(page)
