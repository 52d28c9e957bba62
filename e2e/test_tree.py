"""The tree of pages in a browser: unfolded, a page dragged below another, and the words of several pages replaced as drafts."""

import re

from playwright.sync_api import Browser, expect

from .axe import find_violations
from .editing import log_in
from .product import Product


def test_a_dropped_page_asks_first_and_words_are_looked_at(product: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 1800}) as context:
        page = context.new_page()
        log_in(page, product)
        page.goto(f"{product.studio}/admin/tree/de/")
        rows = page.locator(".studio-tree-row")
        assert find_violations(page, "main") == []
        shown = rows.count()
        page.get_by_role("link", name=re.compile("^Pages below “")).first.click()
        expect(rows).not_to_have_count(shown)
        legal = rows.filter(has_text="Legal page").first
        home = rows.first
        legal.drag_to(home)
        expect(home.locator("+ [data-tree-answer]")).to_have_text("The page is already there. Nothing changed.")
        rows.filter(has_text="Folder").last.drag_to(legal, target_position={"x": 150, "y": 18})
        expect(legal.locator("+ [data-tree-answer]")).to_contain_text("“")
        assert page.url.endswith("/admin/tree/de/"), "a refusal is said at the line, and nothing is left"
        assert find_violations(page, "main") == []
        legal.drag_to(rows.filter(has_text="Folder").last, target_position={"x": 150, "y": 18})
        expect(page).to_have_url(re.compile(r"/admin/tree/place/\d+/\d+/"))
        expect(page.get_by_role("main")).to_contain_text("Live copies on other sites move too")
        page.get_by_role("link", name="Cancel").click()
        expect(page).to_have_url(re.compile(r"/admin/tree/\?open="))

        page.goto(f"{product.studio}/admin/replace/?q=port&replacement=quay&sites=en&sites=de")
        places = page.locator("[name=place]")
        expect(places.first).to_be_checked()
        page.get_by_label("Select all", exact=True).uncheck()
        expect(page.locator("[name=place]:checked")).to_have_count(0)
        assert find_violations(page, "main") == []
