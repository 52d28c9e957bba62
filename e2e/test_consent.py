"""Consent (spec §4; docs/privacy.md): both profiles and both themes, in English and in Arabic."""

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .product import ROOT, Product

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = (375, 1280)

ALL = {"ad_storage": True, "analytics_storage": True}
NOTHING = {"ad_storage": False, "analytics_storage": False}
NECESSARY = {"country_code", "consent_status"}
TRACKING = {"firstVisitUrl", "adClickId", "sessionEntryUrl"}
MONTHS_3 = (timedelta(days=89), timedelta(days=93))

Opens = Callable[..., Page]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
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


def manage(page: Page) -> Locator:
    return page.locator("section[data-consent-theme]:visible [data-consent-settings]")


def settings(page: Page) -> Locator:
    return page.locator("[data-consent-dialog]")


def open_settings(page: Page) -> list[Locator]:
    """From the foot of the page. Returns the switches."""
    page.locator("footer [data-consent-settings]").click()
    expect(settings(page)).to_be_visible()
    return settings(page).get_by_role("switch").all()


def save(page: Page) -> Locator:
    return settings(page).locator("button[value=save]")


def cookie(context: BrowserContext) -> dict[str, Any]:
    """The consent cookie with its value taken apart; empty where there is none."""
    found = [dict(item) for item in context.cookies() if item["name"] == "consent_status"]
    return {**found[0], "value": json.loads(unquote(str(found[0]["value"])))} if found else {}


def choice(context: BrowserContext) -> dict[str, bool] | None:
    value = cookie(context).get("value")
    return value and {name: value[name] for name in ALL}


def signals(page: Page) -> list[list[Any]]:
    """Consent Mode's commands on the data layer, in their order: what was said, and the four signals."""
    found: list[list[Any]] = page.evaluate(
        "(dataLayer ?? []).map(item => Array.from(item)).filter(([name]) => name === 'consent').map(item => item.slice(1))"
    )
    assert all(set(said) == {*ALL, "ad_user_data", "ad_personalization"} for _, said in found)
    assert all(said["ad_user_data"] == said["ad_personalization"] == said["ad_storage"] for _, said in found)
    return [[command, said["ad_storage"], said["analytics_storage"]] for command, said in found]


