"""Italy, from its entry of the site configuration to live, by one person in the studio. Other sites stay as they are until the launch."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from .administrators import add_administrator
from .axe import find_violations
from .faults import LONGEST_WAIT_S, wait_until
from .product import Product, serve_copy

ITALY = {
    "country": "it",
    "language": "it",
    "name": "Italia",
    "key": "it",
    "time_zone": "Europe/Rome",
    "origin_staging": "https://it.staging.brightmoor.example",
    "origin_production": "https://brightmoor-it.example",
}
ABOUT = "About us"


@pytest.fixture
def own(seeded: Path, tmp_path: Path) -> Iterator[Product]:
    """A demo of this test alone, because a new site cannot be removed after its launch."""
    with serve_copy(tmp_path, seeded) as served:
        yield served


def test_italy_goes_live_by_one_person_in_the_studio(own: Product, browser: Browser) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 1000}, reduced_motion="reduce") as context:
        page = context.new_page()
        add_administrator(page, own, "ada")
        before = own.live_pointer()

        add_country(page, own)
        page.get_by_role("button", name="Only required pages").click()
        blueprints = page.get_by_role("button", name=re.compile("Select section.*Blueprints"))
        blueprints.click()
        expect(page.get_by_role("checkbox", name="Load testing before the season")).to_be_checked()
        blueprints.click()
        page.get_by_role("checkbox", name=ABOUT).check()
        page.get_by_role("button", name="Create drafts").click()
        expect(page.locator("[data-country=begun]")).to_contain_text("Visitors do not see it yet")
        assert find_violations(page, "main") == []
        translate(page, "Home", "Software per chi non si ferma mai")
        translate(page, ABOUT, "Chi siamo")
        with closing(own.open_reader()) as reader:
            wait_until(lambda: not reader.is_pending(), "the start of the site is in a release")
            last = reader.latest() or 0
        assert own.live_pointer().builds == before.builds

        page.goto(f"{own.studio}/admin/countries/site/it/")
        page.get_by_role("link", name="Check and launch").click()
        page.get_by_role("button", name="Publish now").click()
        expect(page.locator(".messages")).to_contain_text(f"is being published as release {last + 1}")
        wait_until(lambda: own.live_pointer().releases.get("it") == last + 1, "Italy is live")
        home, about = visit(own, "/").text, visit(own, "/about-us").text
        assert 'lang="it-IT"' in home
        assert "Software per chi non si ferma mai" in home
        assert "Chi siamo" in about
        wait_until(lambda: f"http://it.localhost:{own.port}" in own.get("en", "/").text, "the switcher lists Italy")


def add_country(page: Page, product: Product) -> None:
    page.goto(f"{product.studio}/admin/countries/")
    page.get_by_role("link", name="Add a country").click()
    for name, value in (ITALY | {"origin_production": "https://brightmoor-de.example"}).items():
        field = page.locator(f"[name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.get_by_role("button", name="Add country").click()
    expect(page.get_by_role("main")).to_contain_text("This host is already used by Deutschland")
    page.locator("[name=origin_production]").fill(ITALY["origin_production"])
    page.get_by_role("button", name="Add country").click()
    expect(page.get_by_role("button", name="Create drafts")).to_be_visible()  # the page reloads until the site is known


def translate(page: Page, title: str, translated: str) -> None:
    """Change the first title of the page, which visitors see."""
    page.goto(page.url.partition("/admin/")[0] + "/admin/countries/site/it/")
    page.get_by_role("link", name=title, exact=True).click()
    page.locator("[name='body-0-value-title']").fill(translated)
    page.get_by_role("button", name="More actions").last.click()
    page.get_by_role("button", name="Save to “Launch: Italia”").click()
    expect(page.locator(".messages")).to_contain_text("is saved in the change set")


def visit(product: Product, path: str) -> httpx.Response:
    url = f"http://127.0.0.1:{product.port}{path}"
    return httpx.get(url, headers={"host": f"it.localhost:{product.port}"}, timeout=LONGEST_WAIT_S)
