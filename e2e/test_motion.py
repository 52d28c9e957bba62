"""Motion that explains: opening, leaving and entering elements, in a browser whose animations are paused by the test."""

from playwright.sync_api import Locator, expect

from .faults import wait_until
from .product import Product
from .tabs import NewTab, Tab, heading

CASES = "/project-cases"
CASE = "/project-cases/northwind-port-authority"
PHONE = {"width": 375, "height": 800}


class Speed:
    """The speed of all animations in a tab: a hundredth at first, so that 250 ms take 25 s."""

    def __init__(self, tab: Tab) -> None:
        self._session = tab.context.new_cdp_session(tab.page)
        self._session.send("Animation.enable")
        self.slow()

    def slow(self) -> None:
        self._session.send("Animation.setPlaybackRate", {"playbackRate": 0.01})

    def normal(self) -> None:
        self._session.send("Animation.setPlaybackRate", {"playbackRate": 1})


def moving(tab: Tab) -> set[str]:
    """The parts of the view transition that is on its way, by name."""
    parts = """document.getAnimations().map(({ effect }) => effect.pseudoElement ?? '')
        .filter((name) => name.startsWith('::view-transition-group')).map((name) => name.slice(24, -1))"""
    return set(tab.page.evaluate(parts))


def wait_for_transition(tab: Tab) -> None:
    wait_until(lambda: "root" in moving(tab), "one view blends into the next")


def named(tab: Tab) -> Locator:
    return tab.page.locator("main img[style*='view-transition-name: cover']")


def test_the_picture_of_a_card_becomes_the_cover_and_goes_back_to_its_card(new_tab: NewTab, product: Product) -> None:
    tab = new_tab(motion=True)
    tab.open(CASES)
    speed = Speed(tab)
    tab.page.locator(f"main li a[href='{CASE}']").click()
    wait_for_transition(tab)
    assert moving(tab) == {"root", "cover"}
    expect(named(tab)).to_have_attribute("fetchpriority", "high")
    tab.expect_shown(CASE, heading(product, CASE))
    speed.normal()
    expect(named(tab)).to_have_count(0)
    speed.slow()
    tab.page.go_back()
    wait_for_transition(tab)
    assert moving(tab) == {"root", "cover"}
    expect(named(tab)).to_have_count(1)
    tab.expect_shown(CASES, heading(product, CASES))
    speed.normal()
    expect(named(tab)).to_have_count(0)
    speed.slow()
    tab.follow("/contact-us")
    wait_for_transition(tab)
    assert moving(tab) == {"root"}, "a link of the frame has no picture"


def test_nothing_moves_for_who_asks_for_stillness(new_tab: NewTab, product: Product) -> None:
    tab = new_tab()
    tab.page.set_viewport_size(PHONE)
    tab.open(CASES)
    Speed(tab)
    burger, menu = tab.page.locator("[data-burger]"), tab.page.locator("[data-menu]")
    burger.click()
    box = menu.bounding_box()
    assert box
    assert box["x"] == 0
    burger.click()
    assert not menu.is_visible()
    tab.page.locator(f"main li a[href='{CASE}']").click()
    tab.expect_shown(CASE, heading(product, CASE))
    assert moving(tab) == set()
