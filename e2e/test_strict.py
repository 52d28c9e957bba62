"""Where visitors are asked first, and vitals are measured: the registry's profile `strict`. Where they are not: `test_consent.py`."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from .axe import find_violations
from .faults import wait_until
from .product import Product
from .test_consent import (
    ALL,
    NECESSARY,
    NOTHING,
    TRACKING,
    accept,
    choice,
    cookie,
    granted,
    notice,
    open_page,
    open_settings,
    reject,
    save,
    settings,
    shown,
    signals,
)
from .test_runtime_parts import SCRIPTS, NewVisit, visiting

pytestmark = pytest.mark.one_worker  # another demo than everybody's


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") as context:
        yield context


@pytest.fixture
def new_visit(browser: Browser, strict: Product) -> Iterator[NewVisit]:
    with visiting(browser, strict) as begin:
        yield begin


def test_before_a_choice_and_after_a_refusal_nothing_is_kept_or_fetched(
    strict: Product, context: BrowserContext
) -> None:
    """AC-CONS-1 and 2: scrolling, pages and a minute change nothing."""
    hosts: set[str | None] = set()
    context.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
    context.clock.install()
    page = open_page(context, strict, "en", "de")
    for update in ([], [["update", "denied", "denied"]]):
        for path in ("/services/web-development", "/"):
            page.goto(strict.origin("en") + path)
            page.mouse.wheel(0, 1500)
            page.clock.run_for(20_000)
            assert shown(page) == ([] if update else ["gdpr"])
            assert granted(page) == ""
            assert signals(page) == [["default", "denied", "denied"], *update]
            kept = set(page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"))
            assert kept & TRACKING == set()
        if not update:
            assert cookie(context) == {}
            reject(page).click()
            expect(notice(page, "gdpr")).to_be_hidden()
            assert cookie(context)["value"] == {**NOTHING, "policy_version": "2026-11-01"}
    assert {item["name"] for item in context.cookies()} <= NECESSARY
    assert hosts == {urlsplit(strict.origin("en")).hostname}


LOOK = """element => {
    const { width, height } = element.getBoundingClientRect();
    const { color, backgroundColor, fontSize, fontWeight, borderTopWidth, opacity } = getComputedStyle(element);
    return { width, height, look: [color, backgroundColor, fontSize, fontWeight, borderTopWidth, opacity] };
}"""


@pytest.mark.parametrize(("site", "country", "width"), [("en", "de", 375), ("de", "", 1280)], ids=["banner", "notice"])
def test_refusing_is_as_easy_as_accepting(
    strict: Product, browser: Browser, site: str, country: str, width: int
) -> None:
    """AC-CONS-5: one press, the same size, the same colours, side by side. And the two say so to everybody."""
    with browser.new_context(viewport={"width": width, "height": 800}) as context:
        page = open_page(context, strict, site, country)
        yes, no = accept(page).evaluate(LOOK), reject(page).evaluate(LOOK)
        assert yes["look"] == no["look"]
        for side in ("width", "height"):
            assert abs(yes[side] - no[side]) <= 0.05 * yes[side]
        buttons = page.locator("section[data-consent-theme]:visible [data-consent-settings]").all()
        assert len(buttons) == (site == "en"), "the banner has one, the notice has none"
        for manage in buttons:
            assert manage.evaluate(LOOK)["look"] == yes["look"]
        assert find_violations(page, "[data-consent-theme]") == []
        reject(page).click()
        expect(page.locator("section[data-consent-theme]:visible")).to_have_count(0)
        assert choice(context) == NOTHING


@pytest.mark.parametrize("objects", (True, False))
def test_the_browsers_objection_is_heard(strict: Product, browser: Browser, objects: bool) -> None:
    """AC-CONS-6: advertising stays off, and the banner says so; without the signal the text is absent."""
    with browser.new_context(extra_http_headers={"Sec-GPC": "1"} if objects else {}) as context:
        context.add_init_script(
            f"Object.defineProperty(navigator, 'globalPrivacyControl', {{ value: {str(objects).lower()} }})"
        )
        page = open_page(context, strict, "en", "de")
        expect(notice(page, "gdpr").get_by_text("Global Privacy Control")).to_be_visible(visible=objects)
        accept(page).click()
        expect(notice(page, "gdpr")).to_be_hidden()
        assert choice(context) == {"ad_storage": not objects, "analytics_storage": True}
        open_settings(page)
        expect(settings(page).locator("[name=ad_storage]")).to_be_enabled(enabled=not objects)


def test_each_choice_is_recorded_without_a_trace_of_the_visitor(strict: Product, context: BrowserContext) -> None:
    before = read_records(strict)
    page = open_page(context, strict, "de")
    text_hash = notice(page, "small").get_attribute("data-text-hash")
    reject(page).click()
    expect(notice(page, "small")).to_be_hidden()
    open_settings(page)[0].check()
    save(page).click()
    expect(page.locator("html")).to_have_attribute("data-granted", "analytics_storage")
    wait_until(lambda: len(read_records(strict)) >= len(before) + 2, "both choices are recorded")
    added = [record for record in read_records(strict) if record not in before]
    refused, chosen = sorted(added, key=lambda row: row["method"])
    assert (refused["site"], refused["method"], refused["text_hash"]) == ("de", "reject", text_hash)
    assert (chosen["method"], chosen["policy_version"]) == ("settings", "2026-11-01")
    assert chosen["text_hash"] != text_hash
    assert [bool(refused[name]) for name in ALL] == [False, False]
    assert [bool(chosen[name]) for name in ALL] == [False, True]


def read_records(product: Product) -> list[dict[str, Any]]:
    return product.ask("SELECT * FROM consent_records_consentrecord")


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


def test_where_visitors_are_asked_first_scripts_wait_for_the_answer(new_visit: NewVisit) -> None:
    """AC-CONS-1, 3 and 4, as far as scripts and tags go."""
    visit = new_visit("en", "de")
    page = visit.open("/?gclid=Cj0K")
    visit.scroll()
    visit.expect_scripts("captcha")
    visit.follow("/contact-us")
    visit.expect_scripts("captcha")
    assert (visit.kept(), visit.events("route-change"), visit.events("web-vitals")) == ({}, [], [])

    visit.choose("accept")
    visit.expect_scripts(*SCRIPTS)
    visit.follow("/about-us")
    visit.wait_until(lambda: len(visit.events("route-change")) == 1, "the change of page is told")
    told = page.evaluate("dataLayer.map((item) => item.event ?? item[1])")
    assert [name for name in told if name != "web-vitals"] == ["default", "update", "route-change"]
    visit.expect_scripts(*SCRIPTS)
    assert visit.scripts() == SCRIPTS
    assert visit.kept() == {
        "firstVisitUrl": f"{visit.origin}/?gclid=Cj0K",
        "sessionEntryUrl": f"{visit.origin}/?gclid=Cj0K",
        "adClickId": '{"type":"gclid","value":"Cj0K"}',
    }

    page.locator("footer [data-consent-settings]").click()
    for purpose in ("ad_storage", "analytics_storage"):
        page.locator(f"[data-consent-dialog][open] [name={purpose}]").uncheck()
    page.locator("[data-consent-dialog] button[value=save]").click()
    expect(page.locator("html")).to_have_attribute("data-granted", "")
    assert visit.kept() == {}
    visit.follow("/contact-us")
    visit.open("/about-us?gclid=Cj0K")
    visit.expect_scripts("captcha")
    assert (visit.kept(), visit.events("route-change")) == ({}, [])


def test_web_vitals_are_measured_where_the_registry_says_so(new_visit: NewVisit) -> None:
    measured = new_visit("en", "de")
    page = measured.open()
    measured.choose("accept")
    measured.wait_until(lambda: any("web-vitals" in url for url in measured.ended), "what measures has come")

    def is_told_at_a_key() -> bool:
        # A key ends the measuring of the largest paint, as hiding the page does; one pressed before it began does nothing.
        page.keyboard.press("Shift")
        return len(measured.events("web-vitals")) >= 1

    measured.wait_until(is_told_at_a_key, "the largest paint is told")
    page.evaluate(
        "() => { Object.defineProperty(document, 'visibilityState', { value: 'hidden' });"
        "document.dispatchEvent(new Event('visibilitychange', { bubbles: true })) }"
    )
    measured.wait_until(lambda: len(measured.events("web-vitals")) >= 2, "what was measured is told")
    found = {event["name"]: event for event in measured.events("web-vitals")}
    # The browser decides whether a visit has an INP: only slow answers to input have one.
    assert {"LCP", "CLS"} <= set(found) <= {"LCP", "CLS", "INP"}
    assert found["LCP"]["value"] > 0
    assert all(set(event) == {"event", "name", "value", "id"} for event in found.values())
    assert all(event["value"] >= 0 for event in found.values())
