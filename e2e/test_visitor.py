"""The visitor's country (spec §6, §9): one HTML for all visitors, of which each sees a part."""

from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .product import Product
from .shifts import assert_still, watch_shifts

COUNTRIES = ("us", "gb", "de", "by")

CIS = {"am", "az", "by", "kg", "kz", "md", "ru", "tj", "tm", "uz"}
ASKED_BY_LAW = {"gb", "de", "fr", "pl", "ch"}
"""Of COUNTRIES, those whose visitors are asked in full where the country decides."""
OWN_COUNTRY = {"en": "", "uk": "gb", "de": "de", "ae": "ae", "az": "az", "kz": "kz", "pl": "pl", "fr": "fr"}
"""What is taken where no cookie names one."""
OWN_SETS = {"uk": "uk", "de": "de", "ae": "ae", "az": "az", "kz": "kz", "pl": "default", "fr": "fr"}
SETS_BY_COUNTRY = {"in": "in", "gb": "uk", "kz": "kz", "az": "az", "ae": "ae", "de": "de", "fr": "fr"}
OWN_NUMBER = {"de", "az", "ae", "kz", "fr"}
HEADQUARTERS = "Headquarters"
SMALL_THEME = {"de", "pl", "ae", "az"}


def phones(product: Product) -> dict[str, str]:
    """Numbers by country, and the default one by an empty one."""
    items = product.get("en", "/api/content/phones").json()["items"]
    found = {country: item["phone"] for item in items for country in item["countries"]}
    return {**found, "": next(item["phone"] for item in items if item["isDefault"])}


def expected_set(site: str, country: str) -> str:
    if site != "en":
        return OWN_SETS[site]
    return SETS_BY_COUNTRY.get(country, "cis" if country in CIS else "default")


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


def visit(product: Product, page: Page, site: str, country: str, path: str = "/") -> None:
    page.context.clear_cookies()
    if country:
        page.context.add_cookies([{"name": "country_code", "value": country, "url": product.origin(site)}])
    page.goto(product.origin(site) + path)


VISITS = [("en", "us"), ("en", "by"), ("ae", "kz"), ("de", "")]
"""More of them: `test_visitor_in_depth.py`. The rules: `web/src/domain/visitor.test.ts`."""


def test_what_a_visitor_from_each_country_is_shown(product: Product, context: BrowserContext) -> None:
    expect_shown_by_country(product, context.new_page(), VISITS)


def expect_shown_by_country(product: Product, page: Page, visits: Iterable[tuple[str, str]]) -> None:
    """Of sites and the countries that cookies name. Where none is named, it is empty."""
    numbers = phones(product)
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    for site, named in visits:
        has_contact_page = site not in ("az", "fr")
        visit(product, page, site, named, "/contact-us" if has_contact_page else "/")
        country = named or OWN_COUNTRY[site]
        root, footer = page.locator("html"), page.locator("footer")
        expect(root).to_have_attribute("data-country", country)
        expect(root).to_have_attribute("data-country-from", "cookie" if named else "site" if country else "nothing")
        theme = "small" if site in SMALL_THEME or country not in ASKED_BY_LAW else "gdpr"
        expect(root).to_have_attribute("data-consent-theme", theme)
        # Text is readable only in elements that are laid out.
        expect(root).not_to_have_attribute("data-lays-out-later", "")
        offices = product.get(site, "/api/content/offices").json()["items"]
        shown = footer.locator("[data-sets]:visible h3").all_inner_texts()
        assert shown == [office["city"] for office in offices if expected_set(site, country) in office["sets"]], (
            site,
            country,
        )
        number = numbers.get(site if site in OWN_NUMBER else country, numbers[""])
        assert footer.locator("[data-phone-id]:visible").all_inner_texts() == [number], (site, country)
        link = page.locator("section").filter(has=page.locator("h1")).locator("a[href^='tel:']:visible")
        assert link.all_inner_texts() == ([number] if has_contact_page else []), (site, country)
        dialled = "tel:" + "".join(sign for sign in number if sign in "+0123456789")
        assert {each.get_attribute("href") for each in link.all()} <= {dialled}
        cards = footer.locator("[data-sets]:visible").all_inner_texts()
        headquarters = [card.split("\n")[0] for card in cards if HEADQUARTERS in card]
        assert headquarters == (["Dallas"] if (site, country) == ("en", "us") else []), (site, country)
        assert (footer.locator("[data-region=cis]:visible").count() > 0) == (country in CIS), (site, country)
        pdf = footer.locator("a[href$='.pdf']:visible").count()
        policy = footer.locator("[data-not-country]:visible").count()
        assert (pdf, policy) == ((1, 0) if country == "by" else (0, 1)), (site, country)
    assert problems == []


def test_everybody_gets_the_same_bytes(product: Product) -> None:
    for path in ("/", "/about-us", "/nowhere"):
        replies = [product.get("en", path, headers={"cookie": f"country_code={country}"}) for country in COUNTRIES]
        assert len({reply.content for reply in replies}) == 1
        assert len({reply.headers["cache-control"] for reply in replies}) == 1


def test_nothing_moves_and_react_finds_what_it_left(product: Product, context: BrowserContext) -> None:
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    watch_shifts(page)
    visit(product, page, "en", "by", "/contact-us")
    # A jump to the end before layout uses estimated heights.
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    page.locator("footer").scroll_into_view_if_needed()
    # The browser leaves out shifts that follow a real press.
    page.locator("[data-switcher] summary").dispatch_event("click")
    page.locator("[data-switcher]").dispatch_event("pointerover")
    expect(page.locator("[data-switcher-place][data-ready]")).to_be_attached()
    page.locator("form[data-form] textarea").first.focus()
    expect(page.locator("[data-island=lead-form][data-awake]")).to_be_attached()
    assert_still(page, 0.01)
    assert problems == []


def test_the_address_overrides_outside_production(product: Product, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(product.origin("en") + "/?country=de")
    expect(page.locator("html")).to_have_attribute("data-country", "de")
    page.goto(product.origin("en") + "/about-us")
    expect(page.locator("html")).to_have_attribute("data-country", "de")
