"""A change set of two countries is looked at by people without a login: with scripts, until their link is revoked."""

import re

from playwright.sync_api import Browser, Page, expect

from .axe import find_violations
from .editing import editing, log_in
from .product import Product
from .test_change_sets import save_to_set

CONTACT = "/contact-us"
TITLES = {"de": "Kontakt im Herbst", "pl": "Kontakt jesienią"}


def test_a_change_set_is_looked_at_by_a_link_without_a_login(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
        browser.new_context(viewport={"width": 375, "height": 800}, reduced_motion="reduce") as outside,
    ):
        forms = {site: editor.keep(CONTACT, site) for site in TITLES}
        page = context.new_page()
        log_in(page, product)
        save_to_set(page, forms["de"], TITLES["de"], "Save to change set…")
        page.get_by_label("Name of the new change set").fill("Contact in autumn")
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator(".messages")).to_contain_text("is saved in the change set")  # the next form offers it
        save_to_set(page, forms["pl"], TITLES["pl"], "Save to “Contact in autumn”")
        page.get_by_role("link", name="Open change set").click()
        change_set = page.url
        page.locator("[data-preview-link]").click()

        frames = page.locator("iframe[data-preview]")
        expect(frames).to_have_count(4)
        for site in TITLES:
            frame = page.frame_locator(f"[data-preview={site}]").first
            expect(frame.locator("html[data-consent]")).to_be_attached()
        assert find_violations(page, "main") == []
        address = share(page)

        visitor = outside.new_page()
        met: list[str] = []
        visitor.on("pageerror", lambda error: met.append(str(error)))
        look_around(visitor, address)
        comment(visitor)
        assert met == []

        page.goto(forms["de"])
        expect(page.locator("#comments")).to_contain_text("Ruth Weber, with the link “For the agency”: <b>Really?</b>")

        page.goto(f"{product.studio}/admin/preview/links/")
        expect(page.get_by_role("main")).to_contain_text("1 comment")
        assert find_violations(page, "main") == []
        page.get_by_role("button", name=re.compile("^Revoke")).first.click()
        expect(page.locator(".messages")).to_contain_text("is revoked")
        visitor.reload()
        expect(visitor.get_by_role("main")).to_contain_text("has revoked this link")

        page.goto(change_set)  # others edit these pages too
        page.get_by_text("Close…").click()
        page.get_by_role("button", name="Close change set").click()
        expect(page.locator(".messages")).to_contain_text("is closed")


def share(page: Page) -> str:
    """The link, which is shown once."""
    page.get_by_text("Share with a link").click()
    page.get_by_label("Note for the recipients").fill("For the agency")
    page.get_by_role("button", name="Create link").click()
    return page.locator("[data-preview-url]").input_value()


def look_around(visitor: Page, address: str) -> None:
    """On both sites, in the visitors' front end."""
    polish = address.replace("-de.", "-pl.")
    visitor.goto(polish + ("" if polish.endswith(CONTACT) else CONTACT))
    assert TITLES["pl"] in visitor.content()
    visitor.goto(address.removesuffix(CONTACT).rstrip("/") + CONTACT)
    assert TITLES["de"] in visitor.content()
    expect(visitor.locator("portolan-preview")).to_contain_text("For the agency: The change set “Contact in autumn”")
    visitor.locator("[data-burger]").click()
    expect(visitor.locator("[data-menu]")).to_be_visible()
    visitor.keyboard.press("Escape")


def comment(visitor: Page) -> None:
    bar = visitor.locator("portolan-preview")
    bar.get_by_role("button", name="Comment").click()
    bar.get_by_label("Your name").fill("Ruth Weber")
    bar.get_by_role("button", name="Point to a place on the page").click()
    visitor.locator("[data-block]").first.click()
    expect(bar.locator("select[name=about]")).not_to_have_value("")
    bar.get_by_role("textbox", name="Comment").fill("<b>Really?</b>")
    bar.get_by_role("button", name="Send").click()
    expect(bar).to_contain_text("The editors have your comment")
