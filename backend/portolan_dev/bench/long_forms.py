"""Measure the time until long forms of the studio are usable in a browser.

``python -m portolan_dev.bench.long_forms`` prints the URLs of an installation's longest forms. This module runs it in a
process of its own.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import click

from portolan.config.env import env
from portolan.config.start_django import start_django

from ..ports import free_port
from .installation import PORTOLAN

_LOADS: Final = 7
_STARTS_WITHIN_S: Final = 60
_USABLE: Final = """() => new Promise((done) => {
    const holder = () => document.getElementById("body-root");
    const isThere = () => document.readyState === "complete" && (!holder() || holder().rootBlock);
    const look = () => isThere() ? requestAnimationFrame(() => requestIdleCallback(() => done(performance.now()))) : setTimeout(look, 10);
    look();
})"""
"""The page has loaded with its blocks, a frame was drawn, and the browser is idle."""
_SERVER: Final = (
    """() => { const [it] = performance.getEntriesByType("navigation"); return it.responseEnd - it.requestStart; }"""
)


class Load(NamedTuple):
    usable_s: float
    """From the click to a usable form."""
    server_s: float
    """Of that, until the last byte of the page arrived."""
    browser_s: float
    """CPU time of the browser's main thread, which does not depend on other programs."""
    nodes: int


def print_forms(folder: Path, variables: Mapping[str, str], console: Any) -> None:
    from playwright.sync_api import sync_playwright
    from rich.table import Table

    chromium = (
        os.environ.get("PORTOLAN_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-headless-shell")
    )
    if chromium is None:
        raise click.ClickException("Chromium is not installed. Run apt-get install chromium, or set PORTOLAN_CHROMIUM.")
    listed = subprocess.run(
        [sys.executable, "-m", "portolan_dev.bench.long_forms"],
        env=dict(variables),
        capture_output=True,
        text=True,
        check=True,
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "usable s", "server s", "browser s", "elements"):
        table.add_column(column, justify="right" if column else "left")
    with _served(variables) as studio, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        name = json.loads((folder / "demo-login.json").read_text())
        page.goto(f"{studio}/admin/login/")
        page.get_by_label("Username").fill(name["user"])
        page.get_by_label("Password").fill(name["password"])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/admin/")
        for line in listed.stdout.splitlines():
            title, address = json.loads(line)
            loads = [_load(page, studio + address) for _ in range(_LOADS + 1)][1:]
            seconds = (statistics.median(load[column] for load in loads) for column in range(3))
            table.add_row(title, *(f"{each:.2f}" for each in seconds), f"{loads[-1].nodes:,}")
        browser.close()
    console.print(table)


def _load(page: Any, address: str) -> Load:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.goto("about:blank")
    before = _busy(session)
    page.goto(address, wait_until="commit")
    usable, server = page.evaluate(_USABLE) / 1000, page.evaluate(_SERVER) / 1000
    busy = _busy(session) - before
    nodes = page.evaluate("document.querySelectorAll('*').length")
    session.detach()
    return Load(usable, server, busy, nodes)


def _busy(session: Any) -> float:
    found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])


@contextmanager
def _served(variables: Mapping[str, str]) -> Iterator[str]:
    """Run a server and yield the studio's origin."""
    port = free_port()
    studio = env().registry.studio_origin("local", port)
    own = {**variables, "PORTOLAN_PORT": str(port)}
    with subprocess.Popen([PORTOLAN, "serve"], env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait(server, port, studio)
            yield studio
        finally:
            server.terminate()


def _wait(server: "subprocess.Popen[bytes]", port: int, studio: str) -> None:
    """Wait for the server by IP address, because not every system resolves ``studio.localhost``."""
    login = Request(f"http://127.0.0.1:{port}/admin/login/", headers={"Host": urlsplit(studio).netloc})
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while time.monotonic() < deadline and server.poll() is None:
        with suppress(URLError), urlopen(login, timeout=_STARTS_WITHIN_S):  # noqa: S310  (our own)
            return
        time.sleep(0.2)
    raise click.ClickException("The studio did not start. Nothing was measured.")


def _list_longest() -> Iterator[tuple[str, str]]:
    """Yield the longest page above 5 kB of each page type, longest first, then the menu with the most entries."""
    from django.db.models import TextField
    from django.db.models.functions import Cast, Length
    from django.urls import reverse

    from portolan.content.models import MenuSettings
    from portolan.content.pages import PAGE_TYPES

    found = []
    for page_type in PAGE_TYPES:
        page: Any = (
            page_type._default_manager.filter(alias_of=None)
            .annotate(size=Length(Cast("body", TextField())))
            .order_by("-size")
            .first()
        )
        if page and (page.size or 0) > 5000:
            found.append(
                (
                    page.size,
                    f"{page._meta.verbose_name}: {page.title}",
                    reverse("wagtailadmin_pages:edit", args=[page.pk]),
                )
            )
    for _size, title, address in sorted(found, reverse=True):
        yield title, address
    menus: Any = MenuSettings._default_manager.annotate(size=Length(Cast("items", TextField()))).order_by("-size")
    for menu in menus[:1]:
        yield "menu", reverse(menu.snippet_viewset.get_url_name("edit"), args=[menu.pk])


if __name__ == "__main__":
    start_django()
    for row in _list_longest():
        print(json.dumps(row))  # noqa: T201
