"""Pages as data over a network that fails: one journey for each thing that can come of it (spec §4, §8).

`web/src/runtime/navigation/navigation.test.ts` checks the results of each answer, the number of requests and their pauses. The tests
have the names of the rows in `docs/page-runtime.md`.
"""

import json

from playwright.sync_api import expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import APP_DATA, CLICKED, NewTab, Tab, data_of, heading

ABOUT = "/about-us"
ABOUT_DATA = data_of(ABOUT)
MISSING = "/not-on-any-chart"
TARGET = f"{ABOUT}{CLICKED}#principles"
LOST = f"{MISSING}{CLICKED}#principles"
STYLES = r"/assets/style-.*\.css"


def test_g03_g05_what_is_missing_or_broken_is_said_in_place_in_the_sites_language(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    tab = new_tab("ae")
    tab.open("/")
    tab.follow(LOST)
    tab.expect_shown(LOST, heading(product, MISSING, "ae"))
    expect(tab.template).to_have_attribute("data-template", "error")
    expect(tab.page.locator("[data-announcer]")).to_contain_text(heading(product, MISSING, "ae"))
    broken = faults.add(ABOUT_DATA, status=500)
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, "/500.html", "ae"))
    faults.remove(broken)
    tab.follow(f"{ABOUT}?again")
    tab.expect_shown(f"{ABOUT}?again", heading(product, ABOUT, "ae"))
    assert tab.same_document
    assert tab.documents() == 1


def test_g07_g70_offline_the_page_stays_and_there_are_two_ways_on(tab: Tab, product: Product, faults: Faults) -> None:
    tab.page.clock.install()
    tab.open(f"/{CLICKED}")
    length = tab.page.evaluate("history.length")
    tab.context.set_offline(True)
    with faults.offline():
        tab.follow(TARGET)
        wait_until(lambda: alerted_after_a_pause(tab), "the alert")
        tab.expect_shown(f"/{CLICKED}", heading(product, "/"))
        expect(tab.bar).to_be_hidden()
        expect(tab.alert.get_by_role("link")).to_have_attribute("href", tab.origin + TARGET)
    tab.context.set_offline(False)
    assert tab.page.evaluate("history.length") == length
    tab.alert.locator("[data-retry]").click()
    tab.expect_shown(TARGET, heading(product, ABOUT))
    expect(tab.alert).to_be_hidden()
    assert tab.same_document
    assert tab.documents() == 1


def alerted_after_a_pause(tab: Tab) -> bool:
    tab.page.clock.fast_forward(3300)
    return tab.alert.is_visible()


def test_g20_g21_a_document_without_its_stylesheet_is_loaded_once_more(
    tab: Tab, product: Product, faults: Faults
) -> None:
    faults.add(STYLES, status=404)
    tab.page.goto(tab.origin + TARGET)
    faults.wait_for(APP_DATA, 2)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    tab.mark()
    tab.follow(f"/contact-us{CLICKED}")
    tab.expect_shown(f"/contact-us{CLICKED}", heading(product, "/contact-us"))
    assert tab.same_document
    assert tab.documents() == 2


def test_the_published_page_data_has_what_the_loader_goes_by(product: Product) -> None:
    document = product.get("en", ABOUT).text
    data = json.loads(product.get("en", ABOUT_DATA).text)
    assert f'data-build="{data["build"]}"' in document
    assert f'data-shared="{data["shared"]}"' in document
    assert product.get("en", APP_DATA).json() == {"buildHash": data["build"]}
