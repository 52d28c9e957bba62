"""Visitors of every site and from more countries: the offices of each, and how they fill their row (spec §6, §9)."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .product import Product
from .test_visitor import OWN_COUNTRY, expect_shown_by_country, visit


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


VISITS = [
    *(("en", country) for country in ("us", "gb", "in", "kz", "by", "ua", "br")),
    ("uk", "us"),
    ("ae", "kz"),
    *((site, "") for site in OWN_COUNTRY),
]
"""Of each way to show something, a visitor who is shown it and one who is not."""


def test_what_a_visitor_of_each_site_is_shown(product: Product, context: BrowserContext) -> None:
    expect_shown_by_country(product, context.new_page(), VISITS)


@pytest.mark.parametrize(("site", "country"), [("en", "in"), ("ae", "ae")])
def test_two_or_three_offices_fill_their_row(
    product: Product, context: BrowserContext, site: str, country: str
) -> None:
    page = context.new_page()
    visit(product, page, site, country)
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        rows = page.locator("footer ul:has(> [data-sets])").evaluate(
            """list => Map.groupBy([...list.children].filter(card => card.checkVisibility()), card => card.offsetTop)
              .values().map(cards => cards.map(card => card.getBoundingClientRect()))
              .map(cards => Math.max(...cards.map(card => card.right)) - Math.min(...cards.map(card => card.left)))
              .map(width => width / list.offsetWidth).toArray()"""
        )
        assert rows == pytest.approx([1] * len(rows), abs=0.01), width
