"""One mistake blocks itself: the editor is told so at once and led to the fix, and other countries go on."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from .editing import editing, log_in
from .faults import wait_until
from .product import Product

CASE = "/project-cases/northwind-port-authority"
CONTACT = "/contact-us"
MISTAKE = "has 0 main headings"


def test_a_page_with_a_mistake_waits_for_its_fix_while_another_country_goes_live(
    product: Product, browser: Browser
) -> None:
    before = product.get("en", CASE).text
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce") as context,
    ):
        form = editor.keep(CASE)
        page = context.new_page()
        log_in(page, product)
        page.goto(form)
        # The first block of the body, and none of those inside of others.
        blocks = page.locator(
            "#panel-child-content-body-section [data-streamfield-child]:not([data-streamfield-child] *)"
        )
        blocks.first.get_by_role("button", name="Delete").first.click()
        expect(page.locator("[data-to-fix]")).to_have_attribute("data-to-fix", "1")
        page.get_by_role("button", name="More actions").click()
        page.get_by_role("button", name="Save draft").click()
        expect(page.locator(".messages")).to_contain_text("has been updated")
        # Publish it as its schedule would: its form and the lists refuse.
        editor.publish_draft(CASE)
        wait_until(lambda: "en" in product.live_pointer().blocked, "the page is blocked")

        build = product.live_pointer().builds["de"]
        editor.change(CONTACT, "title", "Kontakt heute", site="de")
        editor.wait_until_live()
        assert product.live_pointer().builds["de"] != build
        assert "Kontakt heute" in product.get("de", CONTACT).text
        assert product.get("en", CASE).text == before

        waiting = _list_waiting(page, product)
        expect(waiting).to_contain_text("Changed by Demo editor.")
        rows = page.locator(".studio-sites").get_by_role("row")
        expect(rows.filter(has_text="International")).to_contain_text(["1 to fix", "1 to fix"])  # and who follows it
        expect(rows.filter(has_text="Deutschland")).not_to_contain_text("to fix")
        waiting.get_by_role("link", name="Fix it").click()
        expect(blocks).not_to_have_count(0)
        assert page.url == form
        expect(page.locator(".page-status-tag").first).to_have_text(re.compile("blocked", re.IGNORECASE))
        editor.put_back()
        expect(_list_waiting(page, product)).to_have_count(0)
    assert product.get("en", CASE).text == before


def _list_waiting(page: Page, product: Product) -> Locator:
    """On the studio's dashboard."""
    page.goto(product.studio + "/admin/")
    return page.get_by_role("listitem").filter(has_text=MISTAKE)
