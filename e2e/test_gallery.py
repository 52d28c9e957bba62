"""Every example of every block in a real browser with layout: axe's layout rules, and the blocks' behaviour."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from portolan_dev.ports import free_port

from .axe import find_violations
from .faults import LONGEST_WAIT_S, wait_until
from .product import answers
from .seeded import ROOT

pytestmark = pytest.mark.one_worker  # the gallery is written once

PHONE, DESKTOP = 360, 1280
START_LIMIT_S = 120


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where it is served."""
    port = free_port()
    node = Path(sys.executable).parent / "node"
    command = [node, "scripts/gallery.ts", tmp_path_factory.mktemp("gallery"), "--unchecked", "--serve", "--port", port]
    # A script starts the Node of the Python package: ending the script alone leaves Node running.
    process = subprocess.Popen([str(part) for part in command], cwd=ROOT / "web", start_new_session=True)
    try:
        wait_until(
            lambda: answers(f"http://127.0.0.1:{port}/blocks.html") or process.poll() is not None,
            "the gallery is served",
            within_s=START_LIMIT_S,
        )
        assert process.poll() is None, "the gallery could not be written; is there a web build?"
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(LONGEST_WAIT_S)


def open_gallery(browser: Browser, url: str, width: int = 1280, **options: object) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 900}, **options).new_page()  # type: ignore[arg-type]
    page.goto(url)
    return page


@pytest.mark.parametrize(("name", "width", "other"), [("blocks", PHONE, DESKTOP), ("blocks-rtl", DESKTOP, PHONE)])
def test_everybody_can_use_every_example(gallery: str, browser: Browser, name: str, width: int, other: int) -> None:
    """Axe looks at each example once; that nothing is too wide is seen at both widths."""
    page = open_gallery(browser, f"{gallery}/{name}.html", other, reduced_motion="reduce")
    expect(page.locator("main [data-tabs][data-ready]").last).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    violations = find_violations(page, "main", best_practice=False)
    page.context.close()
    assert violations == []


def test_every_example_can_be_read_where_light_grounds_are_dark(gallery: str, browser: Browser) -> None:
    page = open_gallery(browser, f"{gallery}/blocks.html", reduced_motion="reduce", color_scheme="dark")
    expect(page.locator("main [data-tabs][data-ready]").last).to_be_attached()
    lights = page.evaluate(
        """[...document.querySelectorAll('[data-tone="paper"]')].map((part) => getComputedStyle(part).backgroundColor)"""
    )
    assert set(lights) == {"rgb(13, 26, 44)"}
    violations = find_violations(page, "main", rule="color-contrast")
    page.emulate_media(color_scheme="light")
    assert page.locator('[data-tone="paper"]').first.evaluate("part => getComputedStyle(part).colorScheme") == "light"
    page.context.close()
    assert violations == []


def test_every_cropped_picture_keeps_its_focal_point(gallery: str, browser: Browser) -> None:
    """From right to left too, where pictures do not mirror. A logo is shown whole, so it stays in the middle of its box."""
    page = open_gallery(browser, f"{gallery}/blocks-rtl.html")
    # In one call: sorting events and rendering islands replace elements found before.
    positions = page.evaluate(
        """[...document.querySelectorAll('main img')].map((image) => {
            image.dataset.focus = 'x0 x_7 y80';
            const { objectFit, objectPosition } = getComputedStyle(image);
            return [objectFit === 'contain', objectPosition];
        })"""
    )
    page.context.close()
    assert {(whole, position) for whole, position in positions} == {(False, "7% 80%"), (True, "50% 50%")}


def test_a_block_of_texts_becomes_tabs(gallery: str, browser: Browser) -> None:
    """From right to left, where the keys must follow the direction."""
    page = open_gallery(browser, f"{gallery}/blocks-rtl.html")
    block = page.locator("#crews")
    tabs, panels = block.get_by_role("tab"), block.locator("[data-tab]")
    tabs.first.focus()
    for key, chosen in (("ArrowLeft", 1), ("End", 2), ("ArrowLeft", 0), ("ArrowUp", 2), ("Home", 0)):
        page.keyboard.press(key)
        expect(tabs.nth(chosen)).to_be_focused()
        expect(tabs.nth(chosen)).to_have_attribute("aria-selected", "true")
        expect(block.get_by_role("tabpanel")).to_have_count(1)
        expect(panels.nth(chosen)).to_be_visible()
    expect(block.get_by_role("tablist")).to_have_attribute("aria-orientation", "vertical")
    page.emulate_media(media="print")
    for index in range(3):
        expect(panels.nth(index)).to_be_visible()
        expect(panels.nth(index).locator("h3").first).to_be_visible()
    page.context.close()


