"""``portolan bench-pages``: run Lighthouse on published pages, as in the production environment."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from portolan.builds.compress import Compressor
from portolan.config.env import env

from ..bench.production import ENVIRONMENT, beside_python, publish, serve
from ..bench.twin import add_twins, twin_path
from ..short_form import short_form

_LIGHTHOUSE: Final = Path(__file__).parents[1] / "bench" / "lighthouse"
_PAGES: Final = (
    "en/",
    "en/services/web-development",
    "en/project-cases/northwind-port-authority",
    "en/company/insights/a-budget-in-bytes-to-take-away",
    "en/contact-us",
    "ae/",
    "ae/services/web-development",
    "ae/industries/financial-services",
    "ae/about-us",
    "ae/contact-us",
)
"""The Arabic site has no case studies or articles, so it has other pages here."""
_CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
_MEASURES: Final = {
    "FCP": "first-contentful-paint",
    "LCP": "largest-contentful-paint",
    "TBT": "total-blocking-time",
    "CLS": "cumulative-layout-shift",
    "SI": "speed-index",
    "bytes": "total-byte-weight",
}
_TASK: Final = "task"
"""The page's longest task, for which no audit has a number."""
_CHROMIUM_FLAGS: Final = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --ignore-certificate-errors"
)
_LONGEST_RUN_S: Final = 180
_TRIES: Final = 3
_WIDTH: Final = 160
"""Columns of the table in a file, so that no figure wraps."""


class Report(NamedTuple):
    """One run. ``scores``: 0-100 by category; ``measures``: ms, except CLS and bytes; ``failed``: audits below 100 %."""

    scores: Mapping[str, int]
    measures: Mapping[str, float]
    failed: Sequence[str]


@click.command()
@click.argument("pages", nargs=-1, metavar="[SITE/PATH]...")
@click.option("--runs", default=5, show_default=True, type=click.IntRange(1, 50), help="Runs per page. Prints medians.")
@click.option("--twins", is_flag=True, help="Also measure pages without scripts and web fonts.")
@click.option("--reports", type=click.Path(file_okay=False, path_type=Path), help="Keep Lighthouse's reports here.")
@click.option("--compress/--no-compress", default=True, help="Create the best compressed copies first.")
@short_form(pages=["en/contact-us"], runs=1, compress=False)
def command(pages: Sequence[str], runs: int, twins: bool, reports: Path | None, compress: bool) -> None:
    """Run Lighthouse (mobile) on pages, such as `ae/contact-us`.

    The demo's content is published for production, and served on loopback by TLS and HTTP/2.
    """
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH)
    chromium = os.environ.get("PORTOLAN_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise click.ClickException("Chromium is not installed. Run apt-get install chromium, or set PORTOLAN_CHROMIUM.")
    asked = [page.partition("/") for page in pages or _PAGES]
    sites = env().registry.sites
    if unknown := [site for site, _, _ in asked if site not in sites]:
        raise click.ClickException(f"There is no site {unknown[0]!r}. Write SITE/PATH, such as en/contact-us.")
    _install_lighthouse(console)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "perf", "a11y", "best", "SEO", "FCP ms", "LCP ms", "TBT ms", "CLS", "SI ms", "bytes", "task ms"):
        table.add_column(column, justify="left" if not column else "right")
    wanting: dict[str, set[str]] = {}
    with tempfile.TemporaryDirectory(prefix="portolan-bench-") as name:
        folder = Path(name)
        out = reports or folder / "reports"
        out.mkdir(parents=True, exist_ok=True)
        with console.status("Publishing for production …"):
            publish(folder, [site for site, _, _ in asked], compress)
        shown = [(f"{site}/{path}", site, f"/{path}") for site, _, path in asked]
        if twins:
            for site in dict.fromkeys(site for _, site, _ in shown):
                add_twins(folder / "builds", site, [path for _, other, path in shown if other == site])
            Compressor(folder / "builds").work()
        with serve(folder) as port:
            for title, site, path in shown:
                addresses = {title: path} | ({"  its twin": twin_path(path)} if twins else {})
                found: dict[str, list[Report]] = {name: [] for name in addresses}
                for run in range(runs):
                    for name, address in addresses.items():
                        with console.status(f"{site}{address}, run {run + 1} of {runs} …"):
                            file = out / f"{site}.{address.replace('/', '_')}.{run + 1}.json"
                            url = f"{sites[site].origin(ENVIRONMENT, port)}{address}"
                            found[name].append(try_again(lambda: _run_lighthouse(url, port, chromium, file)))  # noqa: B023
                for name, reports_of_it in found.items():
                    table.add_row(*build_row(name, reports_of_it))
                for report in found[title]:
                    for audit in report.failed:
                        wanting.setdefault(audit, set()).add(title)
    console.print(f"Lighthouse, mobile, simulated throttling; median of {runs} runs; TLS, HTTP/2, loopback")
    console.print(table)
    for audit, where in sorted(wanting.items()):
        console.print(f"[yellow]{audit}[/]: {', '.join(sorted(where))}")


