"""Lists of case studies, news, testimonials and events, with entries that the browser loads from the content API."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from .faults import Faults
from .island_runtimes import CHOSEN, Runtime, run_islands_with
from .product import Product
from .shifts import assert_still, watch_shifts

NO_JUMP = 0.001
"""Rows that change places before one's eyes would come to 0.3 and more."""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    watch_shifts(context)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def ask(product: Product, site: str, path: str, **headers: str) -> Any:
    """The answer of the content API."""
    return product.get(site, f"/api/{path}", headers={"accept-language": site, **headers}).raise_for_status().json()


def ids(product: Product, site: str, path: str, **headers: str) -> list[str]:
    return [item["id"] for item in ask(product, site, path, **headers)["items"]]


def from_country(context: BrowserContext, product: Product, site: str, country: str) -> None:
    context.add_cookies([{"name": "country_code", "value": country, "url": product.origin(site)}])


def without_fonts(page: Page) -> None:
    """One that comes late moves lines, and nothing of that is a list's."""
    page.route("**/*.woff2", lambda route: route.abort())


def shown(rows: Locator) -> list[str]:
    """Ids of the rows that can be seen, in their order."""
    found: list[str] = rows.evaluate_all(
        "rows => rows.filter((row) => row.checkVisibility()).map((row) => row.dataset.id)"
    )
    return found


@pytest.mark.parametrize("runtime", sorted({CHOSEN, "preact"}))
def test_case_studies_are_narrowed_and_the_address_says_to_what(
    runtime: Runtime, product: Product, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, service_workers="block")
    run_islands_with(context, runtime)
    page = context.new_page()
    everything = ids(product, "en", "content/projects/full-cards")
    rows, status = page.locator("main li[data-id]"), page.locator("main").get_by_role("status")
    page.goto(product.origin("en") + "/project-cases")
    assert shown(rows) == everything
    choice = page.locator("a[href^='?technology=']").first
    address = choice.get_attribute("href") or ""
    chosen = ids(product, "en", f"content/filter/technology/{address.removeprefix('?technology=')}")
    assert 0 < len(chosen) < len(everything)
    choice.click()
    expect(page).to_have_url(product.origin("en") + "/project-cases" + address)
    expect(rows.filter(visible=True)).to_have_count(len(chosen))
    expect(status).to_contain_text(str(len(chosen)))
    assert shown(rows) == chosen
    page.reload()
    expect(page.locator(f"[aria-current=true][href='{address}']")).to_be_visible()
    expect(rows.filter(visible=True)).to_have_count(len(chosen))
    page.locator("main").get_by_role("link", name="All case studies", exact=True).click()
    expect(rows.filter(visible=True)).to_have_count(len(everything))
    page.go_back()
    expect(rows.filter(visible=True)).to_have_count(len(chosen))
    context.close()


def test_news_come_until_all_are_there(product: Product, page: Page) -> None:
    everything = ids(product, "en", "content/news")
    rows = page.locator("main li[data-id]")
    page.goto(product.origin("en") + "/company/insights")
    assert shown(rows) == everything[:9]
    more = page.locator("[data-more-news] button")
    for count in range(18, len(everything) + 9, 9):
        more.click()
        expect(rows).to_have_count(min(count, len(everything)))
        expect(page.locator(f"[data-id='{everything[count - 9]}']")).to_be_focused()
    expect(more).to_have_count(0)
    assert shown(rows) == everything


def test_testimonials_come_once_each_the_visitors_country_first(
    product: Product, context: BrowserContext, page: Page, faults: Faults
) -> None:
    """Also while the page is still coming: nothing is painted in one place and then moved to another."""
    origin = f"http://localhost:{faults.port}"
    context.add_cookies([{"name": "country_code", "value": "ae", "url": origin}])
    page.set_viewport_size({"width": 1280, "height": 2400})
    without_fonts(page)
    paused = faults.add(
        "/company/testimonials", dest="document", pauses_at=lambda body: body.rindex(b'data-review-country="ae"')
    )
    page.goto(f"{origin}/company/testimonials", wait_until="commit")
    rows = page.locator("main li[data-id]")
    expect(rows.first).to_be_attached()
    page.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))")
    faults.release(paused)
    page.wait_for_load_state()
    expect(page.locator("[data-reviews] > [hidden]")).to_have_count(0)  # what is for others has been taken out
    answer = ask(product, "en", "content/reviews/testimonial/pagination?countryCode=ae")
    first = [item["id"] for item in answer["items"]]
    assert shown(rows) == first
    assert [item["country"] for item in answer["items"]].count("ae") > 1
    assert_still(page, NO_JUMP)
    more = page.locator("[data-more-reviews] button")
    while more.count():
        before = rows.count()
        more.click()
        expect(rows).not_to_have_count(before)
    assert shown(rows)[:6] == first
    assert len(set(shown(rows))) == len(shown(rows)) == answer["total"]


def test_events_of_the_visitors_country_come_first_and_nothing_jumps(
    product: Product, context: BrowserContext, page: Page
) -> None:
    from_country(context, product, "en", "gb")
    page.set_viewport_size({"width": 1280, "height": 1600})
    without_fonts(page)
    page.goto(product.origin("en") + "/events")
    rows = page.locator("[data-events] > li")
    answer = ask(product, "en", "content/events", **{"country-code": "gb"})["items"]
    today = page.evaluate("new Date().toISOString().slice(0, 10)")
    coming = [event["id"] for event in answer if event["end"] >= today]
    expect(rows.first).to_have_attribute("data-id", coming[0])
    expect(page.locator("[data-changing]")).to_have_count(0)
    assert shown(rows)[: len(coming)] == coming
    assert sorted(shown(rows)) == sorted(event["id"] for event in answer)
    page.evaluate("Promise.all(document.getAnimations().map(({finished}) => finished))")  # the list fades back in
    assert_still(page, NO_JUMP)


def test_a_visit_of_an_article_counts_once(product: Product, browser: Browser) -> None:
    article = ask(product, "en", "content/news")["items"][0]

    def read_views() -> int:
        items = ask(product, "en", "integration/articles/views")["items"]
        return next(int(item["views"]) for item in items if item["id"] == article["id"])

    before = read_views()
    for visit in (1, 2):
        context = browser.new_context()
        page = context.new_page()
        page.goto(product.origin("en") + article["link"]["href"])
        expect(page.locator("[data-article][data-known]")).to_contain_text(f"{before + visit:,}")
        page.reload()
        expect(page.locator("[data-article][data-known]")).to_contain_text(f"{before + visit:,}")
        context.close()
        assert read_views() == before + visit
