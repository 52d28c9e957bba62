"""The service worker's copies and updates on slow, broken and changing networks (spec §8, §9)."""

import re
from functools import partial

import pytest

from portolan.publisher.web_build import load_web_build
from tests.processes import SLOWER

from .faults import Faults, wait_until
from .product import ROOT, Product
from .tabs import APP_DATA, NewTab, Tab, data_of
from .test_service_worker import (
    ABOUT,
    CONTACT,
    OFFLINE,
    UNSEEN,
    WORKER,
    expect_styled,
    heading,
    kept,
    open_with_worker,
    wait_for_worker,
    wait_in,
    wait_until_kept,
)

SLOWER_THAN_THE_LIMIT_S = 2 * SLOWER
SCRIPT = "text/javascript"


@pytest.fixture
def new_tab(new_tab: NewTab) -> NewTab:
    """Return the shared fixture with the service worker and prefetch switched on."""
    return partial(new_tab, worker=True, saves_data=False)


def test_a_site_has_a_worker_that_begins_with_the_next_document(new_tab: NewTab, product: Product) -> None:
    reply = product.get("en", WORKER)
    assert reply.headers["content-type"] == "text/javascript; charset=utf-8"
    assert reply.headers["cache-control"] == "public, max-age=0, must-revalidate"
    tab = new_tab()
    tab.open("/")
    wait_for_worker(tab.page)
    assert tab.page.evaluate("navigator.serviceWorker.controller") is None
    assert tab.page.evaluate("navigator.serviceWorker.ready.then(({scope}) => scope)") == f"{tab.origin}/"
    tab.open("/")
    script = tab.page.evaluate("navigator.serviceWorker.controller.scriptURL")
    assert script == tab.origin + WORKER


def test_the_first_page_of_a_visit_is_there_too(new_tab: NewTab, product: Product, faults: Faults) -> None:
    tab = new_tab()
    tab.open(ABOUT)
    wait_for_worker(tab.page)
    wait_until_kept(tab, ABOUT)
    with faults.offline():
        tab.page.goto(tab.origin + ABOUT)
        tab.expect_shown(ABOUT, heading(product, "en", ABOUT))
        expect_styled(tab.page)


