"""Pages as data over a network that fails: what is asked for, how often, and what the visitor sees (spec §4, §8).

Tests are named by the rows of `docs/page-runtime.md`.
"""

import json
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import APP_DATA, CLICKED, WAITS, NewTab, Tab, data_of, heading

ABOUT = "/about-us"
ABOUT_DATA = data_of(ABOUT)
MISSING = "/not-on-any-chart"
NOT_FOUND_DATA = "/page-data/404.html/page-data.json"
FAILED_DATA = "/page-data/500.html/page-data.json"
TARGET = f"{ABOUT}{CLICKED}#principles"
LOST = f"{MISSING}{CLICKED}#principles"
ISLAND_CODE = r"/assets/office-filter-.*\.js"
BOTH = pytest.mark.parametrize("site", ("en", "ae"))


@pytest.fixture
def timeless(tab: Tab) -> Tab:
    """A tab whose pauses the test lets go by."""
    tab.page.clock.install()
    return tab


def hashed_otherwise(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "build": "0" * 32}


def test_g01_page_data_is_asked_for_once_however_often_the_link_is_pressed(
    tab: Tab, product: Product, faults: Faults
) -> None:
    tab.open("/")
    with faults.hold(ABOUT_DATA):
        for _ in range(3):
            tab.follow(TARGET)
        faults.wait_for(ABOUT_DATA)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert faults.count(ABOUT_DATA) == 1
    assert tab.same_document
    assert tab.page.evaluate("history.length") == 3  # about:blank, home, this


def test_g01_the_home_page_is_called_index(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open(ABOUT)
    tab.follow("/")
    tab.expect_shown("/", heading(product, "/"))
    assert faults.count("/page-data/index/page-data.json") == 1
    assert tab.same_document


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 200, "body": "<!doctype html><h1>Hello", "headers": {"content-type": "text/html"}},
        {"status": 200, "body": "<!doctype html><h1>Hello", "headers": {"content-type": "application/json"}},
        {"status": 200, "body": "[]", "headers": {"content-type": "application/json"}},
        {"edit": lambda data: {key: value for key, value in data.items() if key != "path"}},
    ],
    ids=("html", "html called json", "no object", "json without path"),
)
def test_g02_what_is_no_page_data_is_taken_for_404(
    tab: Tab, product: Product, faults: Faults, answer: dict[str, Any]
) -> None:
    faults.add(ABOUT_DATA, **answer)
    faults.add(ABOUT, method="HEAD", status=404)
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, MISSING))
    assert tab.same_document
    assert faults.count(ABOUT_DATA) == 1


@BOTH
def test_g03_what_is_missing_is_the_404_page_in_place_in_the_sites_language(
    new_tab: NewTab, product: Product, faults: Faults, site: str
) -> None:
    tab = new_tab(site)
    tab.open("/")
    tab.follow(LOST)
    tab.expect_shown(LOST, heading(product, MISSING, site))
    expect(tab.template).to_have_attribute("data-template", "error")
    expect(tab.page.locator("[data-announcer]")).to_contain_text(heading(product, MISSING, site))
    assert tab.same_document
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT, site))
    assert tab.same_document


def test_g03_without_a_404_page_the_browser_loads_what_is_there(tab: Tab, product: Product, faults: Faults) -> None:
    faults.add(NOT_FOUND_DATA, status=404)
    tab.open("/")
    tab.follow(LOST)
    tab.expect_shown(LOST, heading(product, MISSING))
    assert not tab.same_document
    assert (tab.documents(MISSING), faults.count(NOT_FOUND_DATA)) == (1, 1)


def test_g04_a_document_without_page_data_is_loaded_as_a_document(tab: Tab, product: Product, faults: Faults) -> None:
    faults.add(ABOUT_DATA, status=404)
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert not tab.same_document
    assert (tab.documents(ABOUT), faults.count(ABOUT, method="HEAD")) == (1, 1)
    [document] = faults.asked(ABOUT, dest="document")
    assert f"?{document.query}" == CLICKED


