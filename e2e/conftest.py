"""The whole product, started as a newcomer starts it (`portolan demo`), in a folder and on a port of its own."""

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, sync_playwright

from portolan.builds.live import read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.sites.load import load_registry
from portolan.sites.registry import Registry

from .faults import Faults

ROOT = Path(__file__).parents[1]
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
START_LIMIT_S = 900
NO_LIMITS = {
    f"PORTOLAN_{name}_PER_MINUTE": "0"
    for name in ("API_LIMIT", "EMAIL_LIMIT", "VIEWS_LIMIT", "LEADS_LIMIT", "LEAD_FLOOD", "CONSENT_LIMIT")
}
"""All tests together are one client, and one that asks a lot."""


@dataclass
class Product:
    """A running demo."""

    var_dir: Path
    port: int
    registry: Registry

    def origin(self, site: str) -> str:
        return self.registry.sites[site].origin("local", self.port)

    @property
    def studio(self) -> str:
        return self.registry.studio_origin("local", self.port)

    @property
    def login(self) -> dict[str, Any]:
        login: dict[str, Any] = json.loads((self.var_dir / "demo-login.json").read_text())
        return login

    def live(self) -> dict[str, Manifest]:
        """What each site serves right now, by address."""
        builds = self.var_dir / "builds"
        return {site: read_manifest(builds, site, build) for site, build in read_live(builds).items()}

    def get(self, site: str, path: str, **options: Any) -> httpx.Response:
        origin = self.origin(site)
        host = origin.removeprefix("http://")
        headers = {"host": host, **options.pop("headers", {})}
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", headers=headers, timeout=10, **options)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


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


@contextlib.contextmanager
def run_demo(var_dir: Path, port: int, **settings: str) -> Iterator[None]:
    """`portolan demo` in that folder, on that port, with these variables besides; served until the end of the block."""
    log = var_dir / "demo.log"
    own = {"PORTOLAN_VAR_DIR": str(var_dir), "PORTOLAN_PORT": str(port)}
    environment = {**os.environ, **own, **NO_LIMITS, **settings}
    with log.open("wb") as output:
        process = subprocess.Popen(
            [Path(sys.executable).parent / "portolan", "demo"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_served(process, port, log)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_until_served(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            pytest.fail(f"the demo ended while it was coming up:\n{log.read_text()[-4000:]}")
        try:
            host = {"host": f"studio.localhost:{port}"}
            if httpx.get(f"http://127.0.0.1:{port}/admin/login/", headers=host, timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.25)
    pytest.fail(f"the demo was not up after {START_LIMIT_S} s:\n{log.read_text()[-4000:]}")


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