def granted(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-granted")


def storage_keys(page: Page) -> set[str]:
    return set(page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"))


def read_records(product: Product) -> list[dict[str, str]]:
    """What `portolan consent export` gives."""
    done = subprocess.run(
        [Path(sys.executable).parent / "portolan", "consent", "export"],
        env={**os.environ, "PORTOLAN_VAR_DIR": str(product.var_dir), "PORTOLAN_PORT": str(product.port)},
        capture_output=True,
        text=True,
        check=True,
    )
    return list(csv.DictReader(done.stdout.splitlines()))


# Themes and the profile `spec` (AC-CONS-7) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("site", "country", "theme"),
    [
        ("en", "", "small"),
        ("en", "us", "small"),
        ("en", "de", "gdpr"),
        ("en", "ch", "gdpr"),
        ("en", "no", "gdpr"),
        ("uk", "", "gdpr"),
        ("uk", "us", "small"),
        ("fr", "", "gdpr"),
        ("fr", "ae", "small"),
        ("kz", "", "small"),
        ("kz", "fr", "gdpr"),
        ("de", "", "small"),
        ("de", "de", "small"),
        ("pl", "fr", "small"),
        ("ae", "", "small"),
        ("ae", "fr", "small"),
        ("az", "de", "small"),
    ],
)
def test_each_site_has_its_theme(
    product: Product, context: BrowserContext, site: str, country: str, theme: str
) -> None:
    page = open_page(context, product, site, country)
    assert shown(page) == [theme]
    assert page.locator("html").get_attribute("data-consent-theme") == theme


def test_the_banner_asks_until_a_choice_is_made(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", "de")
    assert cookie(context) == {}
    assert granted(page) == "ad_storage analytics_storage"
    assert signals(page) == [["default", "granted", "granted"]]
    accept(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    expect(page.locator("[role=status][data-consent-status]")).to_contain_text("has been saved")
    expect(page.locator("#main")).to_be_focused()
    kept = cookie(context)
    assert kept["value"] == ALL
    assert (kept["path"], kept["sameSite"], kept["secure"], kept["httpOnly"]) == ("/", "Lax", False, False)
    left = datetime.fromtimestamp(kept["expires"], UTC) - datetime.now(UTC)
    assert MONTHS_3[0] < left < MONTHS_3[1]
    assert signals(page)[1:] == [["update", "granted", "granted"]]
    assert page.evaluate("localStorage.getItem('consentSeen')") is None
    page.goto(product.origin("en") + "/about-us")
    assert shown(page) == []
    assert signals(page) == [["default", "granted", "granted"], ["update", "granted", "granted"]]


@pytest.mark.parametrize("site", ("en", "ae"))
def test_the_notice_saves_by_itself_and_stays_until_it_is_seen(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, "us" if site == "en" else "")
    assert choice(context) == ALL
    assert notice(page, "small").get_by_role("button").count() == 1
    page.reload()
    assert shown(page) == ["small"]
    accept(page).click()
    expect(notice(page, "small")).to_be_hidden()
    seen = datetime.fromisoformat(page.evaluate("localStorage.getItem('consentSeen')"))
    assert abs(datetime.now(UTC) - seen) < timedelta(minutes=1)
    page.reload()
    assert shown(page) == []


@pytest.mark.parametrize(("days", "themes"), [(88, []), (93, ["small"])])
def test_that_it_was_seen_expires_with_the_cookie(
    product: Product, context: BrowserContext, days: int, themes: list[str]
) -> None:
    page = open_page(context, product, "de")
    accept(page).click()
    expect(notice(page, "small")).to_be_hidden()
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=days))
    page.reload()
    assert shown(page) == themes


def test_the_description_is_cut_at_its_line_break_until_more_is_asked_for(
    product: Product, strict: Product, context: BrowserContext
) -> None:
    for served, site, country in ((product, "en", "de"), (strict, "ae", "fr")):
        page = open_page(context, served, site, country)
        more = notice(page, "gdpr").locator("[data-consent-more]")
        details = page.locator(f"#{more.get_attribute('aria-controls')}")
        closed = more.inner_text()
        expect(details).to_be_hidden()
        expect(more).to_have_attribute("aria-expanded", "false")
        more.click()
        expect(details).to_be_visible()
        expect(more).to_have_attribute("aria-expanded", "true")
        assert more.inner_text() != closed
        more.click()
        expect(details).to_be_hidden()
        expect(more).to_have_attribute("aria-expanded", "false")
        assert more.inner_text() == closed


def test_the_settings_bring_the_banner_back_unless_they_are_saved(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", "de")
    for close in ("Escape", "button"):
        manage(page).click()
        expect(settings(page)).to_be_visible()
        expect(settings(page).get_by_role("heading")).to_be_focused()
        expect(notice(page, "gdpr")).to_be_hidden()
        assert [switch.is_checked() for switch in settings(page).get_by_role("switch").all()] == [True, True]
        settings(page).get_by_role("switch").first.uncheck()
        if close == "Escape":
            page.keyboard.press("Escape")
        else:
            settings(page).get_by_role("button", name="Close").click()
        expect(settings(page)).to_be_hidden()
        expect(notice(page, "gdpr")).to_be_visible()
        expect(manage(page)).to_be_focused()
        assert cookie(context) == {}
    manage(page).click()
    settings(page).get_by_role("switch", name="Advertising").uncheck()
    save(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    expect(page.locator("#main")).to_be_focused()
    assert choice(context) == {"ad_storage": False, "analytics_storage": True}
    assert signals(page)[-1] == ["update", "denied", "granted"]
    assert granted(page) == "analytics_storage"


@pytest.mark.parametrize("site", ("en", "uk", "de", "ae", "az", "kz", "pl", "fr"))
def test_one_can_change_ones_mind_at_the_foot_of_every_page(
    product: Product, context: BrowserContext, site: str
) -> None:
    page = open_page(context, product, site, path="/404.html")
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
    page.goto(product.origin(site) + "/")
    assert granted(page) == ""
    assert signals(page) == [["default", "granted", "granted"], ["update", "denied", "denied"]]


# Keyboard, zoom, no scripts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("site", "country"), [("en", "de"), ("ae", "")])
def test_it_comes_first_and_traps_nobody(product: Product, context: BrowserContext, site: str, country: str) -> None:
    page = open_page(context, product, site, country)
    page.keyboard.press("Tab")
    expect(page.locator("[data-skip]")).to_be_focused()
    controls = page.locator("section[data-consent-theme]:visible").locator("a, button")
    for number in range(controls.count()):
        page.keyboard.press("Tab")
        expect(controls.nth(number)).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('header') !== null")


COVERED = """() => {
    const notice = document.querySelector(`section[data-consent-theme=${document.documentElement.dataset.consent}]`);
    const element = document.activeElement;
    if (element === document.body || notice.contains(element)) return null;
    const { top, bottom } = element.getBoundingClientRect();
    return bottom > notice.getBoundingClientRect().top + 1 || top < 0 ? element.outerHTML.slice(0, 120) : null;
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("site", "country"), [("en", "de"), ("ae", "")])
def test_nothing_that_has_the_focus_lies_under_it(
    product: Product, browser: Browser, site: str, country: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce")
    page = open_page(context, product, site, country, "/about-us")
    page.wait_for_load_state("networkidle")
    expect(page.locator("html")).to_have_attribute("style", re.compile(r"scroll-padding-block-end: \d+px"))
    last = page.locator("footer a, footer button").last
    covered, stops = [], 0
    while not last.evaluate("element => element === document.activeElement"):
        page.keyboard.press("Tab")
        stops += 1
        covered.append(page.evaluate(COVERED))
        assert stops < 400
    assert stops > 40
    assert [element for element in covered if element] == []
    context.close()


@pytest.mark.parametrize(("site", "country"), [("en", "de"), ("ae", "fr")])
def test_at_400_percent_it_lies_in_the_page_and_can_be_read_whole(
    strict: Product, browser: Browser, site: str, country: str
) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 256})
    page = open_page(context, strict, site, country)
    banner = notice(page, "gdpr")
    banner.locator("[data-consent-more]").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # reaching the button may have scrolled
    expect(page.locator("header[data-header]")).not_to_have_attribute("data-fixed", "")
    box, header = banner.bounding_box(), page.locator("header[data-header]").bounding_box()
    assert box and header
    assert box["y"] == 0
    assert abs(header["y"] - box["height"]) < 1
    assert banner.evaluate("element => element.scrollHeight <= element.clientHeight")
    reject(page).scroll_into_view_if_needed()
    reject(page).click()
    expect(banner).to_be_hidden()
    context.close()


def test_nothing_moves_when_it_comes_or_goes(product: Product, context: BrowserContext) -> None:
    page = open_page(context, product, "en", "de", "/about-us")
    page.evaluate("() => document.fonts.ready")
    page.reload()  # letters that come late move a little by themselves; now they are here
    page.evaluate(
        "() => new PerformanceObserver(list => { window.shifts = (window.shifts ?? 0) "
        "+ list.getEntries().filter(entry => !entry.hadRecentInput).reduce((sum, entry) => sum + entry.value, 0) })"
        ".observe({type: 'layout-shift', buffered: true})"
    )
    page.wait_for_load_state("networkidle")
    accept(page).focus()
    page.keyboard.press("Enter")
    expect(notice(page, "gdpr")).to_be_hidden()
    assert page.evaluate("window.shifts ?? 0") == 0


def test_without_scripts_nobody_is_asked_and_nothing_is_kept(product: Product, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = open_page(context, product, "de", "de")
    assert shown(page) == []
    expect(page.locator("footer [data-consent-settings]")).to_be_hidden()
    expect(page.locator("footer a[href='/cookies-policy']")).to_be_visible()
    assert {item["name"] for item in context.cookies()} <= NECESSARY - {"consent_status"}
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("profile", "site", "country"),
    [("spec", "en", "de"), ("spec", "ae", ""), ("strict", "en", "de"), ("strict", "ae", "fr"), ("strict", "ae", "")],
)
def test_axe_finds_nothing(
    request: pytest.FixtureRequest, browser: Browser, profile: str, site: str, country: str, width: int
) -> None:
    served: Product = request.getfixturevalue("product" if profile == "spec" else "strict")
    context = browser.new_context(viewport={"width": width, "height": 800}, bypass_csp=True)
    page = open_page(context, served, site, country)
    page.wait_for_load_state("networkidle")
    page.add_script_tag(path=AXE)
    assert len(shown(page)) == 1
    assert find_violations(page) == []
    open_settings(page)
    assert find_violations(page) == []
    context.close()


def find_violations(page: Page) -> list[str]:
    found: list[str] = page.evaluate(
        """async tags => {
            const options = { runOnly: tags, rules: { 'target-size': { enabled: true } } };
            const { violations } = await axe.run(document, options);
            return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
        }""",
        AXE_TAGS,
    )
    return found


# The profile `strict` -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("site", "country"), [("en", "de"), ("ae", "fr"), ("ae", "")])
@pytest.mark.parametrize("chooses", (False, True))
def test_before_a_choice_and_after_a_refusal_nothing_is_kept_or_fetched(
    strict: Product, context: BrowserContext, site: str, country: str, chooses: bool
) -> None:
    """AC-CONS-1 and 2: scrolling, three pages and a minute change nothing."""
    hosts: set[str | None] = set()
    context.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
    context.clock.install()
    page = open_page(context, strict, site, country)
    theme = "small" if not country else "gdpr"
    if chooses:
        reject(page).click()
        expect(notice(page, theme)).to_be_hidden()
        assert signals(page) == [["default", "denied", "denied"], ["update", "denied", "denied"]]
        assert choice(context) == NOTHING
        left = datetime.fromtimestamp(cookie(context)["expires"], UTC) - datetime.now(UTC)
        assert MONTHS_3[0] < left < MONTHS_3[1]
    for path in ("/about-us", "/services/web-development", "/", "/"):
        page.goto(strict.origin(site) + path)
        page.mouse.wheel(0, 1500)
        page.clock.run_for(20_000)
        assert shown(page) == ([] if chooses else [theme])
        assert granted(page) == ""
        update = [["update", "denied", "denied"]] if chooses else []
        assert signals(page) == [["default", "denied", "denied"], *update]
        assert storage_keys(page) & TRACKING == set()
    assert {item["name"] for item in context.cookies()} <= NECESSARY
    assert chooses or cookie(context) == {}
    assert hosts == {urlsplit(strict.origin(site)).hostname}


def test_accepting_is_told_once_in_its_order(strict: Product, context: BrowserContext) -> None:
    """AC-CONS-3, as far as nothing but tags is there to be let in."""
    page = open_page(context, strict, "en", "de")
    page.evaluate("dataLayer.push({event: 'before'})")
    accept(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    assert signals(page) == [["default", "denied", "denied"], ["update", "granted", "granted"]]
    assert page.evaluate("dataLayer.findIndex(item => item[1] === 'default')") == 0
    assert granted(page) == "ad_storage analytics_storage"
    assert cookie(context)["value"] == {**ALL, "policy_version": "2026-11-01"}


@pytest.mark.parametrize(("site", "country"), [("en", "de"), ("ae", "fr"), ("de", "")])
def test_withdrawing_takes_back_everything(strict: Product, context: BrowserContext, site: str, country: str) -> None:
    """AC-CONS-4."""
    page = open_page(context, strict, site, country)
    accept(page).click()
    expect(accept(page)).to_have_count(0)
    page.evaluate(
        "() => { for (const key of ['firstVisitUrl', 'adClickId']) localStorage.setItem(key, '1');"
        "sessionStorage.setItem('sessionEntryUrl', '/') }"
    )
    switches = open_settings(page)
    assert [switch.is_checked() for switch in switches] == [True, True]
    for switch in switches:
        switch.uncheck()
    save(page).click()
    expect(page.locator("html")).to_have_attribute("data-granted", "")
    assert signals(page)[-1] == ["update", "denied", "denied"]
    assert storage_keys(page) & TRACKING == set()
    page.goto(strict.origin(site) + "/about-us")
    assert (shown(page), granted(page)) == ([], "")
    assert signals(page) == [["default", "denied", "denied"], ["update", "denied", "denied"]]


LOOK = """element => {
    const { width, height } = element.getBoundingClientRect();
    const { color, backgroundColor, fontSize, fontWeight, borderTopWidth, opacity } = getComputedStyle(element);
    return { width, height, look: [color, backgroundColor, fontSize, fontWeight, borderTopWidth, opacity] };
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    ("site", "country", "theme"), [("en", "de", "gdpr"), ("ae", "fr", "gdpr"), ("ae", "", "small"), ("de", "", "small")]
)
def test_refusing_is_as_easy_as_accepting(
    strict: Product, browser: Browser, site: str, country: str, theme: str, width: int
) -> None:
    """AC-CONS-5: one press, the same size, the same colours, side by side."""
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = open_page(context, strict, site, country)
    assert shown(page) == [theme]
    yes, no = accept(page).evaluate(LOOK), reject(page).evaluate(LOOK)
    assert yes["look"] == no["look"]
    for side in ("width", "height"):
        assert abs(yes[side] - no[side]) <= 0.05 * yes[side]
    if theme == "gdpr":
        assert manage(page).evaluate(LOOK)["look"] == yes["look"]
    reject(page).click()
    expect(notice(page, theme)).to_be_hidden()
    assert choice(context) == NOTHING
    context.close()


@pytest.mark.parametrize(("site", "country", "theme"), [("en", "de", "gdpr"), ("ae", "", "small")])
def test_the_browsers_objection_is_heard(
    strict: Product, browser: Browser, site: str, country: str, theme: str
) -> None:
    """AC-CONS-6: advertising stays off, and the banner says so."""
    context = browser.new_context(extra_http_headers={"Sec-GPC": "1"})
    context.add_init_script("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })")
    page = open_page(context, strict, site, country)
    expect(notice(page, theme)).to_contain_text("Global Privacy Control")
    accept(page).click()
    expect(notice(page, theme)).to_be_hidden()
    assert choice(context) == {"ad_storage": False, "analytics_storage": True}
    assert signals(page) == [["default", "denied", "denied"], ["update", "denied", "granted"]]
    open_settings(page)
    expect(settings(page).locator("[name=ad_storage]")).to_be_disabled()
    expect(settings(page)).to_contain_text("Global Privacy Control")
    context.close()


def test_without_the_signal_nobody_reads_of_it(strict: Product, context: BrowserContext) -> None:
    page = open_page(context, strict, "en", "de")
    expect(notice(page, "gdpr").get_by_text("Global Privacy Control")).to_be_hidden()


def test_a_newer_policy_asks_again(strict: Product, context: BrowserContext) -> None:
    page = open_page(context, strict, "en", "de")
    accept(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    kept = cookie(context)["value"]
    older = json.dumps({**kept, "policy_version": "2025-01-01"}, separators=(",", ":"))
    page.evaluate("value => { document.cookie = 'consent_status=' + encodeURIComponent(value) + '; Path=/' }", older)
    page.reload()
    assert shown(page) == ["gdpr"]
    assert granted(page) == ""


def test_a_choice_in_one_tab_holds_in_the_other(strict: Product, context: BrowserContext) -> None:
    first, second = (open_page(context, strict, "en", "de") for _ in range(2))
    accept(second).click()
    expect(notice(second, "gdpr")).to_be_hidden()
    expect(notice(first, "gdpr")).to_be_visible()
    first.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # no window is in front in this browser
    expect(notice(first, "gdpr")).to_be_hidden()
    assert granted(first) == "ad_storage analytics_storage"


# Records --------------------------------------------------------------------------------------------------------------


def test_each_choice_is_recorded_without_a_trace_of_the_visitor(strict: Product, context: BrowserContext) -> None:
    before = len(read_records(strict))
    page = open_page(context, strict, "de")
    text_hash = notice(page, "small").get_attribute("data-text-hash")
    reject(page).click()
    expect(notice(page, "small")).to_be_hidden()
    open_settings(page)[0].check()
    save(page).click()
    expect(page.locator("html")).to_have_attribute("data-granted", "analytics_storage")
    for _ in range(50):  # the page does not wait for the answer
        if len(read_records(strict)) >= before + 2:
            break
        page.wait_for_timeout(200)
    # Times are those of a second: two within one stand in any order.
    records = sorted(read_records(strict)[before:], key=lambda row: row["method"])
    assert [(row["site"], row["method"], row["ad_storage"], row["analytics_storage"]) for row in records] == [
        ("de", "reject", "denied", "denied"),
        ("de", "settings", "denied", "granted"),
    ]
    assert {row["policy_version"] for row in records} == {"2026-11-01"}
    assert records[0]["text_hash"] == text_hash != records[1]["text_hash"]
    assert list(records[0]) == [
        "id", "time", "site", "policy_version", "text_hash", "ad_storage", "analytics_storage", "method",
    ]  # fmt: skip


def test_what_is_saved_without_a_choice_is_no_record(product: Product, context: BrowserContext) -> None:
    before = len(read_records(product))
    page = open_page(context, product, "ae")
    page.wait_for_load_state("networkidle")
    assert choice(context) == ALL
    assert len(read_records(product)) == before


def test_a_record_that_fails_disturbs_nobody(strict: Product, context: BrowserContext) -> None:
    problems: list[str] = []
    context.route("**/__consent", lambda route: route.abort())
    page = open_page(context, strict, "en", "de")
    page.on("pageerror", lambda error: problems.append(str(error)))
    accept(page).click()
    expect(notice(page, "gdpr")).to_be_hidden()
    assert choice(context) == ALL
    assert problems == []


def test_blocked_storage_disturbs_nobody(strict: Product, context: BrowserContext) -> None:
    problems: list[str] = []
    context.add_init_script(
        "for (const name of ['localStorage', 'sessionStorage'])"
        "Object.defineProperty(window, name, { get() { throw new Error('blocked') } })"
    )
    page = context.new_page()
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(strict.origin("de") + "/")
    accept(page).click()
    expect(notice(page, "small")).to_be_hidden()
    assert choice(context) == ALL
    assert problems == []
