"""A running demo, as the tests see it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.sites.registry import Registry

ROOT = Path(__file__).parents[1]
START_LIMIT_S = 900
NO_LIMITS = {
    f"PORTOLAN_{name}_PER_MINUTE": "0"
    for name in (
        "API_LIMIT",
        "API_MISS_LIMIT",
        "EMAIL_LIMIT",
        "VIEWS_LIMIT",
        "LEADS_LIMIT",
        "LEAD_FLOOD",
        "CONSENT_LIMIT",
    )
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