def test_g04_a_path_that_could_be_a_host_is_not_looked_for(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open("/")
    tab.follow(f"{tab.origin}//brightmoor/about-us")
    expect(tab.heading).to_have_text(heading(product, MISSING))
    assert tab.same_document
    assert not [request for request in faults.requests if request.method == "HEAD"]


@BOTH
def test_g05_a_broken_server_is_the_500_page_in_place_and_is_not_asked_again(
    new_tab: NewTab, product: Product, faults: Faults, site: str
) -> None:
    tab = new_tab(site)
    broken = faults.add(ABOUT_DATA, status=500)
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, "/500.html", site))
    assert tab.same_document
    assert (faults.count(ABOUT_DATA), faults.count(FAILED_DATA)) == (1, 1)
    faults.remove(broken)
    tab.follow(f"{ABOUT}?again")
    tab.expect_shown(f"{ABOUT}?again", heading(product, ABOUT, site))


def test_g06_a_500_page_that_fails_never_loops(timeless: Tab, product: Product, faults: Faults) -> None:
    faults.add("/page-data/.*/page-data.json", status=500)
    timeless.open("/")
    timeless.follow(TARGET)
    expect(timeless.alert).to_be_visible()
    timeless.page.clock.fast_forward(60_000)
    timeless.expect_shown("/", heading(product, "/"))
    assert (faults.count(ABOUT_DATA), faults.count(FAILED_DATA)) == (1, 1)
    assert timeless.same_document


@pytest.mark.parametrize("failure", [{"status": 503}, {"status": 403}, {"status": 502}, {"cut_after": 0}], ids=str)
def test_g07_three_failures_and_then_the_page(
    timeless: Tab, product: Product, faults: Faults, failure: dict[str, int]
) -> None:
    faults.add(ABOUT_DATA, times=3, **failure)
    timeless.open("/")
    timeless.follow(TARGET)
    timeless.pass_pauses(ABOUT_DATA, 4)
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    expect(timeless.alert).to_be_hidden()
    assert faults.count(ABOUT_DATA) == 4
    assert timeless.same_document


@BOTH
def test_g07_after_the_fourth_failure_the_page_stays_and_there_are_two_ways_on(
    new_tab: NewTab, product: Product, faults: Faults, site: str
) -> None:
    tab = new_tab(site)
    tab.page.clock.install()
    broken = faults.add(ABOUT_DATA, status=503)
    tab.open("/")
    tab.follow(TARGET)
    tab.pass_pauses(ABOUT_DATA, 4)
    expect(tab.alert).to_be_visible()
    expect(tab.bar).to_be_hidden()
    tab.page.clock.fast_forward(60_000)
    assert faults.count(ABOUT_DATA) == 4
    tab.expect_shown("/", heading(product, "/", site))
    expect(tab.alert.get_by_role("link")).to_have_attribute("href", tab.origin + TARGET)
    faults.remove(broken)
    tab.alert.locator("[data-retry]").click()
    tab.expect_shown(TARGET, heading(product, ABOUT, site))
    expect(tab.alert).to_be_hidden()
    assert tab.same_document


def test_g07_the_alerts_link_loads_the_document(timeless: Tab, product: Product, faults: Faults) -> None:
    faults.add(ABOUT_DATA, status=503)
    timeless.open("/")
    timeless.follow(TARGET)
    timeless.pass_pauses(ABOUT_DATA, 4)
    timeless.alert.get_by_role("link").click()
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    assert not timeless.same_document
    assert timeless.documents(ABOUT) == 1


def test_g07_pauses_grow_and_are_a_fifth_longer_or_shorter(timeless: Tab, faults: Faults) -> None:
    clock = timeless.page.clock
    faults.add(ABOUT_DATA, status=503)
    timeless.open("/")
    clock.pause_at(timeless.page.evaluate("Date.now() + 60000"))
    timeless.follow(TARGET)
    for failures, pause in enumerate(WAITS, 1):
        faults.wait_for(ABOUT_DATA, failures)
        answered(timeless, ABOUT_DATA, failures)
        clock.run_for(int(pause * 0.8) - 10)
        assert faults.count(ABOUT_DATA) == failures
        clock.run_for(int(pause * 0.4) + 20)
        faults.wait_for(ABOUT_DATA, failures + 1)


