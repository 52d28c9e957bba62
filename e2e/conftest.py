"""The whole product, started as a newcomer starts it (`portolan demo`), on content that was seeded once for all; visitors of it."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright
from xdist.workermanage import WorkerController

from portolan.sites.load import load_registry

from .faults import LONGEST_WAIT_S, Faults
from .product import ROOT, Product, serve_copy
from .seeded import prepare
from .tabs import NewTab, Tab, prepare_contexts

BROWSERS = ("chromium-headless-shell", "chromium")
"""The first that is there is taken. It is the same engine without a window, and without what is drawn around the page."""
CHROMIUM = os.environ.get("PORTOLAN_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), "/usr/bin/chromium")
FEATURES_OFF = (
    # Where a whole Chromium is driven: pages behind the address bar, two for every window.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # Features that Playwright turns off: the last of two options with one name wins, so this list repeats them.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
POSTGRES = pytest.StashKey[str]()
LEFT_OUT = pytest.StashKey[list[str]]()
SERVED = {"product", "strict", "drilled"}
"""Fixtures that serve a copy of the demo."""
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
]


expect.set_options(timeout=LONGEST_WAIT_S * 1000)
"""As long as a tab waits: a busy machine is no fault of the product's."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--running",
        metavar="VAR_DIR:PORT",
        help="Test a demo that is running already, instead of bringing one up (while writing tests).",
    )
    parser.addoption(
        "--on-postgres",
        action="store_true",
        help="Serve the demo on PostgreSQL, and run the journeys that it is served for.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Remove the database server's address from the environment. Each journey sets its own database, and a journey with its own
    installation uses SQLite.
    """
    if hasattr(config, "workerinput"):
        config.stash[POSTGRES] = config.workerinput["postgres"]
        return
    server = os.environ.pop("DATABASE_URL", "")
    if config.getoption("--on-postgres") and not server.startswith(("postgres://", "postgresql://")):
        raise pytest.UsageError(
            "--on-postgres needs DATABASE_URL to name a PostgreSQL server: scripts/with_postgres.py"
        )
    config.stash[POSTGRES] = server if config.getoption("--on-postgres") else ""


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: WorkerController) -> None:
    node.workerinput["postgres"] = node.config.stash[POSTGRES]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--on-postgres"):
        return
    kept = [item for item in items if SERVED & {*getattr(item, "fixturenames", ())}]
    left_out = [item for item in items if item not in kept]
    config.hook.pytest_deselected(items=left_out)
    config.stash[LEFT_OUT] = sorted({str(item.path.relative_to(ROOT)) for item in left_out})
    items[:] = kept


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    """All workers have left out the same; one that died says nothing."""
    node.config.stash.setdefault(LEFT_OUT, []).extend(getattr(node, "workeroutput", {}).get("left_out", []))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if left_out := {*config.stash.get(LEFT_OUT, [])}:
        terminalreporter.write_line(
            f"On PostgreSQL. Have no demo served, and were left out: {', '.join(sorted(left_out))}"
        )


@pytest.fixture(scope="session")
def postgres(request: pytest.FixtureRequest) -> str:
    """The URL of the server that the demo is served on; none: on SQLite."""
    return request.config.stash[POSTGRES]


@pytest.fixture(scope="session")
def running(request: pytest.FixtureRequest, postgres: str) -> Product | None:
    """The demo that is running already, if that was said."""
    folder, _, port = (request.config.getoption("--running") or "").rpartition(":")
    return Product(Path(folder), int(port), load_registry(ROOT / "sites.toml"), postgres) if folder else None


@pytest.fixture(scope="session")
def seeded(running: Product | None) -> Path:
    """A folder to serve copies of."""
    return running.var_dir if running else prepare()


@pytest.fixture(scope="session")
def product(
    running: Product | None, seeded: Path, postgres: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Product]:
    if running:
        with running.with_it:
            yield running
        return
    with serve_copy(tmp_path_factory.mktemp("var"), seeded, postgres=postgres) as served:
        yield served


@pytest.fixture(scope="session")
def strict(seeded: Path, postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """The same content with profile `strict` and web vitals, on a site of each kind: one that asks by country, and one that tells
    everybody.
    """
    shared, *sites = re.split(r"(?m)^(?=\[sites\.)", (ROOT / "sites.toml").read_text(encoding="utf-8"))
    text = shared + "".join(site for site in sites if site.startswith(("[sites.en]", "[sites.de]")))
    text = text.replace('profile = "spec"', 'profile = "strict"').replace("web_vitals = false", "web_vitals = true")
    with serve_copy(tmp_path_factory.mktemp("strict"), seeded, text, postgres) as served:
        yield served


@pytest.fixture(scope="session")
def refusals() -> list[str]:
    """Return the policy violations in every tab of the test, on the sites and in the studio."""
    return []


@pytest.fixture(autouse=True)
def nothing_is_refused(refusals: list[str]) -> Iterator[None]:
    refusals.clear()
    yield
    assert refusals == []


@pytest.fixture(scope="session")
def browser(refusals: list[str]) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        prepare_contexts(chromium, refusals)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def breaking(product: Product) -> Iterator[Faults]:
    """A proxy in front of the product, for all tests; take `faults`."""
    with Faults(product.port) as faults:
        yield faults


@pytest.fixture
def faults(breaking: Faults) -> Iterator[Faults]:
    """A proxy in front of the product that injects this test's faults."""
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
