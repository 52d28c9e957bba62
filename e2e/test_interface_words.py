"""A word of the German form is changed in the studio: it is live on that site alone, also after the form has loaded."""

from playwright.sync_api import Browser, Page, expect

from .editing import NOTE_WATCH, expect_published, log_in, wait_until_live, wait_until_watched
from .product import Product

KEY = "formMessage"
DEFAULT = "Ihre Nachricht"
WORD = "Womit können wir helfen?"
PATH = "/contact-us"


def test_a_word_of_a_form_is_changed_on_one_site_and_returns_to_its_default(product: Product, browser: Browser) -> None:
    english = product.get("en", PATH).text
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        page.goto(product.studio + "/admin/interface-words/")
        page.locator("[data-site-setting='de']").get_by_text("Change words").click()
        wait_until_watched(page)
        form = page.url
        word = page.locator(f"[data-word='{KEY}']")
        expect(word).to_have_attribute("data-inheritance", "follows")
        page.locator("[data-words-search]").fill(DEFAULT)
        word.locator("[data-own]").click()
        expect(word.locator("textarea")).to_have_value(DEFAULT)
        word.locator("textarea").fill(WORD)
        expect(word).to_have_attribute("data-inheritance", "own")
        _publish(page, product)
        assert WORD in product.get("de", PATH).text
        assert product.get("en", PATH).text == english

        visitor = context.new_page()
        visitor.goto(product.origin("de") + PATH)
        message = visitor.locator("form[data-form=contact] textarea[name=message]")
        message.focus()  # the form becomes interactive
        expect(visitor.locator("form[data-form=contact][novalidate]")).to_be_attached()
        expect(visitor.get_by_label(WORD)).to_be_visible()

        page.goto(form)
        wait_until_watched(page)
        word.locator("[data-own]").click()
        word.locator("[data-follow]").click()
        expect(word).to_have_attribute("data-inheritance", "follows")
        _publish(page, product)
        assert WORD not in product.get("de", PATH).text


def _publish(page: Page, product: Product) -> None:
    page.get_by_role("button", name="Publish", exact=True).click()
    expect_published(page)
    wait_until_live(product, {("de", PATH)})
