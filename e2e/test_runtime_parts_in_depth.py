"""Limits of the page runtime's other tasks: prefetch in sight, withheld scripts, layout after load, code of videos (spec §4, §9)."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from .product import Product
from .test_runtime_parts import STEP_MS, NewVisit, Visit, visiting


@pytest.fixture
def new_visit(browser: Browser, product: Product) -> Iterator[NewVisit]:
    with visiting(browser, product) as begin:
        yield begin


def run_until(visit: Visit, happened: Callable[[], bool], within_ms: int) -> None:
    """Run the page's clock in small steps, each after every request has been answered."""
    for _ in range(within_ms // STEP_MS):
        if happened():
            return
        visit.page.clock.run_for(STEP_MS)
        visit.page.wait_for_timeout(1)
        visit.settle()
    pytest.fail(f"not within {within_ms} ms of the page's own time; asked: {visit.asked}")


def test_pages_in_sight_are_loaded_four_every_three_seconds(new_visit: NewVisit) -> None:
    visit = new_visit(height=5000)
    visit.stop_clock()
    visit.open()
    visit.page.clock.run_for(2980)
    assert visit.pages() == []
    run_until(visit, lambda: len(visit.pages()) >= 4, 400)
    visit.settle()
    visit.page.clock.run_for(2800)
    assert len(set(visit.pages())) == len(visit.pages()) == 4
    assert "/page-data/index" not in visit.pages()


def test_the_settings_script_is_withheld_in_three_countries(new_visit: NewVisit) -> None:
    """AC-CONS-8."""
    visit = new_visit(country="by")
    visit.open()
    visit.scroll()
    visit.expect_scripts("captcha", "chat")
    visit.follow("/about-us")
    visit.expect_scripts("captcha", "chat")
    assert "settings" not in visit.scripts()
    assert [url for url in visit.asked if "web-vitals" in url] == []  # nor is anything measured: `test_strict.py`


HEIGHTS = "[...document.querySelectorAll('main > *, body > footer')].map((part) => [part.id, part.offsetHeight])"


def test_what_is_far_down_is_laid_out_after_load_and_the_page_is_as_high_as_ever(new_visit: NewVisit) -> None:
    visit = new_visit()
    held: list[Route] = []
    visit.context.route("**/*.woff2", lambda route: route.abort())  # one that comes late changes the height
    visit.context.route("**/assets/runtime-*.js", lambda route: held.append(route))
    page, root = visit.page, visit.page.locator("html")
    for address in ("/about-us#offices", "/about-us"):
        page.goto("about:blank")
        page.goto(visit.origin + address)
        if address.endswith("#offices"):
            expect(root).not_to_have_attribute("data-lays-out-later", "")
            heights = page.evaluate(HEIGHTS)
    expect(root).to_have_attribute("data-lays-out-later", "")
    assert page.locator("footer").evaluate("footer => getComputedStyle(footer).contentVisibility") == "auto"
    for route in held:
        route.continue_()
    visit.context.unroute("**/assets/runtime-*.js")
    expect(root).not_to_have_attribute("data-lays-out-later", "")
    assert page.locator("footer").evaluate("footer => getComputedStyle(footer).contentVisibility") == "visible"
    assert page.locator("[style*=content-visibility]").count() == 0
    assert page.evaluate(HEIGHTS) == heights
    # Who comes back to the middle of a page finds it whole: where they were is where they are.
    visit.context.route("**/assets/runtime-*.js", lambda route: route.abort())
    page.reload()
    expect(root).not_to_have_attribute("data-lays-out-later", "")


def test_the_code_of_videos_comes_before_they_are_seen(new_visit: NewVisit) -> None:
    visit = new_visit(height=300)
    visit.stop_clock()
    page = visit.open("/company/insights")

    def of_videos() -> list[str]:
        return [url for url in visit.asked if "/assets/play-video-" in url]

    assert of_videos() == []
    top = page.locator("main [data-video]").first.bounding_box()["y"]  # type: ignore[index]
    page.evaluate("top => scrollTo({ top: top - 600, behavior: 'instant' })", top)
    visit.wait_until(lambda: len(of_videos()) == 1, "the code is asked for")
