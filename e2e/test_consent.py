"""Consent (spec §4; docs/privacy.md) in a browser with the running product. Unit tests check the rules: those of the banner,
``web/src/domain/consent.test.ts`` and ``web/src/entries/visitor.test.ts``.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import NewTab

ALL = {"ad_storage": True, "analytics_storage": True}
NOTHING = {"ad_storage": False, "analytics_storage": False}
NECESSARY = {"country_code", "consent_status"}
TRACKING = {"firstVisitUrl", "adClickId", "sessionEntryUrl"}
RECORDS = "/__consent"
THREE_MONTHS = (timedelta(days=89), timedelta(days=93))


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context
    context.close()


def open_page(context: BrowserContext, product: Product, site: str, country: str = "", path: str = "/") -> Page:
    if country:
        context.add_cookies([{"name": "country_code", "value": country, "url": product.origin(site)}])
    page = context.new_page()
    page.goto(product.origin(site) + path)
    return page


def notice(page: Page, theme: str) -> Locator:
    return page.locator(f"section[data-consent-theme={theme}]")


def shown(page: Page) -> list[str | None]:
    """Themes whose notice is to be seen."""
    sections = page.locator("section[data-consent-theme]").all()
    return [section.get_attribute("data-consent-theme") for section in sections if section.is_visible()]


def accept(page: Page) -> Locator:
    return page.locator("section[data-consent-theme]:visible [data-consent-choice=accept]")


def reject(page: Page) -> Locator:
    return page.locator("section[data-consent-theme]:visible [data-consent-choice=reject]")


def settings(page: Page) -> Locator:
    return page.locator("[data-consent-dialog]")


def save(page: Page) -> Locator:
    return settings(page).locator("button[value=save]")


def open_settings(page: Page) -> list[Locator]:
    """From the foot of the page. Returns the switches."""
    page.locator("footer [data-consent-settings]").click()
    expect(settings(page)).to_be_visible()
    return settings(page).get_by_role("switch").all()


def cookie(context: BrowserContext) -> dict[str, Any]:
    """The consent cookie with its value taken apart; empty where there is none."""
    found = [dict(item) for item in context.cookies() if item["name"] == "consent_status"]
    return {**found[0], "value": json.loads(unquote(str(found[0]["value"])))} if found else {}


def choice(context: BrowserContext) -> dict[str, bool] | None:
    value = cookie(context).get("value")
    return value and {name: value[name] for name in ALL}


def signals(page: Page) -> list[list[Any]]:
    """Return Consent Mode's commands on the data layer in order: defaults, updates, and signals that decide the others."""
    found: list[list[Any]] = page.evaluate(
        "(dataLayer ?? []).map(item => Array.from(item)).filter(([name]) => name === 'consent').map(item => item.slice(1))"
    )
    return [[command, said["ad_storage"], said["analytics_storage"]] for command, said in found]


def granted(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-granted")


# The profile `spec` (AC-CONS-7) ---------------------------------------------------------------------------------------


def test_the_banner_asks_until_a_choice_is_made(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", "de")
    assert (shown(page), cookie(context)) == (["gdpr"], {})
    assert granted(page) == "ad_storage analytics_storage"
    accept(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    expect(page.locator("[role=status][data-consent-status]")).not_to_be_empty()
    expect(page.locator("#_main")).to_be_focused()
    kept = cookie(context)
    assert kept["value"] == ALL
    assert (kept["path"], kept["sameSite"], kept["secure"], kept["httpOnly"]) == ("/", "Lax", False, False)
    left = datetime.fromtimestamp(kept["expires"], UTC) - datetime.now(UTC)
    assert THREE_MONTHS[0] < left < THREE_MONTHS[1]
    page.goto(product.origin("en") + "/about-us")
    assert shown(page) == []
    assert signals(page) == [["default", "granted", "granted"], ["update", "granted", "granted"]]


def test_the_answer_to_a_choice_sets_its_cookie_again(new_tab: NewTab, faults: Faults) -> None:
    """Safari drops a cookie that a script has set after seven days."""
    tab = new_tab(answered=False)
    tab.context.add_cookies([{"name": "country_code", "value": "de", "url": tab.origin}])
    tab.open("/")
    with faults.hold(RECORDS):
        accept(tab.page).click()
        faults.wait_for(RECORDS, method="POST")
        of_the_script = cookie(tab.context)
        tab.context.clear_cookies(name="consent_status")
        assert cookie(tab.context) == {}
    wait_until(lambda: cookie(tab.context) != {}, "the answer's cookie")
    again = cookie(tab.context)
    assert abs(again.pop("expires") - of_the_script.pop("expires")) < timedelta(days=4).total_seconds()
    assert again == of_the_script


def test_the_settings_bring_the_banner_back_unless_they_are_saved(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", "de")
    manage = notice(page, "gdpr").locator("[data-consent-settings]")
    switches = settings(page).get_by_role("switch")
    for close in ("Escape", "button"):
        manage.click()
        expect(settings(page).get_by_role("heading")).to_be_focused()
        expect(notice(page, "gdpr")).to_be_hidden()
        assert [switch.is_checked() for switch in switches.all()] == [True, True]
        switches.first.uncheck()
        if close == "Escape":
            page.keyboard.press("Escape")
        else:
            settings(page).locator("button[value='']").click()
        expect(settings(page)).to_be_hidden()
        expect(notice(page, "gdpr")).to_be_visible()
        expect(manage).to_be_focused()
        assert cookie(context) == {}
    manage.click()
    settings(page).locator("[name=ad_storage]").uncheck()
    save(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    expect(page.locator("#_main")).to_be_focused()
    assert choice(context) == {"ad_storage": False, "analytics_storage": True}
    assert signals(page)[-1] == ["update", "denied", "granted"]


def test_one_can_change_ones_mind_at_the_foot_of_every_page(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "pl", path="/404.html")
    opener = page.locator("footer [data-consent-settings]")
    open_settings(page)
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()
    for switch in open_settings(page):
        switch.uncheck()
    save(page).click()
    expect(page.locator("html")).to_have_attribute("data-granted", "")
    expect(opener).to_be_focused()
    assert choice(context) == NOTHING


# Keyboard, zoom, no scripts -------------------------------------------------------------------------------------------
