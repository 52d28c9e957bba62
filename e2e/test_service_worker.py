"""The service worker: visited pages are available offline, and are fresh whenever the network answers (spec §9)."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import NewTab, Tab

WORKER = "/sw.js"
OFFLINE = "/offline.html"
ABOUT = "/about-us"
CONTACT = "/contact-us"
UNSEEN = "/privacy-policy"


@pytest.fixture
def new_tab(new_tab: NewTab) -> NewTab:
    """Return the shared fixture with the service worker and prefetch switched on."""
    return partial(new_tab, worker=True, saves_data=False)


def wait_in(page: Page, condition: str) -> None:
    """`condition` may be a promise, which Playwright's own waiting takes for true."""
    wait_until(lambda: bool(page.evaluate(condition)), condition)


def wait_for_worker(page: Page) -> None:
    wait_in(page, "navigator.serviceWorker.ready.then(({active}) => active.state === 'activated')")


def open_with_worker(tab: Tab, path: str = "/") -> None:
    """A visitor whose second page this is: the worker answers for it."""
    tab.open(path)
    wait_for_worker(tab.page)
    tab.open(path)
    assert tab.page.evaluate("navigator.serviceWorker.controller.state") == "activated"


def kept(tab: Tab) -> dict[str, list[str]]:
    """Paths by cache; those of offline pages under `offline`."""
    found: dict[str, list[str]] = tab.page.evaluate(
        """async () => {
            const found = {};
            for (const name of await caches.keys())
                found[name.replace(/^offline-.+/, 'offline')] =
                    (await (await caches.open(name)).keys()).map(({url}) => url.slice(location.origin.length));
            return found;
        }"""
    )
    return found


def wait_until_kept(tab: Tab, path: str, cache: str = "pages") -> None:
    wait_until(lambda: path in kept(tab).get(cache, []), lambda: f"{path} in {cache}: {kept(tab)}")


def heading(product: Product, site: str, path: str) -> str:
    found = re.search("<h1[^>]*>(.*?)</h1>", product.get(site, path).text)
    assert found
    return found[1]


def expect_styled(page: Page) -> None:
    sheets = page.evaluate("[...document.querySelectorAll('link[rel=stylesheet]')].every(({sheet}) => sheet !== null)")
    assert sheets
    assert page.evaluate("document.fonts.ready.then(fonts => [...fonts].some(({status}) => status === 'loaded'))")


def test_offline_what_was_seen_opens_and_the_rest_is_explained(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    site = "ae"  # whose pages have a language and a direction that no default gives them
    tab = new_tab(site)
    open_with_worker(tab)
    wait_until_kept(tab, "/")
    tab.point_and_follow(CONTACT)
    tab.expect_shown(CONTACT, heading(product, site, CONTACT))
    wait_until_kept(tab, CONTACT)
    with faults.offline():
        for path in ("/", CONTACT, f"{CONTACT}?gclid=Cj0K"):
            tab.page.goto(tab.origin + path)
            tab.expect_shown(path, heading(product, site, path))
            expect_styled(tab.page)
        tab.page.goto(tab.origin + UNSEEN)
        tab.expect_shown(UNSEEN, heading(product, site, OFFLINE))
        expect_styled(tab.page)
        lang = product.registry.sites[site].language
        expect(tab.page.locator("html")).to_have_attribute("lang", lang)
        assert tab.page.locator("meta[name=robots]").get_attribute("content") == "noindex"
        tab.page.locator("main a[href='/']").click()
        tab.expect_shown("/", heading(product, site, "/"))
    tab.open(UNSEEN)
    expect(tab.heading).not_to_have_text(heading(product, site, OFFLINE))


def test_r14_a_new_worker_waits_until_all_tabs_are_gone(new_tab: NewTab, faults: Faults) -> None:
    tab = new_tab()
    open_with_worker(tab)
    (old,) = offline_caches(tab.page)
    faults.add(WORKER, spoil=lambda body: re.sub(rb'OFFLINE_PAGE="\w+"', b'OFFLINE_PAGE="newer"', body))
    tab.page.evaluate("navigator.serviceWorker.ready.then(registration => registration.update())")
    wait_in(tab.page, "navigator.serviceWorker.ready.then(({waiting}) => waiting?.state === 'installed')")
    assert tab.same_document
    tab.open(ABOUT)
    assert tab.page.evaluate("navigator.serviceWorker.ready.then(({waiting}) => waiting?.state)") == "installed"
    assert old in offline_caches(tab.page)

    def visit_again() -> bool:
        """The browser puts the new one in place some time after the last tab is gone."""
        tab.page.close()
        tab.page = tab.context.new_page()
        tab.page.goto(tab.origin + "/")
        return offline_caches(tab.page) == ["offline-newer"]

    wait_until(visit_again, "the new worker is in place and the old one's cache is gone")


def offline_caches(page: Page) -> list[str]:
    found: list[str] = page.evaluate("caches.keys().then(keys => keys.filter(key => key.startsWith('offline-')))")
    return found
