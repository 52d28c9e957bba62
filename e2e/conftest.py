"""The whole product, started as a newcomer starts it (`portolan demo`), in a folder and on a port of its own; visitors of it."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from portolan.sites.load import load_registry

from .faults import Faults
from .product import ROOT, Product, free_port, run_demo
from .tabs import NewTab, Tab

CHROMIUM = os.environ.get("PORTOLAN_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


SECOND_HALF = {"test_consent", "test_forms", "test_header", "test_open_tabs", "test_runtime_parts", "test_third_party"}
"""Files that take about as long as all others together: with ``--numprocesses 2 --dist loadgroup`` each half has a browser
and a demo of its own, and its tests come in the same order as in one process.
"""


class Halves(LoadScopeScheduling):  # type: ignore[misc]
    """xdist's own groups are names in the tests' ids, which pytest 9.2 no longer lets it change: nothing is grouped."""

    def _split_scope(self, nodeid: str) -> str:
        return "second half" if Path(nodeid.partition("::")[0]).stem in SECOND_HALF else "first half"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    return Halves(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--running",
        metavar="VAR_DIR:PORT",
        help="Test a demo that is running already, instead of bringing one up (while writing tests).",
    )


@pytest.fixture(scope="session")
def product(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    running = request.config.getoption("--running")
    if running:
        folder, _, at = running.rpartition(":")
        yield Product(Path(folder), int(at), load_registry(ROOT / "sites.toml"))
        return
    var_dir, port = tmp_path_factory.mktemp("var"), free_port()
    with run_demo(var_dir, port):
        yield Product(var_dir, port, load_registry(ROOT / "sites.toml"))


@pytest.fixture(scope="session")
def strict(product: Product, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The same demo with profile `strict` and web vitals on every site; Arabic too asks by country, so that its banner can
    be seen.
    """
    folder = tmp_path_factory.mktemp("strict")
    sites = (ROOT / "sites.toml").read_text(encoding="utf-8")
    sites = sites.replace('profile = "spec"', 'profile = "strict"').replace("web_vitals = false", "web_vitals = true")
    head, arabic = sites.split("[sites.ae]")
    arabic = arabic.replace('theme = "small"', 'theme = "by-country"', 1)
    file = folder / "sites.toml"
    file.write_text(f"{head}[sites.ae]{arabic}", encoding="utf-8")
    with sqlite3.connect(product.var_dir / "portolan.sqlite3") as source:
        source.backup(sqlite3.connect(folder / "portolan.sqlite3"))
    shutil.copytree(product.var_dir / "media", folder / "media", copy_function=os.link)
    shutil.copy(product.var_dir / "demo-login.json", folder)
    port = free_port()
    with run_demo(folder, port, PORTOLAN_SITES_FILE=str(file)):
        yield Product(folder, port, load_registry(file))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def breaking(product: Product) -> Iterator[Faults]:
    """A proxy in front of the product, for all tests; take `faults`."""
    with Faults(product.port) as faults:
        yield faults


@pytest.fixture
def faults(breaking: Faults) -> Iterator[Faults]:
    """A proxy in front of the product that breaks what this test wants broken."""
    breaking.clear()
    yield breaking
    breaking.clear()


@pytest.fixture
def new_tab(browser: Browser, product: Product, faults: Faults) -> Iterator[NewTab]:
    """``new_tab(site="en", **options)``: tabs of this test, in which nothing went wrong unseen."""
    tabs: list[Tab] = []

    def begin(site: str = "en", **options: Any) -> Tab:
        tabs.append(Tab.begin(browser, product, faults, site, **options))
        return tabs[-1]

    yield begin
    problems = [problem for tab in tabs for problem in tab.problems]
    for tab in tabs:
        tab.close()
    assert problems == []


@pytest.fixture
def tab(new_tab: NewTab) -> Tab:
    return new_tab()