def test_a_network_that_does_not_answer_is_not_waited_for_where_there_is_a_copy(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    tab = new_tab()
    open_with_worker(tab, ABOUT)
    open_with_worker(tab)
    tab.point_and_follow(CONTACT)
    tab.expect_shown(CONTACT, heading(product, "en", CONTACT))
    wait_until_kept(tab, data_of(CONTACT), "page-data")
    with faults.hold(ABOUT), faults.hold(data_of(CONTACT)):
        tab.page.goto(tab.origin + ABOUT)
        tab.expect_shown(ABOUT, heading(product, "en", ABOUT))
        tab.mark()
        tab.point_and_follow(CONTACT)
        tab.expect_shown(CONTACT, heading(product, "en", CONTACT))


@pytest.mark.parametrize("as_data", [False, True], ids=["document", "data"])
def test_a_returning_visitor_on_a_slow_line_sees_an_old_page_once(
    new_tab: NewTab, product: Product, faults: Faults, as_data: bool
) -> None:
    """Every answer comes after the worker's time limit. It still replaces the copy, so the next visit shows it."""
    address, cache = (data_of(CONTACT), "page-data") if as_data else (CONTACT, "pages")
    old, new = heading(product, "en", CONTACT), "Write to the new harbour"
    tab = new_tab()

    def visit() -> None:
        if as_data:
            tab.point_and_follow(CONTACT)
        else:
            tab.page.goto(tab.origin + CONTACT)

    open_with_worker(tab)
    visit()
    wait_until_kept(tab, address, cache)
    faults.add(
        address,
        spoil=lambda body: body.replace(old.encode(), new.encode()),
        headers={"cache-control": "public, max-age=0, must-revalidate"},
    )
    for shown in (old, new):
        tab.open("/")
        with faults.hold(CONTACT), faults.hold(data_of(CONTACT)):
            visit()
            tab.expect_shown(CONTACT, shown)
        wait_until(partial(copy_has, tab, cache, address, new), f"{address} has been replaced")


def copy_has(tab: Tab, cache: str, path: str, text: str) -> bool:
    found: bool = tab.page.evaluate(
        """async ([cache, path, text]) => {
            const copy = await (await caches.open(cache)).match(path);
            return copy !== undefined && (await copy.text()).includes(text);
        }""",
        [cache, path, text],
    )
    return found


def test_a_slow_network_is_waited_for_where_there_is_no_copy(new_tab: NewTab, product: Product, faults: Faults) -> None:
    tab = new_tab()
    open_with_worker(tab)
    faults.add(UNSEEN, delay_s=SLOWER_THAN_THE_LIMIT_S)
    tab.page.goto(tab.origin + UNSEEN)
    tab.expect_shown(UNSEEN, heading(product, "en", UNSEEN))


def test_only_what_is_the_site_s_own_and_for_reading_is_kept(new_tab: NewTab, product: Product, faults: Faults) -> None:
    tab = new_tab()
    open_with_worker(tab)
    wait_until_kept(tab, "/")
    picture = tab.page.locator("main img").first.evaluate("image => new URL(image.currentSrc).pathname")
    tab.page.evaluate(
        """async picture => {
            await fetch('/api/content/offices');
            await fetch('/about-us', { method: 'HEAD' });
            await fetch('/favicon.svg');
            await fetch('/page-data/app-data.json');
            await fetch('/page-data/about-us/page-data.json?gclid=Cj0K');
            await fetch(`${picture}?part`, { headers: { range: 'bytes=0-9' } });
            await fetch('/nowhere');
        }""",
        picture,
    )
    tab.page.goto(tab.origin + "/nowhere")
    tab.open("/")
    wait_until_kept(tab, picture, "pictures")
    found = kept(tab)
    assert set(found) == {"assets", "pages", "page-data", "pictures", "offline"}
    assert all(path.startswith(("/assets/", "/page-data/sq/d/")) for path in found["assets"])
    assert found["pages"] == ["/"]
    # Pages of links on the screen are loaded after a while, too.
    assert data_of(ABOUT) in found["page-data"]
    assert all(path.endswith("/page-data.json") for path in found["page-data"]), "no query, and no shared data"
    assert all(path.startswith("/media/") and "?" not in path for path in found["pictures"])
    document = product.get("en", "/").text
    styles = re.findall(r'rel="stylesheet" href="([^"]+)"', document)
    assert styles and set(styles) <= set(found["assets"]) and set(styles) <= set(found["offline"])
    assert OFFLINE in found["offline"]


def test_a_page_that_is_gone_is_not_kept(new_tab: NewTab, faults: Faults) -> None:
    tab = new_tab()
    open_with_worker(tab, ABOUT)
    wait_until_kept(tab, ABOUT)
    faults.add(ABOUT, status=404, body="gone", headers={"content-type": "text/html"})
    tab.page.goto(tab.origin + ABOUT)
    wait_until(lambda: ABOUT not in kept(tab)["pages"], lambda: f"{kept(tab)}")


def test_r14_a_new_build_drops_the_pages_of_the_old_one_and_loads_once(new_tab: NewTab, faults: Faults) -> None:
    tab = new_tab()
    open_with_worker(tab, ABOUT)
    wait_until_kept(tab, ABOUT)
    open_with_worker(tab)
    faults.requests.clear()
    faults.add(APP_DATA, edit=lambda data: {"buildHash": "f" * 32})
    tab.page.goto(tab.origin + "/")
    wait_until(lambda: faults.count("/", dest="document") == 2, lambda: f"{faults.asked('/')}")
    faults.wait_for(APP_DATA, 2)
    wait_until(lambda: ABOUT not in kept(tab).get("pages", []), lambda: f"{kept(tab)}")
    tab.page.evaluate("new Promise(resolve => setTimeout(resolve))")
    assert faults.count("/", dest="document") == 2


def test_r14_switched_off_it_goes_and_takes_all_it_kept_along(new_tab: NewTab, faults: Faults) -> None:
    tab = new_tab()
    open_with_worker(tab)
    wait_until_kept(tab, "/")
    tab.page.evaluate(
        "new Promise(resolve => { indexedDB.open('not-the-worker-s').onsuccess = ({target}) => resolve(target.result.close()) })"
    )
    web = load_web_build(ROOT / "web" / "dist")
    faults.add(WORKER, status=200, body=web.service_workers["off"], headers={"content-type": SCRIPT})
    faults.add("/", spoil=lambda body: body.replace(b'"serviceWorker":true', b'"serviceWorker":false'))
    tab.open("/")
    wait_in(tab.page, "navigator.serviceWorker.getRegistration().then(registration => !registration)")
    wait_in(tab.page, "caches.keys().then(names => names.length === 0)")
    wait_in(
        tab.page,
        "indexedDB.databases().then(found => JSON.stringify(found.map(({name}) => name)) === '[\"not-the-worker-s\"]')",
    )
    assert tab.same_document
    asked = faults.count(WORKER)
    tab.open("/")
    assert tab.page.evaluate("navigator.serviceWorker.controller") is None
    assert faults.count(WORKER) == asked


def test_a_worker_that_cannot_be_registered_is_one_line_in_the_log(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    faults.add(WORKER, status=500)
    tab = new_tab()
    with tab.page.expect_console_message(lambda line: line.type == "warning") as told:
        tab.open("/")
    assert "no service worker" in told.value.text
    tab.point_and_follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, "en", ABOUT))
    assert tab.same_document