def test_a_link_leads_to_one_of_the_tabs(gallery: str, browser: Browser) -> None:
    page = open_gallery(browser, f"{gallery}/blocks.html#crews-3", 360)
    expect(page.locator("#crews-3")).to_be_in_viewport()
    expect(page.locator("#crews-1")).to_be_hidden()
    assert page.locator("#crews-3").evaluate("panel => panel.getBoundingClientRect().top") < 200
    page.evaluate("location.hash = 'crews-2'")
    expect(page.locator("#crews-2")).to_be_in_viewport()
    expect(page.locator("#crews").get_by_role("tablist")).to_have_attribute("aria-orientation", "horizontal")
    page.context.close()


def test_without_scripts_all_texts_are_there(gallery: str, browser: Browser) -> None:
    page = open_gallery(browser, f"{gallery}/blocks.html", java_script_enabled=False)
    for number in (1, 2, 3):
        expect(page.locator(f"#crews-{number} > h3")).to_be_visible()
    expect(page.locator("#crews").get_by_role("tab")).to_have_count(0)
    page.context.close()


STATES = "strip => [...strip.querySelectorAll('ul')].flatMap((ul) => ul.getAnimations().map((one) => one.playState))"


def test_moving_words_can_be_stopped(gallery: str, browser: Browser) -> None:
    page = open_gallery(browser, f"{gallery}/blocks.html")
    switch = page.get_by_role("checkbox", name="Stop the movement").first
    strip = page.locator("label:has(input) + div:has([aria-hidden])").first
    assert strip.evaluate(STATES) == ["running", "running"]
    widths = strip.evaluate("strip => [...strip.children].map((ul) => ul.offsetWidth)")
    assert widths[0] == widths[1] >= 1280, "where the first has gone past, the second stands where it began"
    strip.hover()
    assert strip.evaluate(STATES) == ["paused", "paused"]
    page.mouse.move(0, 0)
    assert strip.evaluate(STATES) == ["running", "running"]
    switch.focus()
    page.keyboard.press("Space")
    switch.blur()
    assert strip.evaluate(STATES) == ["paused", "paused"]
    page.context.close()


def test_words_stand_still_for_whoever_wants_that(gallery: str, browser: Browser) -> None:
    page = open_gallery(browser, f"{gallery}/blocks.html", 360, reduced_motion="reduce")
    strip = page.locator("label:has(input) + div:has([aria-hidden])").first
    assert strip.evaluate(STATES) == []
    expect(strip.locator("[aria-hidden]")).to_be_hidden()
    words = strip.locator("ul").first.locator("li").all()
    assert words
    for word in words:
        box = word.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 360, "every word is in sight"
    expect(page.get_by_role("checkbox", name="Stop the movement")).to_have_count(0)
    page.context.close()


@pytest.mark.parametrize("width", [DESKTOP, 900, PHONE])
def test_figures_stand_where_they_will_before_all_have_come(gallery: str, browser: Browser, width: int) -> None:
    """A page comes in parts, and one may end within a list."""
    page = open_gallery(browser, f"{gallery}/blocks.html", width)
    lists = page.locator("main dl[data-count]")
    assert sorted({int(each.get_attribute("data-count") or 0) for each in lists.all()}) == [1, 4]
    moved = lists.evaluate_all(
        """(lists) => lists.flatMap((list) => {
            const places = () => [...list.children].map((each) => each.getBoundingClientRect().x);
            const all = places();
            const moved = [];
            while (list.childElementCount > 1) {
                list.lastElementChild.remove();
                places().forEach((x, at) => x === all[at] || moved.push([list.childElementCount, at, x, all[at]]));
            }
            return moved;
        })"""
    )
    page.context.close()
    assert moved == []