def try_again(run: Callable[[], Report]) -> Report:
    """Run Lighthouse again if Chromium did not record (``NO_NAVSTART``), which happens in one of fifty runs.

    Raise ClickException if the last try fails too.
    """
    for _ in range(_TRIES - 1):
        with suppress(click.ClickException):
            return run()
    return run()


def read_report(report: Mapping[str, Any]) -> Report:
    """Return the report's results. Raise ClickException if Lighthouse could not load the page."""
    if error := report.get("runtimeError"):
        raise click.ClickException(f"{report.get('finalDisplayedUrl')}: {error.get('code')}, {error.get('message')}")
    audits, categories = report["audits"], report["categories"]
    weighed = {ref["id"] for name in _CATEGORIES[1:] for ref in categories[name]["auditRefs"] if ref["weight"]}
    return Report(
        {name: round(100 * (categories[name]["score"] or 0)) for name in _CATEGORIES},
        {name: audits[audit].get("numericValue") or 0.0 for name, audit in _MEASURES.items()}
        | {_TASK: max((task["duration"] for task in _own_tasks(audits)), default=0.0)},
        [f"{id} ({audits[id]['title']})" for id in sorted(weighed) if audits[id]["score"] not in (None, 1)],
    )


def _own_tasks(audits: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return tasks over 50 ms at Lighthouse's slowdown (4x) that have a URL.

    Tasks without a URL are the browser's own, such as parsing the document.
    """
    details = audits["long-tasks"].get("details") or {"items": []}
    return [task for task in details["items"] if task["url"].startswith("http")]


def build_row(title: str, reports: Sequence[Report]) -> list[str]:
    """Return medians as text, with the range of values that vary."""
    cells = [title]
    for name in _CATEGORIES:
        cells.append(_median([report.scores[name] for report in reports], 0))
    for name in (*_MEASURES, _TASK):
        cells.append(_median([report.measures[name] for report in reports], 3 if name == "CLS" else 0))
    return cells


def _median(values: Sequence[float], digits: int) -> str:
    typical, low, high = (f"{value:,.{digits}f}" for value in (statistics.median(values), min(values), max(values)))
    return typical if low == high else f"{typical} ({low}-{high})"


def _install_lighthouse(console: Any) -> None:
    if (_LIGHTHOUSE / "node_modules" / "lighthouse").is_dir():
        return
    with console.status("Installing Lighthouse, once …"):
        done = subprocess.run(
            [beside_python("npm"), "ci", "--ignore-scripts"], cwd=_LIGHTHOUSE, capture_output=True, text=True
        )
    if done.returncode:
        raise click.ClickException(f"Lighthouse cannot be installed:\n{done.stderr[-2000:]}")


def _run_lighthouse(url: str, port: int, chromium: str, file: Path) -> Report:
    flags = f"{_CHROMIUM_FLAGS} --host-resolver-rules='MAP * 127.0.0.1:{port}'"
    try:
        done = subprocess.run(
            [
                *(beside_python("node"), "node_modules/lighthouse/cli/index.js", url, "--quiet"),
                *("--form-factor=mobile", "--throttling-method=simulate", "--output=json"),
                *(f"--output-path={file.resolve()}", f"--chrome-flags={flags}"),
            ],
            cwd=_LIGHTHOUSE,
            env={**os.environ, "CHROME_PATH": chromium},
            capture_output=True,
            text=True,
            timeout=_LONGEST_RUN_S,
        )
    except subprocess.TimeoutExpired:
        raise click.ClickException(f"{url}: Lighthouse did not end within {_LONGEST_RUN_S} s.") from None
    if not file.is_file():
        raise click.ClickException(f"{url}: Lighthouse ended without a report:\n{done.stderr[-2000:]}")
    return read_report(json.loads(file.read_text(encoding="utf-8")))
