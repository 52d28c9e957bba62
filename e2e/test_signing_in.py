"""A session that ends in an open form: signing in again in another tab keeps the form.

Two-factor authentication: `test_signing_in_in_depth.py`.
"""

import re

from playwright.sync_api import Browser, Page, expect

from .axe import find_violations
from .editing import editing, expect_published, log_in
from .product import Product

SCREENS = ({"width": 1440, "height": 900}, {"width": 390, "height": 844})


def test_a_form_outlives_its_session(product: Product, browser: Browser) -> None:
    """Saving waits while the editor is signed out; after signing in in another tab, the open form is saved as typed."""
    typed = "Written across two sessions."
    with (
        editing(product) as editor,
        browser.new_context(viewport=SCREENS[0], reduced_motion="reduce") as context,
    ):
        form = editor.keep("/services/architecture")
        page = context.new_page()
        log_in(page, product)
        page.goto(form)
        session, others = [], []
        for cookie in context.cookies():
            (session if "session" in cookie["name"] else others).append(cookie)
        assert session
        context.clear_cookies()
        context.add_cookies(others)  # type: ignore[arg-type]
        page.locator("#id_title").fill(typed)
        notice = page.get_by_role("alert").filter(has_text="Your session has ended")
        expect(notice).to_be_visible()
        assert find_violations(page, ".studio-signed-out") == []
        publish = page.get_by_role("button", name=re.compile("^Publish")).first
        publish.click()
        expect(notice).to_be_visible()
        expect(page.locator("#id_title")).to_have_value(typed)
        expect(page).to_have_url(form)

        with context.expect_page() as opened:
            notice.get_by_role("link").click()
        other = opened.value
        give_password(other, product)
        expect(other).to_have_url(f"{product.studio}/admin/")
        other.close()
        expect(publish).to_be_enabled()
        publish.click()
        expect_published(page)
        expect(page.locator("[data-published-said]")).to_contain_text(typed)


def give_password(page: Page, product: Product) -> None:
    page.get_by_label("Username").fill(product.login["user"])
    page.get_by_label("Password").fill(product.login["password"])
    page.get_by_role("button", name="Sign in", exact=True).click()
