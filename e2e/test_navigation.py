"""From page to page without a document: address, history, focus, speech, scroll, the loading bar (spec §4, §9).

One journey for each thing a visitor notices; the rules are held by `web/src/runtime/navigation/navigation.test.ts`. Tests are named by the rows of `docs/page-runtime.md`.
"""

import pytest
from playwright.sync_api import expect

from .faults import Faults, wait_until
from .product import Product
from .tabs import CLICKED, NewTab, Tab, data_of, heading

ABOUT = "/about-us"
CONTACT = "/contact-us"
TARGET = f"{ABOUT}{CLICKED}#principles"


def scroll_of(tab: Tab) -> int:
    height: float = tab.page.evaluate("scrollY")
    return round(height)


def scroll_to(tab: Tab, height: int) -> None:
    tab.page.evaluate("height => scrollTo({ top: height, behavior: 'instant' })", height)
    wait_until(lambda: scroll_of(tab) == height, f"scrolled to {height}")


def expect_scroll(tab: Tab, height: int) -> None:
    wait_until(lambda: abs(scroll_of(tab) - height) <= 1, lambda: f"scrolled to {height}, is at {scroll_of(tab)}")


def test_the_head_is_the_other_pages(tab: Tab, product: Product) -> None:
    read_head = """() => ({
        title: document.title,
        meta: [...document.querySelectorAll('meta[name=description],meta[name=robots],meta[property^="og:"]')]
            .map((meta) => [meta.getAttribute('name') ?? meta.getAttribute('property'), meta.content]).sort(),
        links: [...document.querySelectorAll('link[rel=canonical],link[rel=alternate]')]
            .map((link) => [link.rel, link.hreflang, link.href]).sort(),
        current: [...new Set([...document.querySelectorAll('[aria-current=page]')].map((link) => link.pathname))],
        header: document.querySelector('[data-header]').hasAttribute('data-transparent'),
        switcher: [...document.querySelectorAll('[data-switcher] a')].map((link) => link.href),
        template: document.querySelector('main').dataset.template,
    })"""
    for path in ("/project-cases", "/"):
        tab.open(path)
        loaded = tab.page.evaluate(read_head)
        tab.open("/events")
        tab.page.evaluate("path => { navigation.navigate(path) }", path)
        tab.expect_shown(path, heading(product, path))
        assert tab.page.evaluate(read_head) == loaded
        assert tab.same_document


def test_g30_g50_the_bar_comes_after_a_second_and_goes_with_the_page(
    new_tab: NewTab, product: Product, faults: Faults
) -> None:
    tab = new_tab("ae")
    clock = tab.page.clock
    clock.install()
    tab.open("/")
    clock.pause_at(tab.page.evaluate("Date.now() + 60000"))
    with faults.hold(data_of(ABOUT)):
        tab.follow(ABOUT)
        faults.wait_for(data_of(ABOUT))
        clock.run_for(990)
        expect(tab.bar).to_be_hidden()
        clock.run_for(30)
        expect(tab.bar).to_be_visible()
        expect(tab.page.locator("[data-announcer]")).to_have_text(tab.bar.get_attribute("data-loading") or "?")
        drawn = [part_of_bar(tab, ms) for ms in (0, 200, 400, 600, 800, 1000, 1200, 60_000)]
        assert drawn == pytest.approx([0.08, 0.18, 0.28, 0.32, 0.36, 0.40, 0.44, 0.995], abs=0.001)
        part_of_bar(tab, 200)
        box = tab.bar.bounding_box()
        assert box
        assert (round(box["x"] + box["width"]), round(box["y"])) == (1280, 0)  # begins where reading begins
        expect(tab.bar).to_have_css("background-color", "rgb(255, 219, 0)")
    tab.expect_shown(ABOUT, heading(product, ABOUT, "ae"))
    expect(tab.bar).to_be_hidden()


