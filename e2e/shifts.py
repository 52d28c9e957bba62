"""Movement on a page while a visitor reads it: the browser's layout shifts."""

from typing import NamedTuple

from playwright.sync_api import BrowserContext, Page

_WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
        if (hadRecentInput) continue;
        const nodes = sources.map(({ node }) => node);
        window.shifts.push([
            value,
            nodes.map((node) => node && (node.outerHTML ?? node.data).slice(0, 200)),
        ]);
    }
}).observe({ type: 'layout-shift', buffered: true });
"""


class Shift(NamedTuple):
    """One that no input explains."""

    value: float
    """The browser's score: how much of the view moved, times how far."""

    nodes: list[str | None]
    """The beginnings of what moved; none for what styles draw."""


def watch_shifts(of: Page | BrowserContext) -> None:
    """From its next document on."""
    of.add_init_script(_WATCH)


def shifts(page: Page) -> list[Shift]:
    return [Shift(*each) for each in page.evaluate("window.shifts")]


def assert_still(page: Page, limit: float) -> None:
    """``limit`` is for the sum of all scores."""
    seen = shifts(page)
    assert sum(shift.value for shift in seen) < limit, seen
