"""A translator updates the German page next to its changed original, by keyboard alone."""

from playwright.sync_api import Browser, expect

from .axe import find_violations
from .editing import NOTE_WATCH, editing, expect_published, log_in, wait_until_watched
from .product import Product

PATH = "/services/dedicated-team"


def test_a_changed_text_is_translated_and_the_cell_is_current(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        original = editor.keep(PATH)
        editor.keep(PATH, "de")
        page.goto(original)
        wait_until_watched(page)
        page.locator("[name='body-0-value-title']").fill("A team of {company} that stays")
        page.get_by_role("button", name="Publish", exact=True).click()
        expect_published(page)

        overview = f"{product.studio}/admin/translations/?q=dedicated&site=de"
        page.goto(overview)
        cell = page.locator("[data-cell=de]").first
        expect(cell).to_have_attribute("data-state", "outdated")
        cell.locator("a").first.click()
        text = page.locator("[data-pair]:visible")
        expect(text).to_have_count(1)
        expect(text).to_contain_text("A team of {company} that stays")
        page.set_viewport_size({"width": 390, "height": 844})
        assert find_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        text.locator("[data-field] input").focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("Ein Team, das bleibt")
        expect(text.locator("[data-lost]")).to_contain_text("{company}")
        page.keyboard.press("Control+a")
        page.keyboard.type("Ein Team von {company}, das bleibt")
        expect(text.locator("[data-lost]")).to_be_empty()
        page.keyboard.press("Control+Enter")
        expect(page.locator("[data-left]")).to_have_text("0")
        page.keyboard.press("Enter")
        expect(page.get_by_text("The translation is up to date.")).to_be_visible()
        expect(page.locator(".error-message")).to_have_count(0)

        page.goto(overview)
        expect(cell).to_have_attribute("data-state", "current")
