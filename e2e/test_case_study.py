"""A case study in the studio: typed text appears in the preview panel and, once published, in every list."""

from functools import partial

from playwright.sync_api import Browser, Page, expect

from .editing import NOTE_WATCH, expect_published, log_in, wait_until_watched
from .faults import wait_until
from .product import Product

CASE = "Lumen Clinic Network"
TYPED = "Two clinics were joined on a Tuesday, and nobody noticed."
HEADING = "Typed a moment ago"


def test_a_summary_is_previewed_then_published_to_the_lists(product: Product, browser: Browser) -> None:
    assert TYPED not in product.get("en", "/project-cases").text
    with browser.new_context(viewport={"width": 1600, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        page.goto(f"{product.studio}/admin/case_studies/?q={CASE.replace(' ', '+')}")
        page.locator("tr", has_text="English · International").filter(has_text=CASE).locator("td.title a").first.click()
        see_preview(page)
        page.get_by_label("Summary").fill(TYPED)
        page.get_by_role("button", name="Publish", exact=False).first.click()
        expect_published(page)
    for site in ("en", "uk"):  # the heir's live copy has the same card
        wait_until(
            partial(is_shown, product, site),
            f"the new summary is live on {site}",
        )
    cards = product.get("en", "/api/content/projects/full-cards", headers={"accept-language": "en"}).json()["items"]
    assert TYPED in {card["summary"] for card in cards}
    assert TYPED not in product.get("de", "/project-cases").text


def is_shown(product: Product, site: str) -> bool:
    return TYPED in product.get(site, "/project-cases").text


def see_preview(page: Page) -> None:
    """The panel shows the page as the site does, follows the form, and Wagtail's checks read it."""
    page.get_by_role("button", name="Toggle preview").click()
    preview = page.frame_locator("#w-preview-iframe")
    expect(preview.locator("main h1")).to_have_count(1)
    expect(preview.locator("header a").first).to_be_visible()
    title = preview.locator("main h1").inner_text()
    field = page.locator("input[name$='-value-title']").first
    assert field.input_value() == title.replace("\n", " ")
    wait_until_watched(page)
    field.fill(HEADING)
    expect(preview.locator("main h1")).to_have_text(HEADING)
    field.fill(title.replace("\n", " "))
    page.get_by_role("button", name="Toggle checks").click()
    expect(page.locator("[data-content-word-count]")).not_to_have_text("-")
