"""An editor shows visitors an earlier release again, from the studio: at once on all sites, held until it is resumed."""

import re

from playwright.sync_api import Browser, expect

from .editing import editing, log_in
from .faults import wait_until
from .product import Product

CONTACT = "/contact-us"


def test_visitors_see_an_earlier_release_until_somebody_resumes(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce") as context,
    ):
        before = product.get("de", CONTACT).text
        release = product.live_pointer().installation.release
        untouched = product.live_pointer().builds["pl"]
        editor.change(CONTACT, "title", "Kontakt am Freitag", site="de")
        editor.wait_until_live()

        page = context.new_page()
        log_in(page, product)
        page.goto(f"{product.studio}/admin/releases/")
        expect(page.get_by_role("row").nth(1)).to_contain_text("Kontakt am Freitag")
        page.goto(f"{product.studio}/admin/releases/{release}/show-again/")
        expect(page.get_by_role("main")).to_contain_text("Kontakt am Freitag")
        page.get_by_role("button", name=re.compile("^Show release")).click()
        wait_until(lambda: product.live_pointer().installation.is_pinned, "the release is shown again")
        assert product.get("de", CONTACT).text == before
        assert product.live_pointer().builds["pl"] == untouched

        page.goto(f"{product.studio}/admin/")
        expect(page.get_by_role("main")).to_contain_text(f"Every site shows release {release} since")
        page.get_by_role("button", name=re.compile("^Resume")).click()
        wait_until(lambda: "Kontakt am Freitag" in product.get("de", CONTACT).text, "the newest release is live")
        assert not product.live_pointer().installation.is_pinned
