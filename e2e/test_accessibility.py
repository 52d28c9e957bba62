"""No kind of page shuts anybody out, scrolls sideways, breaks its policy or logs an error; blocks: `test_gallery.py`.

`make axe` is the long form: every page of every site, with axe on both screens.
"""

import os
from collections.abc import Iterator

import orjson
import pytest
from playwright.sync_api import Browser, expect

from portolan.releases.reader import open_reader

from .axe import find_violations
from .product import Product

PHONE, TABLET, DESKTOP = 320, 768, 1280
EVERY_PAGE = os.environ.get("PORTOLAN_AXE") == "every-page"
SITES = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr") if EVERY_PAGE else ("en", "ae")
LOOKS_AT = {"en": (PHONE,), "ae": (DESKTOP,)}
"""Where axe looks at each kind of page; the others are only measured."""


def choose_pages(product: Product, site: str) -> list[str]:
    """Few pages that have every template there is on a site; or all of them."""
    wanted: dict[str, set[str]] = {}
    reader = open_reader(f"sqlite:///{product.var_dir / 'portolan.sqlite3'}")
    newest = reader.latest()
    assert newest is not None
    for item in reader.collection(newest, site, "page"):
        body = orjson.loads(item.body)
        wanted[body["path"]] = {body["template"]}
    reader.close()
    return sorted(wanted) if EVERY_PAGE else list(_cover(wanted))


def _cover(wanted: dict[str, set[str]]) -> Iterator[str]:
    left = set().union(*wanted.values())
    while left:
        path = max(wanted, key=lambda path: (len(wanted[path] & left), path))
        left -= wanted[path]
        yield path


@pytest.mark.parametrize("site", SITES)
def test_every_kind_of_page_can_be_used_fits_and_breaks_no_policy(
    product: Product, browser: Browser, site: str
) -> None:
    found: dict[str, list[str]] = {}
    # What fades in is looked at when it is there.
    with browser.new_context(reduced_motion="reduce") as context:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda line: said.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        for path in choose_pages(product, site):
            page.set_viewport_size({"width": PHONE, "height": 900})
            page.goto(product.origin(site) + path)
            # What is not laid out yet would not be looked at.
            expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
            for width in (PHONE, TABLET, DESKTOP):
                page.set_viewport_size({"width": width, "height": 900})
                wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                problems = [f"{wide} px too wide"] if wide > 0 else []
                if (EVERY_PAGE and width != TABLET) or width in LOOKS_AT.get(site, ()):
                    problems += find_violations(page)
                if problems:
                    found[f"{path} at {width}"] = problems
            if said:
                found[f"{path} says"] = [*said]
                said.clear()
    assert not found, "\n".join(f"{where}: {what}" for where, what in found.items())
