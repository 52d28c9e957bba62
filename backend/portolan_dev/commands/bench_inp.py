"""``portolan bench-inp``: measure how fast pages respond to input (Interaction to Next Paint) on a slow CPU."""

import os
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from portolan.config.env import env

from ..bench.production import ENVIRONMENT, publish, serve
from ..short_form import short_form

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_PHONE: Final = {"width": 390, "height": 844}
_DESKTOP: Final = {"width": 1280, "height": 900}
_SETTLED_MS: Final = 700
"""Wait after each step, until its paint is reported."""
_SHORTEST_MS: Final = 16
"""Browsers do not report shorter interactions."""
_WATCH: Final = """() => {
    window.slowest = 0;
    new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries())
            if (interactionId > 0) window.slowest = Math.max(window.slowest, duration);
    }).observe({ type: 'event', durationThreshold: 16 });
}"""


class Journey(NamedTuple):
    """``steps``: actions by name. Each starts from the page as the previous one left it."""

    path: str
    viewport: Mapping[str, int]
    steps: Mapping[str, Callable[["Page"], None]]


def _tap(selector: str, place: int = 0) -> Callable[["Page"], None]:
    return lambda page: page.locator(selector).locator("visible=true").nth(place).click()


def _type(selector: str, text: str) -> Callable[["Page"], None]:
    def type_in(page: "Page") -> None:
        page.locator(selector).first.focus()
        page.keyboard.type(text)

    return type_in


