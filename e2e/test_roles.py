"""Two colleagues are invited, each for one country. The editor sees and opens that country's pages only. The lead handler handles its
leads and sees no page.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from playwright.sync_api import Browser, Page, expect

from .administrators import add_administrator, choose_password
from .product import Product


def test_colleagues_come_by_an_invitation_and_work_on_their_own_country(product: Product, browser: Browser) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        add_administrator(page, product, "ada")
        of_editor = invite(page, product, "erika", "editor:de")
        of_handler = invite(page, product, "lea", "lead-handler:de")
        page.goto(f"{product.studio}/admin/users/")
        expect(page.get_by_role("main")).to_contain_text("Editor (Deutschland)")

    with accepted(browser, product, of_editor) as page:
        page.goto(f"{product.studio}/admin/")
        sites = page.locator("[aria-labelledby=studio-sites-heading] tbody tr")
        expect(sites).to_have_count(1)
        expect(sites).to_contain_text("Deutschland")
        expect(page.locator("[data-wagtail-sidebar], #wagtail-sidebar").first).not_to_contain_text("Leads")
        own, other = page_of(product, "de"), page_of(product, "pl")
        page.goto(f"{product.studio}/admin/pages/{own}/edit/")
        expect(page.locator("#page-edit-form")).to_be_visible()
        expect(page.locator("[name=action-publish]")).to_have_count(0)
        page.goto(f"{product.studio}/admin/pages/{other}/edit/")
        expect(page.locator("#page-edit-form")).to_have_count(0)
        assert page.goto(f"{product.studio}/admin/leads/").url == f"{product.studio}/admin/"  # type: ignore[union-attr]

    with accepted(browser, product, of_handler) as page:
        page.goto(f"{product.studio}/admin/leads/?state=all")
        rows = page.locator("main tbody tr")
        expect(rows.first).to_contain_text("Deutschland")
        assert all("Deutschland" in row for row in rows.all_inner_texts())
        rows.first.get_by_role("link").first.click()
        page.get_by_label("Note for colleagues").fill("Called back, wants a visit in May.")
        page.get_by_role("button", name="Save note").click()
        expect(page.get_by_role("main")).to_contain_text("Called back, wants a visit in May.")
        elsewhere = lead_not_of(product, "de")
        assert page.goto(f"{product.studio}/admin/leads/{elsewhere}/").status == 404  # type: ignore[union-attr]
        page.goto(f"{product.studio}/admin/pages/{own}/edit/")
        expect(page.locator("#page-edit-form")).to_have_count(0)


def invite(page: Page, product: Product, name: str, role: str) -> str:
    """The link, which the studio shows where it sends no mail."""
    page.goto(f"{product.studio}/admin/users/new/")
    page.locator("[name=first_name]").fill(name.capitalize())
    page.locator("[name=last_name]").fill("Neu")
    page.locator("[name=email]").fill(f"{name}@brightmoor.example")
    page.locator("[name=username]").fill(name)
    page.locator(f"[name=roles][value='{role}']").check()
    page.locator("main form").get_by_role("button", name="Invite a person").or_(
        page.locator("main form button[type=submit]")
    ).first.click()
    return page.locator(".studio-link").inner_text().strip()


@contextmanager
def accepted(browser: Browser, product: Product, link: str) -> Iterator[Page]:
    """A browser of the invited person's, who has chosen a password and is signed in by that."""
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(link)
        choose_password(page)
        expect(page.get_by_role("heading", name="Set up two-factor authentication")).to_be_visible()
        yield page


def page_of(product: Product, site: str) -> int:
    joined = "content_siterecord r JOIN wagtailcore_site s ON s.id = r.wagtail_site_id"
    [found] = product.ask(f"SELECT s.root_page_id FROM {joined} WHERE r.key = %s", site)
    return int(found["root_page_id"])


def lead_not_of(product: Product, site: str) -> str:
    [lead, *_] = product.ask("SELECT id FROM leads_lead WHERE site <> %s AND erased_at IS NULL", site)
    return str(UUID(lead["id"]))
