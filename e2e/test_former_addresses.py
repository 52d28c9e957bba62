"""An editor renames a page: its old URL redirects with query and hash, from an open tab too."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import Browser, expect

from .editing import editing, expect_published, log_in, wait_until_live
from .product import Product
from .tabs import CLICKED, NewTab, data_of, heading

OLD, NEW = "/events/light-pages-lyon", "/events/pages-by-lamplight"


def test_a_renamed_page_is_found_at_its_old_address(product: Product, browser: Browser, new_tab: NewTab) -> None:
    tab, worker = new_tab(), new_tab(worker=True)
    title = heading(product, OLD)
    tab.open("/")
    worker.open(OLD)
    worker.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    with (
        editing(product) as editor,
        browser.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce") as context,
    ):
        form = editor.keep(OLD)
        page = context.new_page()
        log_in(page, product)
        page.goto(form)
        page.get_by_role("tab", name="Promote").click()
        page.locator("input[name='slug']").fill(urlsplit(NEW).path.rpartition("/")[2])
        page.get_by_role("button", name=re.compile("^Publish")).first.click()
        expect_published(page)
        wait_until_live(product, {("en", NEW), ("en", OLD)})

        for asked, found in ((OLD, NEW), (data_of(OLD), data_of(NEW))):
            answer = product.get("en", f"{asked}?x=1")
            assert (answer.status_code, answer.headers["location"]) == (301, f"{found}?x=1")

        tab.follow(f"{OLD}{CLICKED}#_main")  # in place: the address is the page's own
        tab.expect_shown(f"{NEW}{CLICKED}#_main", title)
        assert tab.same_document
        for visitor in (tab, worker):
            visitor.page.goto(f"{visitor.origin}{OLD}{CLICKED}#_main")
            visitor.expect_shown(f"{NEW}{CLICKED}#_main", title)

        page.goto(f"{product.studio}/admin/redirects/former/?site=en&q={OLD}")
        row = page.get_by_role("row").filter(has_text=OLD)
        expect(row).to_contain_text(NEW)
        expect(row.get_by_role("link", name=re.compile("Add redirect"))).to_be_visible()
    tab.follow(f"{NEW}{CLICKED}")  # it was put back: now that one is the former address
    tab.expect_shown(f"{OLD}{CLICKED}", title)