def test_g07_a_server_that_says_when_to_come_back_is_heeded(timeless: Tab, faults: Faults) -> None:
    clock = timeless.page.clock
    faults.add(ABOUT_DATA, status=503, headers={"retry-after": "4"})
    timeless.open("/")
    clock.pause_at(timeless.page.evaluate("Date.now() + 60000"))
    timeless.follow(TARGET)
    faults.wait_for(ABOUT_DATA)
    answered(timeless, ABOUT_DATA, 1)
    clock.run_for(3990)
    assert faults.count(ABOUT_DATA) == 1
    clock.run_for(20)
    faults.wait_for(ABOUT_DATA, 2)


def answered(tab: Tab, path: str, times: int) -> None:
    """The browser has the answers, and whoever asked has looked at them."""
    wait_until(lambda: tab.answers(path) >= times, f"{times} answers for {path}")
    tab.page.evaluate("async () => { await (await fetch('/favicon.svg')).text() }")


@pytest.mark.parametrize(
    ("answer", "requests"),
    [({"status": 500}, 4), ({"status": 404}, 4), ({"status": 200, "body": "{"}, 1), ({"status": 200, "body": "[]"}, 1)],
    ids=("500", "404", "broken json", "no build"),
)
def test_g08_g10_without_app_data_links_work_as_ever(
    timeless: Tab, product: Product, faults: Faults, answer: dict[str, Any], requests: int
) -> None:
    faults.add(APP_DATA, **answer)
    timeless.open("/")
    timeless.pass_pauses(APP_DATA, requests)
    timeless.page.clock.fast_forward(60_000)
    timeless.follow(TARGET)
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    assert timeless.same_document
    timeless.follow("/contact-us?x")
    timeless.expect_shown("/contact-us?x", heading(product, "/contact-us"))
    assert timeless.same_document
    assert timeless.documents() == 1


def test_g09_app_data_is_asked_for_beside_each_page_that_is_new(tab: Tab, product: Product, faults: Faults) -> None:
    def answered(times: int) -> None:
        """Who asks while a request is under way shares its answer: each has to be in before the next is told apart."""
        entries = "path => performance.getEntriesByName(location.origin + path).length"
        wait_until(lambda: tab.page.evaluate(entries, APP_DATA) == times, f"{times} answers of {APP_DATA}")

    tab.open("/")
    answered(1)
    for times, path in ((2, ABOUT), (3, "/contact-us")):
        tab.follow(path)
        tab.expect_shown(path, heading(product, path))
        answered(times)
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    tab.page.wait_for_load_state("networkidle")
    assert (faults.count(APP_DATA), faults.count(ABOUT_DATA)) == (3, 1)


