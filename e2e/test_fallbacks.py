"""The Arabic site shows English originals of missing blueprints: visitors are told, and stay on the site."""

from playwright.sync_api import Browser, expect

from .editing import log_in
from .faults import wait_until
from .product import Product

LIST, PATH = "/blueprint", "/blueprint/evidence-for-a-regulator"


def test_visitors_read_the_original_below_a_notice(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, product)

        def choose(value: str) -> None:
            page.goto(f"{product.studio}/admin/translations/without/")
            for page_type in ("listingpage", "blueprintpage"):
                page.locator(f"select[name='ae:{page_type}']").select_option(value)
            page.get_by_role("button", name="Save choices").click()
            expect(page.get_by_text("Choices saved")).to_be_visible()

        choose("original")
        try:
            wait_until(lambda: product.get("ae", PATH).status_code == 200, "the original is live")
            page.goto(f"{product.studio}/admin/translations/?type=blueprintpage&site=ae")
            expect(page.locator("[data-cell=ae][data-state=missing][data-fallback]").first).to_contain_text("original")

            page.goto(product.origin("ae") + LIST)
            document = page.locator("html")
            original = page.locator("main > [lang=en][dir=ltr]")
            expect(document).to_have_attribute("dir", "rtl")
            page.locator(f"main a[href='{PATH}']").first.click()
            expect(page).to_have_url(product.origin("ae") + PATH)
            expect(document).to_have_attribute("data-fallback", "en")
            expect(original.locator("h1")).to_be_visible()
            expect(page.locator("[data-fallback-notice]")).to_contain_text("الإنجليزية")
            canonical = page.locator("link[rel=canonical]")
            expect(canonical).to_have_attribute("href", product.origin("en") + PATH)
            assert page.locator("link[rel=alternate]").count() == 0
            assert PATH not in product.get("ae", "/sitemap.xml").text

            page.locator("header a[href='/']").first.click()
            expect(document).not_to_have_attribute("data-fallback", "en")
            expect(original).to_have_count(0)
        finally:
            choose("")
        wait_until(lambda: product.get("ae", PATH).status_code == 410, "the original is gone")
