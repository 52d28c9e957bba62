"""No kind of page and no block shuts anybody out: axe looks at each, in three languages and on two screens.

`make axe` is the long form: every page of every site.
"""

import os
from collections.abc import Iterator

import orjson
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from portolan.releases.reader import open_reader

from .product import ROOT, Product

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (375, 1280)
EVERY_PAGE = os.environ.get("PORTOLAN_AXE") == "every-page"
SITES = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr") if EVERY_PAGE else ("en", "ae", "de")


def choose_pages(product: Product, site: str) -> list[str]:
    """Few pages that have every template, every block and every ground of it there is on a site; or all of them."""
    wanted: dict[str, set[str]] = {}
    reader = open_reader(f"sqlite:///{product.var_dir / 'portolan.sqlite3'}")
    newest = reader.latest()
    assert newest is not None
    for item in reader.collection(newest, site, "page"):
        body = orjson.loads(item.body)
        blocks = {f"{block['type']} on {block['tone']}" for block in body["blocks"]}
        wanted[body["path"]] = {body["template"], *blocks}
    reader.close()
    return sorted(wanted) if EVERY_PAGE else list(_cover(wanted))


def _cover(wanted: dict[str, set[str]]) -> Iterator[str]:
    left = set().union(*wanted.values())
    while left:
        path = max(wanted, key=lambda path: (len(wanted[path] & left), path))
        left -= wanted[path]
        yield path


@pytest.mark.parametrize("site", SITES)
def test_axe_finds_nothing_on_any_kind_of_page(product: Product, browser: Browser, site: str) -> None:
    paths = choose_pages(product, site)
    found: dict[str, list[str]] = {}
    for width in WIDTHS:
        viewport: ViewportSize = {"width": width, "height": 900}
        # What fades in is looked at when it is there.
        with browser.new_context(viewport=viewport, bypass_csp=True, reduced_motion="reduce") as context:
            page = context.new_page()
            for path in paths:
                page.goto(product.origin(site) + path, wait_until="networkidle")
                # What is not laid out yet would not be looked at.
                expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
                violations = find_violations(page)
                if violations:
                    found[f"{path} at {width}"] = violations
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())


def find_violations(page: Page) -> list[str]:
    page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(
        """async tags => {
            const options = { runOnly: tags, rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };
            const { violations } = await axe.run(document, options);
            return violations.flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
        }""",
        AXE_TAGS,
    )
    return found
