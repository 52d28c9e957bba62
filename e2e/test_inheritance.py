"""The United Kingdom changes one text of a page that follows the international site, and loses nothing."""

from playwright.sync_api import Browser, Locator, Page, expect

from .editing import NOTE_WATCH, editing, expect_published, log_in, wait_until_watched
from .product import Product

PATH = "/services/dedicated-team"


def test_an_own_text_stays_and_a_change_of_the_original_is_offered(product: Product, browser: Browser) -> None:
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.add_init_script(NOTE_WATCH)
        log_in(page, product)
        original = editor.keep(PATH)
        [row] = product.ask("SELECT id FROM wagtailcore_page WHERE url_path = %s", f"/uk{PATH}/")
        local = f"{product.studio}/admin/pages/{row['id']}/edit/"

        page.goto(local)
        page.get_by_role("link", name="Create local version").click()
        page.get_by_role("button", name="Create local version").click()
        wait_until_watched(page)
        hero = page.locator("[data-streamfield-child][data-inheritance]").first
        expect(hero).to_have_attribute("data-inheritance", "follows")
        publish_title(page, "A team for Britain")
        expect(hero).to_have_attribute("data-inheritance", "own")

        page.goto(original)
        wait_until_watched(page)
        publish_title(page, "A team that stays")
        assert "A team for Britain" in product.get("uk", PATH).text

        page.goto(local)
        expect(hero).to_have_attribute("data-inheritance", "changed")
        page.get_by_role("link", name="Compare and choose").click()
        columns = page.locator("[data-difference]")
        expect(columns).to_contain_text("A team that stays")
        expect(columns).to_contain_text("A team for Britain")
        columns.get_by_label("Keep ours").check()
        page.get_by_role("button", name="Save choices as a draft").click()
        expect(hero).to_have_attribute("data-inheritance", "own")

        page.locator('[data-side-panel-toggle="preview"]').click()
        page.frame_locator("#w-preview-iframe").locator("[data-block][data-inheritance=own]").press("Shift")
        page.get_by_role("toolbar", name="Tools of the selected block").locator("[data-follow]").click()
        expect(title_of(page)).to_have_value("A team that stays")
        expect(hero).to_have_attribute("data-inheritance", "follows")


def title_of(page: Page) -> Locator:
    return page.locator("[name='body-0-value-title']")


def publish_title(page: Page, title: str) -> None:
    title_of(page).fill(title)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect_published(page)