JOURNEYS: Final = (
    Journey(
        "/",
        _PHONE,
        {
            "a choice about cookies": _tap("section[data-consent-theme] [data-consent-choice]"),
            "the mobile menu": _tap("[data-burger]"),
            "a panel of it": _tap("[data-menu] button[aria-controls]"),
            "the way back": _tap("[data-panel] [data-back]"),
            "out of the menu": _tap("[data-burger]"),
            "an answer": _tap("main details > summary"),
            "more reviews": _tap("main [data-more-reviews]"),
            "the next page": _tap("main section p > a:has(svg)"),
        },
    ),
    Journey(
        "/services/web-development",
        _DESKTOP,
        {
            "a choice about cookies": _tap("section[data-consent-theme] [data-consent-choice]"),
            "a sub-menu": _tap("[data-menu] button[aria-controls]"),
            "another sub-menu": _tap("[data-menu] button[aria-controls]", 1),
            "out of the menu": lambda page: page.keyboard.press("Escape"),
            "the languages": _tap("[data-switcher] > summary"),
            "an anchor": _tap("[data-anchor-menu] a", 2),
        },
    ),
    Journey(
        "/about-us",
        _PHONE,
        {
            "a choice about cookies": _tap("section[data-consent-theme] [data-consent-choice]"),
            "offices of a kind": _tap("main [data-office-filter] button, main [role=group] button", 1),
            "a list in the page": _tap("main details > summary"),
        },
    ),
    Journey(
        "/project-cases",
        _PHONE,
        {
            "a choice about cookies": _tap("section[data-consent-theme] [data-consent-choice]"),
            "case studies of a kind": _tap("main [data-island] ul a", 1),
            "a case study": _tap("main li a[href^='/project-cases/']"),
        },
    ),
    Journey(
        "/company/insights",
        _PHONE,
        {
            "a choice about cookies": _tap("section[data-consent-theme] [data-consent-choice]"),
            "more news": _tap("main [data-more-news]"),
        },
    ),
    Journey(
        "/contact-us",
        _PHONE,
        {
            "a choice about cookies": _tap("section[data-consent-theme] [data-consent-choice]"),
            "a name": _type("main form input[autocomplete=name]", "Ada"),
            "a message": _type("main form textarea", "We have a port"),
            "sent too soon": _tap("main form button[type=submit]"),
        },
    ),
)


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--site", default="en", show_default=True)
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1, 50))
@click.option("--slowdown", default=4, show_default=True, type=click.IntRange(1, 20), help="Factor for the CPU.")
@click.option("--compress/--no-compress", default=True, help="Create the best compressed copies first.")
@short_form(paths=["/contact-us"], runs=1, compress=False)
def command(paths: Sequence[str], site: str, runs: int, slowdown: int, compress: bool) -> None:
    """Measure the time from an input to the next paint.

    Each journey starts with an empty profile, so scripts are loaded at their first use. Steps without an element on the
    site are listed.
    """
    from playwright.sync_api import sync_playwright
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    chromium = os.environ.get("PORTOLAN_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise click.ClickException("Chromium is not installed. Run apt-get install chromium, or set PORTOLAN_CHROMIUM.")
    if site not in env().registry.sites:
        raise click.ClickException(f"There is no site {site!r}.")
    if unknown := {*paths} - {journey.path for journey in JOURNEYS}:
        known = ", ".join(journey.path for journey in JOURNEYS)
        raise click.ClickException(f"There is no journey on {min(unknown)}. Journeys: {known}.")
    journeys = [journey for journey in JOURNEYS if not paths or journey.path in paths]
    found: dict[tuple[str, str], list[float]] = {}
    visits: list[float] = []
    with tempfile.TemporaryDirectory(prefix="portolan-bench-") as name:
        folder = Path(name)
        with console.status("Publishing for production …"):
            publish(folder, [site], compress)
        with serve(folder) as port, sync_playwright() as playwright:
            origin = env().registry.sites[site].origin(ENVIRONMENT, port)
            rules = f"--host-resolver-rules=MAP * 127.0.0.1:{port}"
            flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", rules]
            browser = playwright.chromium.launch(executable_path=chromium, args=flags)
            for run in range(runs):
                for journey in journeys:
                    with console.status(f"{journey.path}, run {run + 1} of {runs} …"):
                        took = dict(_go(browser, origin, journey, slowdown))
                        visits.append(max(took.values()))
                        for step, ms in took.items():
                            found.setdefault((journey.path, step), []).append(ms)
            browser.close()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "", "p75 ms", "worst ms"):
        table.add_column(column, justify="left" if not column else "right")
    for (path, step), durations in found.items():
        table.add_row(path, step, f"{p75(durations):.0f}", f"{max(durations):.0f}")
    everything = [ms for durations in found.values() for ms in durations]
    table.add_row("all", "", f"{p75(everything):.0f}", f"{max(everything):.0f}")
    table.add_row("INP", "the slowest of each visit", f"{p75(visits):.0f}", f"{max(visits):.0f}")
    console.print(
        f"From input to paint, CPU {slowdown} times slower, {runs} runs. Less than {_SHORTEST_MS} ms counts as {_SHORTEST_MS} ms"
    )
    console.print(table)
    for journey in journeys:
        for step in journey.steps:
            if (journey.path, step) not in found:
                console.print(f"[yellow]{journey.path} has no element for: {step}[/]")


def p75(durations: Sequence[float]) -> float:
    """Return the 75th percentile, as in browsers' field data."""
    return durations[0] if len(durations) == 1 else statistics.quantiles(durations, n=4, method="inclusive")[2]


def _go(browser: "Browser", origin: str, journey: Journey, slowdown: int) -> Iterator[tuple[str, float]]:
    from playwright.sync_api import TimeoutError

    with _open(browser, origin + journey.path, journey.viewport, slowdown) as page:
        for step, do in journey.steps.items():
            page.evaluate("window.slowest = 0")
            with suppress(TimeoutError):
                do(page)
                page.wait_for_timeout(_SETTLED_MS)
                yield step, max(page.evaluate("window.slowest"), _SHORTEST_MS)


@contextmanager
def _open(browser: "Browser", address: str, viewport: Any, slowdown: int) -> Iterator["Page"]:
    context = browser.new_context(viewport=viewport, ignore_https_errors=True, service_workers="block")
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(address)
    page.evaluate(_WATCH)
    page.wait_for_timeout(1500)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    yield page
    context.close()
