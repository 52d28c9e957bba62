"""Navigation with quick changes of page, in a browser without part of the API, and behind a proxy that shortens documents."""

import re

from playwright.sync_api import expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import NewTab, Tab, data_of, heading
from .test_navigation import ABOUT, CONTACT, TARGET


def test_g26_two_names_are_global_one_for_tags_and_one_for_people(tab: Tab) -> None:
    names = "Object.keys(window)"
    tab.page.goto(tab.origin + "/robots.txt")
    without = set(tab.page.evaluate(names))
    tab.open("/")
    tab.follow(ABOUT)
    tab.expect_at(ABOUT)
    of_others = {"sameDocument", "portolanDemo"}  # the test's, and the deferred scripts' that follow the change of page
    assert set(tab.page.evaluate(names)) - without - of_others <= {"dataLayer", "portolan"}


def test_g31_what_asks_for_something_else_than_this_tab_is_the_browsers(
    tab: Tab, product: Product, faults: Faults
) -> None:
    tab.open("/")
    link = tab.link(TARGET)
    with tab.context.expect_page() as opened:
        link.click(modifiers=["Control"])
    expect(opened.value).to_have_url(tab.origin + TARGET)
    opened.value.close()
    link.evaluate("link => link.setAttribute('target', '_blank')")
    with tab.context.expect_page() as opened:
        link.click()
    expect(opened.value).to_have_url(tab.origin + TARGET)
    opened.value.close()
    link.evaluate("link => { link.removeAttribute('target'); link.setAttribute('download', '') }")
    with tab.page.expect_download():
        link.click()
    link.evaluate("link => link.removeAttribute('download')")
    link.evaluate("link => link.addEventListener('click', (event) => event.preventDefault(), { once: true })")
    link.click()
    tab.expect_shown("/", heading(product, "/"))
    assert tab.same_document
    tab.follow("/robots.txt?x")
    tab.expect_at("/robots.txt?x")
    assert not tab.same_document


def test_g74_quick_changes_of_page_leave_the_last_one_whole(new_tab: NewTab, product: Product) -> None:
    tab = new_tab(motion=True)
    tab.open("/")
    addresses = (ABOUT, CONTACT, "/events", "/project-cases", TARGET)
    for address in addresses:
        tab.follow(address)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    expect(tab.page.locator("#principles")).to_be_focused()
    expect(tab.page.locator("#principles")).to_be_in_viewport()
    assert tab.page.title() == tab.page.evaluate(
        "fetch('/page-data/about-us/page-data.json').then((answer) => answer.json()).then(({ head }) => head.title)"
    )
    for path in (CONTACT, "/events"):
        tab.follow(path)
        tab.expect_shown(path, heading(product, path))
    tab.page.evaluate("() => { history.back(); history.back(); history.forward(); }")
    wait_until(lambda: tab.heading.inner_text() == heading(product, tab.address), "address and page agree")
    tab.page.evaluate(
        "() => new Promise((done) => { navigation.traverseTo(navigation.entries()[0].key).finished.then(done, done) })"
    )
    wait_until(lambda: tab.address == "/" and tab.heading.inner_text() == heading(product, "/"), "home again")
    assert tab.same_document


def test_a_browser_that_cannot_wait_with_the_address_loads_documents(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    """As Safari 26.2: the Navigation API is there, handlers before the commit are not."""
    tab = new_tab()
    tab.context.add_init_script(
        """delete window.NavigationPrecommitController;
        const { intercept } = NavigateEvent.prototype;
        NavigateEvent.prototype.intercept = function ({ precommitHandler, ...options }) {
            window.intercepted = true;
            intercept.call(this, options);
        };"""
    )
    tab.open("/")
    tab.point_and_follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert not tab.same_document
    assert tab.documents(ABOUT) == 1
    faults.add("/contact-us", status=503, body="<h1>Busy</h1>", headers={"content-type": "text/html"})
    tab.follow("/contact-us")
    tab.expect_at("/contact-us")
    expect(tab.page.locator("h1")).to_have_text("Busy")
    tab.page.go_back()
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    assert tab.page.evaluate("window.intercepted") is None
    assert faults.count(data_of(ABOUT)) + faults.count(data_of("/contact-us")) == 0


def test_the_heading_is_seen_though_a_proxy_drops_the_empty_elements(tab: Tab, faults: Faults) -> None:
    empty = re.compile(rb'<span class="\w+" hidden=""></span>')
    dropped: list[int] = []

    def shorten(body: bytes) -> bytes:
        shorter, times = empty.subn(b"", body)
        dropped.append(times)
        return shorter

    faults.add("/", spoil=shorten)
    tab.open("/")
    expect(tab.heading).to_be_visible()
    assert dropped[0] > 0
