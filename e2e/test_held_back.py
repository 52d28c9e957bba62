"""One mistake holds back itself: the editor is told so at once and led to the fix, and other countries go on."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from .editing import PUBLISHED, log_in, wait_until_live
from .faults import wait_until
from .product import Product

CASE = "/project-cases/northwind-port-authority"
SAVED = re.compile("is saved, but visitors do not see it as it is now|is saved and on its way")


def test_a_page_with_a_mistake_waits_for_its_fix_while_another_country_goes_live(
    product: Product, browser: Browser
) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 1000}) as context:
        page = context.new_page()
        log_in(page, product)
        case = _find_page(page, product, "A port that replans itself")
        page.goto(case)
        expect(_publish(page)).to_contain_text(PUBLISHED)  # a version to go back to
        wait_until_live(product)
        before = product.get("en", CASE).text
        page.goto(case)
        _blocks(page).first.get_by_role("button", name="Delete").first.click()
        expect(_publish(page)).to_contain_text(SAVED)
        wait_until(lambda: _status(page, case) == "Held back", "the page says that it is held back")

        build = product.live()["de"].build
        contact = _find_page(page, product, "Kontakt")
        title = _retitle(page, contact, "Kontakt heute")
        wait_until(lambda: product.live()["de"].build != build, "the German page is live")
        assert product.get("en", CASE).text == before
        _retitle(page, contact, title)

        page.goto(product.studio + "/admin/")
        waiting = page.get_by_role("listitem").filter(has_text="has 0 main headings")
        expect(waiting).to_contain_text("Changed by Demo editor.")
        waiting.get_by_role("link", name="Fix it").click()
        expect(_blocks(page)).not_to_have_count(0)
        assert page.url == case
        history = page.goto(case.replace("/edit/", "/history/"))
        assert history
        page.goto(product.studio + re.findall(r"/admin/pages/\d+/revisions/\d+/revert/", history.text())[0])
        expect(_publish(page)).to_contain_text(re.compile("is live|is saved"))  # its live copy follows a moment later
        wait_until(lambda: _status(page, case) == "Live", "the page says that it is live")
        page.goto(product.studio + "/admin/")
        expect(page.get_by_text("has 0 main headings")).to_have_count(0)
    assert product.get("en", CASE).text.count("<h1") == 1


def _find_page(page: Page, product: Product, title: str) -> str:
    """The form of the first page of the international site, or of the only one, that is named so."""
    page.goto(f"{product.studio}/admin/pages/search/?q={title}&locale=")
    links = page.get_by_role("link", name=re.compile(f"^{title}"))
    addresses = {str(link.get_attribute("href")) for link in links.all()}
    return product.studio + min(addresses, key=lambda address: int(re.findall(r"\d+", address)[0]))


def _blocks(page: Page) -> Locator:
    """Blocks of the page's body, without those inside of others."""
    return page.locator("#panel-child-content-body-section [data-streamfield-child]:not([data-streamfield-child] *)")


def _publish(page: Page) -> Locator:
    page.get_by_role("button", name=re.compile("^Publish")).first.click()
    return page.locator(".messages")


def _retitle(page: Page, form: str, title: str) -> str:
    page.goto(form)
    field = page.locator("[name=title]")
    before = field.input_value()
    field.fill(title)
    expect(_publish(page)).to_contain_text(PUBLISHED)
    return before


def _status(page: Page, form: str) -> str:
    page.goto(form)
    return page.locator(".page-status-tag").first.inner_text().strip().capitalize()
