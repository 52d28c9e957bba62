"""The form of an Arabic page: its content runs from right to left, the form around it from left to right."""

from playwright.sync_api import Browser, Locator, Page, expect

from .editing import editing, log_in
from .product import Product

BLOCKS = "#panel-child-content-body-section"
CLOSED = f"{BLOCKS} [data-panel-toggle][aria-expanded=false]"


def test_the_content_of_an_arabic_page_is_written_from_right_to_left(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        log_in(page, product)
        page.goto(editor.keep("/about-us", "ae"))
        for name in ("title", "seo_title", "search_description", "body-0-value-title", "body-0-value-text"):
            runs_from_right_to_left(page.locator(f"[name={name}]"))
        runs_from_right_to_left(page.locator(f"{BLOCKS} .page-chooser .chooser__title").first)
        for name in ("slug", "body-0-value-anchor", "body-0-value-actions-0-value-url"):
            expect(page.locator(f"[name={name}]")).to_have_attribute("dir", "ltr")
        label = page.locator(f"{BLOCKS} label").first
        expect(label).to_have_css("direction", "ltr")
        write_rich_text(page)


def write_rich_text(page: Page) -> None:
    """A paragraph that begins with a Latin word and ends with a full stop keeps the direction of the page."""
    text = page.locator(".public-DraftEditor-content").first
    page.locator(CLOSED).first.wait_for()
    for toggle in page.locator(CLOSED).element_handles():
        if text.count():
            break
        toggle.click()
    runs_from_right_to_left(page.locator(".DraftEditor-root").first)
    text.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("{company} ")
    first = text.locator("[data-block] > .public-DraftStyleDefault-block").first
    expect(first).to_contain_text("{company}")
    expect(first).to_have_css("direction", "rtl")


def runs_from_right_to_left(field: Locator) -> None:
    expect(field).to_have_attribute("dir", "rtl")
    expect(field).to_have_attribute("lang", "ar-AE")
