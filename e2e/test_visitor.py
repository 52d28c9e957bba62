"""The visitor's country (spec §6, §9): one HTML for everybody, and what each is shown of it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .product import Product

SITES = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr")
COUNTRIES = ("us", "gb", "de", "fr", "pl", "ae", "az", "kz", "in", "by", "ru", "ua", "ch", "br")

CIS = {"am", "az", "by", "kg", "kz", "md", "ru", "tj", "tm", "uz"}
ASKED_BY_LAW = {"gb", "de", "fr", "pl", "ch"}
"""Of COUNTRIES, those whose visitors are asked in full where the country decides."""
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
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def visit(product: Product, page: Page, site: str, country: str, path: str = "/") -> None:
    page.context.clear_cookies()
    if country:
        page.context.add_cookies([{"name": "country_code", "value": country, "url": product.origin(site)}])
    page.goto(product.origin(site) + path)


@pytest.mark.parametrize("site", ["en", "uk", "pl", "de", "kz", "ae"])
def test_the_contact_page_shows_the_number_for_the_visitors_country(
    product: Product, context: BrowserContext, site: str
) -> None:
    numbers = phones(product)
    page = context.new_page()
    for country in ("us", "pl", "br"):
        visit(product, page, site, country, "/contact-us")
        number = numbers.get(site if site in OWN_NUMBER else country, numbers[""])
        opening = page.locator("section").filter(has=page.locator("h1"))
        link = opening.locator("a[href^='tel:']:visible")
        assert link.all_inner_texts() == [number], (site, country)
        expect(link).to_have_attribute("href", "tel:" + "".join(sign for sign in number if sign in "+0123456789"))


@pytest.mark.parametrize("site", SITES)
def test_what_a_visitor_from_each_country_is_shown(product: Product, context: BrowserContext, site: str) -> None:
    numbers = phones(product)
    offices = {office["city"]: office["sets"] for office in product.get(site, "/api/content/offices").json()["items"]}
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    for country in COUNTRIES:
        visit(product, page, site, country)
        footer = page.locator("footer")
        # What is not laid out yet has no text that could be read off the screen.
        expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
        shown = footer.locator("[data-sets]:visible h3").all_inner_texts()
        wanted = expected_set(site, country)
        assert shown == [city for city, sets in offices.items() if wanted in sets], (site, country)
        number = numbers.get(site if site in OWN_NUMBER else country, numbers[""])
        assert footer.locator("[data-phone-id]:visible").all_inner_texts() == [number], (site, country)
        named = [
            card.split("\n")[0]
            for card in footer.locator("[data-sets]:visible").all_inner_texts()
            if HEADQUARTERS in card
        ]
        assert named == (["Dallas"] if (site, country) == ("en", "us") else []), (site, country)
        assert (footer.locator("[data-region=cis]:visible").count() > 0) == (country in CIS), (site, country)
        pdf = footer.locator("a[href$='.pdf']:visible").count()
        policy = footer.locator("[data-not-country]:visible").count()
        assert (pdf, policy) == ((1, 0) if country == "by" else (0, 1)), (site, country)
        theme = "small" if site in SMALL_THEME or country not in ASKED_BY_LAW else "gdpr"
        root = page.locator("html")
        expect(root).to_have_attribute("data-consent-theme", theme)
        expect(root).to_have_attribute("data-country", country)
        expect(root).to_have_attribute("data-country-from", "cookie")
    assert problems == []


@pytest.mark.parametrize("width", (360, 768, 1280))
@pytest.mark.parametrize(("site", "country"), [("en", "in"), ("en", "by"), ("de", "de"), ("ae", "ae")])
def test_two_or_three_offices_fill_their_row(
    product: Product, context: BrowserContext, site: str, country: str, width: int
) -> None:
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    visit(product, page, site, country)
    offices = page.locator("footer ul:has(> [data-sets])")
    offices.scroll_into_view_if_needed()
    rows = offices.evaluate(
        """list => Map.groupBy([...list.children].filter(card => card.checkVisibility()), card => card.offsetTop)
          .values().map(cards => cards.map(card => card.getBoundingClientRect()))
          .map(cards => Math.max(...cards.map(card => card.right)) - Math.min(...cards.map(card => card.left)))
          .map(width => width / list.offsetWidth).toArray()"""
    )
    assert rows == pytest.approx([1] * len(rows), abs=0.01)


@pytest.mark.parametrize(
    ("site", "country"),
    [("en", ""), ("uk", "gb"), ("de", "de"), ("ae", "ae"), ("az", "az"), ("kz", "kz"), ("pl", "pl"), ("fr", "fr")],
)
def test_without_a_cookie_a_country_site_takes_its_own(
    product: Product, context: BrowserContext, site: str, country: str
) -> None:
    page = context.new_page()
    visit(product, page, site, "")
    expect(page.locator("html")).to_have_attribute("data-country", country)
    expect(page.locator("html")).to_have_attribute("data-country-from", "site" if country else "nothing")


def test_everybody_gets_the_same_bytes(product: Product) -> None:
    for path in ("/", "/about-us", "/nowhere"):
        replies = [product.get("en", path, headers={"cookie": f"country_code={country}"}) for country in COUNTRIES]
        assert len({reply.content for reply in replies}) == 1
        assert len({reply.headers["cache-control"] for reply in replies}) == 1


@pytest.mark.parametrize(("site", "country"), [("en", "us"), ("en", "by"), ("ae", "kz")])
def test_nothing_moves_and_react_finds_what_it_left(
    product: Product, context: BrowserContext, site: str, country: str
) -> None:
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
    page.add_init_script(
        "window.shifts = 0; new PerformanceObserver(list => { for (const entry of list.getEntries()) "
        "if (!entry.hadRecentInput) window.shifts += entry.value }).observe({type: 'layout-shift', buffered: true})"
    )
    visit(product, page, site, country, "/about-us")
    # Whoever jumps to the end before it is laid out meets heights that were only guessed.
    expect(page.locator("html")).not_to_have_attribute("data-lays-out-later", "")
    page.locator("footer").scroll_into_view_if_needed()
    page.locator("[data-switcher] summary").click()
    expect(page.locator("[data-island][data-awake]").first).to_be_attached()
    assert page.evaluate("window.shifts") < 0.01
    assert problems == []


def test_the_address_overrides_outside_production(product: Product, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(product.origin("en") + "/?country=de")
    expect(page.locator("html")).to_have_attribute("data-country", "de")
    page.goto(product.origin("en") + "/about-us")
    expect(page.locator("html")).to_have_attribute("data-country", "de")


def test_without_scripts_everybody_sees_the_default(product: Product, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    visit(product, page, "en", "de")
    assert page.locator("footer [data-phone-id]:visible").all_inner_texts() == [phones(product)[""]]
    assert page.locator("footer [data-sets]:visible").count() >= 4
    context.close()