def part_of_bar(tab: Tab, ms: int) -> float:
    """How much of the window's width the bar has, so long after it came."""
    style = """(bar, ms) => {
        const [animation] = bar.getAnimations();
        animation.pause();
        animation.currentTime = ms;
        return parseFloat(getComputedStyle(bar).scale);
    }"""
    return float(tab.bar.evaluate(style, ms))


def test_g40_the_new_page_is_announced_and_the_focus_stands_where_reading_begins(
    new_tab: NewTab, product: Product
) -> None:
    tab = new_tab("ae")
    tab.open("/")
    tab.point_and_follow(ABOUT)
    spoken = tab.page.locator("[data-announcer]")
    expect(spoken).to_have_text(f"تم الانتقال إلى {heading(product, ABOUT, 'ae')}")
    expect(spoken).to_have_attribute("role", "status")
    expect(tab.page.locator("main")).to_be_focused()
    tab.follow(CONTACT)
    tab.expect_at(CONTACT)
    tab.link(TARGET).focus()
    tab.page.keyboard.press("Enter")
    tab.expect_shown(TARGET, heading(product, ABOUT, "ae"))
    section = tab.page.locator("#principles")
    expect(section).to_be_focused()
    expect(section).to_be_in_viewport()
    tab.page.keyboard.press("Tab")
    after = tab.page.evaluate(
        """() => {
            const section = document.getElementById('principles');
            const place = section.compareDocumentPosition(document.activeElement);
            return Boolean(place & (Node.DOCUMENT_POSITION_CONTAINED_BY | Node.DOCUMENT_POSITION_FOLLOWING));
        }"""
    )
    assert after
    assert tab.same_document


def test_g41_g74_scroll_is_kept_for_each_page_and_a_hash_wins(new_tab: NewTab, product: Product) -> None:
    tab = new_tab(motion=True)
    tab.open(ABOUT)
    scroll_to(tab, 900)
    tab.follow(CONTACT)
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    expect_scroll(tab, 0)
    scroll_to(tab, 200)
    tab.page.go_back()
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    expect_scroll(tab, 900)
    tab.page.go_forward()
    tab.expect_shown(CONTACT, heading(product, CONTACT))
    expect_scroll(tab, 200)
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    wait_until(
        lambda: abs(tab.page.evaluate("document.getElementById('principles').getBoundingClientRect().top")) < 200,
        "the section is at the top",
    )
    assert abs(scroll_of(tab) - 900) > 1
    tab.follow(f"{CONTACT}?again")
    tab.expect_at(f"{CONTACT}?again")
    expect_scroll(tab, 0)
    assert tab.same_document


def test_g72_the_click_that_brings_code_of_a_page_that_came_is_not_lost(tab: Tab, faults: Faults) -> None:
    tab.open("/")
    tab.follow(ABOUT)
    choices = tab.page.locator("main [role=group]").get_by_role("button")
    with faults.hold(r"/assets/filter-offices-.*\.js"):
        choices.nth(1).click()
        faults.wait_for(r"/assets/filter-offices-.*\.js")
        expect(choices.nth(1)).not_to_have_attribute("aria-pressed", "true")
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    tab.follow(CONTACT)
    tab.expect_at(CONTACT)
    tab.page.go_back()
    expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    choices.nth(2).click()
    expect(choices.nth(2)).to_have_attribute("aria-pressed", "true")
    assert tab.same_document


def test_menus_close_with_the_page_they_were_opened_on(tab: Tab, product: Product) -> None:
    tab.page.set_viewport_size({"width": 420, "height": 800})
    tab.open("/")
    tab.page.locator("[data-burger]").click()
    menu = tab.page.locator("[popover]:popover-open, dialog[open]").first
    expect(menu).to_be_visible()
    tab.follow(ABOUT)
    tab.expect_shown(ABOUT, heading(product, ABOUT))
    expect(tab.page.locator("[popover]:popover-open, dialog[open]")).to_have_count(0)
    scroll_to(tab, 300)
