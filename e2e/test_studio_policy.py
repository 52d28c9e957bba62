"""Every kind of screen of the studio works under its content policy. That nothing of it is refused, `nothing_is_refused` sees."""

import re

from playwright.sync_api import Browser, Page, expect

from .editing import log_in
from .faults import wait_until
from .product import Product

SCREENS = (
    "/admin/pages/",
    "/admin/case_studies/",
    "/admin/images/",
    "/admin/documents/",
    "/admin/leads/",
    "/admin/reports/aging-pages/",
    "/admin/reports/site-history/",
    "/admin/users/",
)


def test_forms_lists_and_dialogs_work_without_scripts_of_their_own(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1600, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        log_in(page, product)
        for screen in SCREENS:
            page.goto(product.studio + screen)
            expect(page.locator("main")).to_be_visible()
        cut_picture(page, product)
        choose_picture(page, product)
        write_text(page, product)


def cut_picture(page: Page, product: Product) -> None:
    page.goto(f"{product.studio}/admin/images/")
    page.locator("main .listing a[href*='/admin/images/'] img").first.click()
    expect(page.locator(".jcrop-holder, .focal-point-chooser").first).to_be_attached()


def choose_picture(page: Page, product: Product) -> None:
    """Choose a picture and then another one, in a form with one more entry of a list."""
    page.goto(f"{product.studio}/admin/snippets/content/certificate/add/")
    expect(page.locator("script[data-studio-start]")).to_have_count(0)
    entries = page.locator("[data-inline-panel-child]")
    before = entries.count()
    page.get_by_role("button", name="Add site").click()
    expect(entries).to_have_count(before + 1)
    page.get_by_role("button", name="Choose an image").first.click()
    page.locator(".modal-dialog a.image-choice, .modal-dialog [data-chooser-modal-choice]").first.click()
    chooser = page.locator(".image-chooser:not(.blank)")
    expect(chooser).to_have_count(1)
    chosen = chooser.locator("[data-chooser-title]").inner_text()
    chooser.get_by_role("button", name="Actions").click()
    page.get_by_role("button", name="Change image").click()
    others = page.locator(".modal-dialog [data-chooser-modal-choice]")
    others.filter(has_not_text=chosen).first.click()
    expect(chooser.locator("[data-chooser-title]")).not_to_have_text(chosen)


def write_text(page: Page, product: Product) -> None:
    """The editor of texts has its styles, though they come from a script."""
    page.goto(f"{product.studio}/admin/case_studies/")
    page.locator("td.title a").first.click()
    text = page.locator(".public-DraftEditor-content").first
    blocks = "#panel-child-content-body-section [data-panel-toggle][aria-expanded=false]"
    page.locator(blocks).first.wait_for()
    for toggle in page.locator(blocks).element_handles():
        if text.count():
            break
        toggle.click()
    text.click()
    page.keyboard.type("Written under a policy ")
    expect(text).to_contain_text("Written under a policy")
    styles = "[...document.querySelectorAll('.Draftail-Editor style')].map(style => style.sheet?.cssRules.length ?? 0)"
    wait_until(lambda: page.evaluate(styles), "the editor has written its styles")
    assert all(page.evaluate(styles))
    page.get_by_role("button", name=re.compile("Toggle preview")).click()
    expect(page.frame_locator("iframe").first.locator("main")).to_be_visible()
