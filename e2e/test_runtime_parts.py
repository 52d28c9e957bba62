"""The page runtime's other tasks, with real pages, scripts and consent: prefetch, deferred scripts, and work after load (spec §3, §4, §7,
§9). Unit tests check the rules of each client script: ``web/src/runtime``, ``web/src/domain``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from .faults import LONGEST_WAIT_S
from .product import Product

SCRIPTS = ["captcha", "chat", "settings"]
TRACKING = {"firstVisitUrl", "sessionEntryUrl", "adClickId"}
STEP_MS = 20
BEGINNING = 1_800_000_000
"""Seconds; any time will do."""


class Visit:
    """A visitor's window, and its requests to the server."""

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.context, self.origin = context, origin
        self.asked: list[str] = []
        self.ended: list[str] = []
        self.problems: list[str] = []
        context.on("request", lambda request: self.asked.append(request.url))
        for end in ("requestfinished", "requestfailed"):
            context.on(end, lambda request: self.ended.append(request.url))
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        self.page = context.new_page()

    def stop_clock(self) -> None:
        """Timers stand still until the test runs them."""
        self.page.clock.install(time=BEGINNING)
        self.page.clock.pause_at(BEGINNING + 1)

    def open(self, path: str = "/") -> Page:
        """Open a document, start its runtime, and report the visible elements to it."""
        with self.page.expect_response("**/page-data/app-data.json"):
            self.page.goto(self.origin + path)
        self.page.evaluate("new Promise((resolve) => new IntersectionObserver(resolve).observe(document.body))")
        return self.page

    def follow(self, path: str) -> None:
        """To another page in place of this one."""
        self.page.evaluate("path => { navigation.navigate(path) }", path)
        expect(self.page).to_have_url(self.origin + path)
        expect(self.page.locator("link[rel=canonical]")).to_have_js_property("href", self.origin + path)

    def scroll(self) -> None:
        self.page.evaluate("scrollTo({ top: 300, behavior: 'instant' })")

    def wait_until(self, happened: Callable[[], bool], what: str) -> None:
        for _ in range(int(LONGEST_WAIT_S * 1000) // STEP_MS):
            if happened():
                return
            self.page.wait_for_timeout(STEP_MS)
        pytest.fail(f"not within {LONGEST_WAIT_S:.0f} s: {what}; asked: {self.asked}")

    def settle(self) -> None:
        """Until every request has been answered."""
        self.wait_until(lambda: len(self.ended) >= len(self.asked), "all is answered")

    def pages(self) -> list[str]:
        """Pages whose data was asked for, in their order."""
        paths = [urlsplit(url).path for url in self.asked]
        return [path.removesuffix("/page-data.json") for path in paths if path.endswith("/page-data.json")]

    def scripts(self) -> list[str]:
        """Deferred scripts that were fetched, by name."""
        paths = [urlsplit(url).path for url in self.asked]
        return sorted(path.removeprefix("/demo/").removesuffix(".js") for path in paths if path.startswith("/demo/"))

    def injected(self) -> list[str]:
        """Deferred scripts of this document, by name."""
        names = (
            "[...document.querySelectorAll('script[data-deferred]')].map((script) => script.dataset.deferred).sort()"
        )
        return list(self.page.evaluate(names))

    def expect_scripts(self, *names: str) -> None:
        """Exactly these have run in this document, each once."""
        wanted = sorted(names)
        read = "[...(window.portolanDemo ?? [])].sort()"
        self.wait_until(lambda: self.page.evaluate(read) == wanted, f"{wanted} have run")
        assert self.injected() == wanted

    def kept(self) -> dict[str, str]:
        """Return the stored values about the visitor's origin."""
        found: dict[str, str] = self.page.evaluate("({ ...localStorage, ...sessionStorage })")
        return {key: value for key, value in found.items() if key in TRACKING}

    def events(self, name: str) -> list[dict[str, Any]]:
        read = "name => (window.dataLayer ?? []).filter((item) => item.event === name)"
        return list(self.page.evaluate(read, name))

    def choose(self, choice: str) -> None:
        self.page.locator(f"section[data-consent-theme]:visible [data-consent-choice={choice}]").click()
        expect(self.page.locator("section[data-consent-theme]:visible")).to_have_count(0)


NewVisit = Callable[..., Visit]


@contextmanager
def visiting(browser: Browser, product: Product) -> Iterator[NewVisit]:
    """Visits of one test, in which nothing went wrong unseen."""
    visits: list[Visit] = []

    def begin(site: str = "en", country: str = "", height: int = 900, **options: Any) -> Visit:
        options = {"reduced_motion": "reduce", "service_workers": "block", **options}
        context = browser.new_context(viewport={"width": 1280, "height": height}, **options)
        if country:
            context.add_cookies([{"name": "country_code", "value": country, "url": product.origin(site)}])
        visits.append(Visit(context, product.origin(site)))
        return visits[-1]

    yield begin
    problems = [problem for visit in visits for problem in visit.problems]
    for visit in visits:
        visit.context.close()
    assert problems == []


@pytest.fixture
def new_visit(browser: Browser, product: Product) -> Iterator[NewVisit]:
    with visiting(browser, product) as begin:
        yield begin


# Pages loaded ahead (`docs/page-runtime.md`, G31 to G37) ---------------------------------------------------------------------------


def test_pointing_at_a_link_loads_its_page_at_once_and_the_click_asks_for_nothing_more(new_visit: NewVisit) -> None:
    visit = new_visit()
    page = visit.open("/contact-us")
    link = page.locator("footer a[href='/about-us']").first
    # The link is below the screen, because a link on the screen is loaded after a while without pointing.
    assert "/page-data/about-us" not in visit.pages()
    with page.expect_response("**/page-data/about-us/page-data.json"):
        link.dispatch_event("pointerover", {"bubbles": True, "pointerType": "mouse"})
    link.click()
    expect(page.locator("main[data-template=about]")).to_be_attached()
    assert visit.pages().count("/page-data/about-us") == 1


# Deferred scripts (spec §4) -------------------------------------------------------------------------------------------


def test_scrolling_loads_the_deferred_scripts_once_a_document_and_the_next_document_has_them_after_load(
    new_visit: NewVisit,
) -> None:
    visit = new_visit()
    visit.open()
    assert visit.scripts() == []
    visit.scroll()
    visit.expect_scripts(*SCRIPTS)
    visit.follow("/about-us")
    visit.scroll()
    visit.expect_scripts(*SCRIPTS)
    assert visit.scripts() == SCRIPTS
    page = visit.open("/contact-us")
    visit.expect_scripts(*SCRIPTS)
    assert page.evaluate("scrollY") == 0
    early = """() => {
        const { loadEventStart } = performance.getEntriesByType('navigation')[0];
        return performance.getEntriesByType('resource')
            .filter(({ name, startTime }) => name.includes('/demo/') && startTime < loadEventStart).length;
    }"""
    assert page.evaluate(early) == 0


# Work after load (spec §4, §9) ----------------------------------------------------------------------------------------


def test_videos_are_shown_once_the_page_has_loaded(new_visit: NewVisit) -> None:
    visit = new_visit()
    held: list[Route] = []
    visit.context.route("**/media/**", lambda route: held.append(route))
    visit.context.route("https://www.youtube-nocookie.com/**", lambda route: route.fulfill(body="a player"))
    page = visit.page

    def foreign() -> list[str]:
        return [url for url in visit.asked if not (urlsplit(url).hostname or "").endswith("localhost")]

    page.goto(visit.origin + "/", wait_until="domcontentloaded")
    visit.wait_until(lambda: held != [], "a picture holds up the page")
    root = page.locator("html")
    expect(root).not_to_have_attribute("data-show-video", "")
    video = page.locator("a[data-video]").first
    # The first sign of use starts the scripts in the page before it has loaded.
    page.mouse.move(5, 5)
    page.evaluate("link => link.closest('[popover], [hidden]')?.removeAttribute('popover')", video.element_handle())
    visit.wait_until(
        lambda: page.evaluate(
            "link => { link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));"
            "return document.querySelector('dialog[data-player]') !== null }",
            video.element_handle(),
        ),
        "the video's dialog is open",
    )
    expect(page.locator("dialog[data-player] iframe")).to_have_count(0)
    assert foreign() == []
    visit.context.unroute("**/media/**")
    for route in held:
        route.continue_()
    expect(root).to_have_attribute("data-show-video", "")
    expect(page.locator("dialog[data-player] iframe")).not_to_have_count(0)
    visit.wait_until(lambda: foreign() != [], "the player is asked for")
    assert all(url.startswith("https://www.youtube-nocookie.com/embed/") for url in foreign())


def test_a_hero_s_film_plays_after_load(new_visit: NewVisit) -> None:
    visit = new_visit(reduced_motion="no-preference")
    page = visit.open()
    pause = page.locator("button[data-film]")
    expect(pause).to_be_visible()
    film = page.locator("main video")
    assert film.evaluate("film => [film.paused, film.muted, film.loop]") == [False, True, True]
    pause.click()
    assert film.evaluate("film => film.paused")