def test_g11_nobody_waits_for_app_data(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open("/")
    with faults.hold(APP_DATA):
        tab.follow(TARGET)
        tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.same_document


def test_g13_code_of_an_island_that_fails_once_is_asked_for_again(tab: Tab, product: Product, faults: Faults) -> None:
    faults.add(ISLAND_CODE, times=1, status=404)
    tab.open("/")
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    choices = office_choices(tab)
    choices.nth(1).click()
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    assert faults.count(ISLAND_CODE) == 2


def test_g13_g16_code_that_is_gone_leaves_the_page_as_it_was_published(
    tab: Tab, product: Product, faults: Faults
) -> None:
    faults.add(ISLAND_CODE, status=404)
    tab.page.clock.install()
    tab.open("/")
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    choices = office_choices(tab)
    shown = tab.page.locator("#offices li:visible").count()
    choices.nth(1).click()
    faults.wait_for(ISLAND_CODE)
    tab.page.clock.fast_forward(2000)
    tab.page.wait_for_load_state("networkidle")
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert shown > 0
    assert tab.page.locator("#offices li:visible").count() == shown
    assert tab.same_document
    assert tab.documents() == 1
    tab.follow("/contact-us")
    tab.expect_shown("/contact-us", heading(product, "/contact-us"))


def office_choices(tab: Tab) -> Any:
    return tab.page.locator("main [data-island]").filter(has=tab.page.locator("[role=group]")).get_by_role("button")


def test_g13_a_failure_is_not_remembered(timeless: Tab, product: Product, faults: Faults) -> None:
    faults.add(ABOUT_DATA, times=4, cut_after=0)
    timeless.open("/")
    timeless.follow(TARGET)
    timeless.pass_pauses(ABOUT_DATA, 4)
    expect(timeless.alert).to_be_visible()
    timeless.follow(TARGET)
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    expect(timeless.alert).to_be_hidden()
    assert timeless.same_document


def test_g14_g15_a_template_of_another_build_is_one_full_load_with_query_and_hash(
    tab: Tab, product: Product, faults: Faults
) -> None:
    faults.add(ABOUT_DATA, edit=lambda data: {**hashed_otherwise(data), "template": "of-tomorrow"})
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert not tab.same_document
    assert tab.documents(ABOUT) == 1
    expect(tab.bar).to_be_hidden()


def test_g14_a_template_nobody_knows_is_shown_all_the_same(tab: Tab, product: Product, faults: Faults) -> None:
    faults.add(ABOUT_DATA, edit=lambda data: {**data, "template": "of-tomorrow"})
    tab.open("/")
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.same_document


def test_g17_back_to_a_page_that_is_gone_meanwhile(timeless: Tab, product: Product, faults: Faults) -> None:
    timeless.open(f"/{CLICKED}")
    timeless.follow(ABOUT)
    timeless.expect_shown(ABOUT, heading(product, ABOUT))
    broken = faults.add(data_of("/"), cut_after=0)
    timeless.page.go_back()
    timeless.pass_pauses(data_of("/"), 4)
    expect(timeless.alert).to_be_visible()
    timeless.expect_at(f"/{CLICKED}")
    faults.remove(broken)
    timeless.alert.locator("[data-retry]").click()
    timeless.expect_shown(f"/{CLICKED}", heading(product, "/"))
    timeless.page.go_forward()
    timeless.expect_shown(ABOUT, heading(product, ABOUT))


def test_g17_back_to_what_only_the_browser_can_load(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open(f"/{CLICKED}#how-we-work")
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    faults.add(data_of("/"), edit=hashed_otherwise)
    tab.page.go_back()
    tab.expect_shown(f"/{CLICKED}#how-we-work", heading(product, "/"))
    wait_until(lambda: not tab.same_document, "a document of its own")
    assert tab.documents("/") == 2


@pytest.mark.parametrize("missing", (r"/assets/runtime-.*\.js", r"/assets/.*\.js"), ids=("runtime", "all scripts"))
def test_g18_without_its_scripts_the_site_is_an_ordinary_one(
    tab: Tab, product: Product, faults: Faults, missing: str
) -> None:
    faults.add(missing, status=404)
    tab.page.goto(tab.origin + "/")
    tab.mark()
    tab.point_and_follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert not tab.same_document


# The matrix: each failure, at the first load and on the way to another page.


@dataclass(frozen=True)
class Failure:
    """What breaks, and what comes of it on the way to a page that exists."""

    name: str
    what: dict[str, Any]
    comes_to: str
    """``page``: in place; ``document``: loaded by the browser; ``500``: that page, in place; ``alert``: the page stays."""
    tries: int = 1


def _cut_in_half(body: bytes) -> bytes:
    return body[: len(body) // 2]


HTML_PAGE = {"status": 200, "body": "<!doctype html><p>Welcome", "headers": {"content-type": "text/html"}}
DATA_FAILURES = (
    Failure("404", {"status": 404}, "document"),
    Failure("500", {"status": 500}, "500"),
    Failure("503 three times", {"status": 503, "times": 3}, "page", 4),
    Failure("503", {"status": 503}, "alert", 4),
    Failure("connection cut", {"cut_after": 0}, "alert", 4),
    Failure("connection cut within", {"cut_after": 500}, "alert", 4),
    Failure("connection cut once", {"cut_after": 0, "times": 1}, "page", 2),
    Failure("truncated JSON", {"spoil": _cut_in_half}, "document"),
    Failure("HTML instead of JSON", HTML_PAGE, "document"),
    Failure("another build", {"edit": hashed_otherwise}, "document"),
)


@pytest.mark.parametrize("failure", DATA_FAILURES, ids=lambda failure: failure.name)
def test_matrix_page_data_on_the_way_to_a_page(
    timeless: Tab, product: Product, faults: Faults, failure: Failure
) -> None:
    timeless.open(f"/{CLICKED}")
    faults.add(ABOUT_DATA, **failure.what)
    timeless.follow(TARGET)
    timeless.pass_pauses(ABOUT_DATA, failure.tries)
    match failure.comes_to:
        case "page" | "document":
            timeless.expect_shown(TARGET, heading(product, ABOUT))
        case "500":
            timeless.expect_shown(TARGET, heading(product, "/500.html"))
        case "alert":
            expect(timeless.alert).to_be_visible()
            timeless.expect_shown(f"/{CLICKED}", heading(product, "/"))
    assert timeless.same_document == (failure.comes_to != "document")
    assert faults.count(ABOUT_DATA) == failure.tries
    assert timeless.documents() == (2 if failure.comes_to == "document" else 1)
    expect(timeless.bar).to_be_hidden()


FIRST_FAILURES = (
    *(failure for failure in DATA_FAILURES if failure.name != "another build"),
    Failure("not there yet", {"status": 200, "body": "{}"}, "page"),
)


@pytest.mark.parametrize("failure", FIRST_FAILURES, ids=lambda failure: failure.name)
def test_matrix_app_data_at_the_first_load(timeless: Tab, product: Product, faults: Faults, failure: Failure) -> None:
    what = {**failure.what, "cut_after": 5} if failure.what.get("cut_after") else failure.what
    faults.add(APP_DATA, **what)
    timeless.open(TARGET)
    timeless.page.clock.fast_forward(60_000)
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    timeless.follow(f"/contact-us{CLICKED}")
    timeless.expect_shown(f"/contact-us{CLICKED}", heading(product, "/contact-us"))
    assert timeless.same_document
    assert timeless.documents() == 1


@BOTH
@pytest.mark.parametrize(("address", "path"), ((LOST, MISSING), (TARGET, "/500.html")), ids=("404", "500"))
def test_matrix_an_error_page_at_the_first_load(
    new_tab: NewTab, product: Product, faults: Faults, site: str, address: str, path: str
) -> None:
    tab = new_tab(site)
    page = product.get(site, path)
    if path == "/500.html":
        faults.add(ABOUT, status=500, body=page.content, headers={"content-type": "text/html; charset=utf-8"})
    tab.open(address)
    tab.expect_shown(address, heading(product, path, site))
    tab.follow("/?home")
    tab.expect_shown("/?home", heading(product, "/", site))
    assert tab.same_document
    assert tab.documents() == 1


@pytest.mark.parametrize("first", (True, False), ids=("first load", "navigation"))
def test_matrix_500_for_the_500_page(timeless: Tab, product: Product, faults: Faults, first: bool) -> None:
    if first:
        faults.add(r"/page-data/.*", status=500)
        timeless.open(TARGET)
        timeless.page.clock.fast_forward(60_000)
        timeless.expect_shown(TARGET, heading(product, ABOUT))
        assert timeless.documents() == 1
        assert faults.count(FAILED_DATA) == 0
        return
    timeless.open(f"/{CLICKED}")
    faults.add(rf"{ABOUT_DATA}|{FAILED_DATA}", status=500)
    timeless.follow(TARGET)
    expect(timeless.alert).to_be_visible()
    timeless.expect_shown(f"/{CLICKED}", heading(product, "/"))
    assert (timeless.documents(), faults.count(FAILED_DATA)) == (1, 1)


@pytest.mark.parametrize("first", (True, False), ids=("first load", "navigation"))
def test_matrix_an_answer_after_1100_ms(timeless: Tab, product: Product, faults: Faults, first: bool) -> None:
    slow = APP_DATA if first else ABOUT_DATA
    with faults.hold(slow):
        timeless.open("/")
        if first:
            timeless.page.clock.fast_forward(1100)
            expect(timeless.bar).to_be_hidden()
        else:
            timeless.follow(TARGET)
            faults.wait_for(ABOUT_DATA)
            timeless.page.clock.fast_forward(1100)
            expect(timeless.bar).to_be_visible()
    if first:
        timeless.follow(TARGET)
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    expect(timeless.bar).to_be_hidden()
    assert timeless.same_document


@pytest.mark.parametrize("first", (True, False), ids=("first load", "navigation"))
def test_matrix_all_code_of_islands_is_404(tab: Tab, product: Product, faults: Faults, first: bool) -> None:
    faults.add(r"/assets/(hydrate|react|office-filter|language-switcher)-.*\.js", status=404)
    tab.open(TARGET if first else "/")
    if not first:
        tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    switcher = tab.page.locator("[data-switcher]")
    switcher.locator("summary").click()
    expect(switcher).to_have_attribute("open", "")
    tab.follow("/contact-us?x")
    tab.expect_shown("/contact-us?x", heading(product, "/contact-us"))
    assert tab.same_document


STYLES = r"/assets/style-.*\.css"


@pytest.mark.parametrize("times", (1, None), ids=("once", "for ever"))
def test_matrix_the_stylesheet_is_404_at_the_first_load(
    tab: Tab, product: Product, faults: Faults, times: int | None
) -> None:
    faults.add(STYLES, status=404, times=times)
    tab.page.goto(tab.origin + TARGET)
    faults.wait_for(APP_DATA, 2)
    tab.page.wait_for_load_state("networkidle")
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.documents() == 2
    has_styles = "document.querySelector('link[rel=stylesheet]').sheet.cssRules.length > 0"
    assert tab.page.evaluate(has_styles) == (times == 1)
    tab.mark()
    tab.follow(f"/contact-us{CLICKED}")
    tab.expect_shown(f"/contact-us{CLICKED}", heading(product, "/contact-us"))
    assert tab.same_document


def test_matrix_the_stylesheet_is_404_on_the_way(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open("/")
    faults.add(STYLES, status=404)
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.page.evaluate("getComputedStyle(document.querySelector('main h1')).fontFamily.includes('Manrope')")
    assert tab.same_document
    assert tab.documents() == 1


def block_storage(tab: Tab) -> None:
    refuse = "{ get() { throw new DOMException('The operation is insecure.', 'SecurityError') } }"
    for name in ("localStorage", "sessionStorage"):
        tab.context.add_init_script(f"Object.defineProperty(window, '{name}', {refuse})")


@pytest.mark.parametrize("first", (True, False), ids=("first load", "navigation"))
def test_matrix_storage_is_blocked(tab: Tab, product: Product, faults: Faults, first: bool) -> None:
    block_storage(tab)
    tab.open(TARGET if first else "/")
    if not first:
        tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    tab.follow("/contact-us?x")
    tab.expect_shown("/contact-us?x", heading(product, "/contact-us"))
    tab.page.go_back()
    tab.expect_shown(TARGET, heading(product, ABOUT))
    assert tab.same_document
    assert tab.documents() == 1


@pytest.mark.parametrize("first", (True, False), ids=("first load", "navigation"))
def test_matrix_offline(timeless: Tab, product: Product, faults: Faults, first: bool) -> None:
    timeless.open(f"/{CLICKED}")
    with faults.offline():
        if first:
            expect(timeless.heading).to_have_text(
                heading(product, "/")
            )  # nothing of an open page goes with the network
        timeless.follow(TARGET)
        wait_until(lambda: alerted_after_a_pause(timeless), "the alert")
        timeless.expect_shown(f"/{CLICKED}", heading(product, "/"))
    assert timeless.same_document
    timeless.alert.locator("[data-retry]").click()
    timeless.expect_shown(TARGET, heading(product, ABOUT))
    assert timeless.same_document
    assert timeless.documents() == 1


def alerted_after_a_pause(tab: Tab) -> bool:
    tab.page.clock.fast_forward(3300)
    return tab.alert.is_visible()


def test_the_published_page_data_has_what_the_loader_goes_by(product: Product) -> None:
    document = product.get("en", ABOUT).text
    data = json.loads(product.get("en", ABOUT_DATA).text)
    assert f'data-build="{data["build"]}"' in document
    assert f'data-shared="{data["shared"]}"' in document
    assert product.get("en", APP_DATA).json() == {"buildHash": data["build"]}
