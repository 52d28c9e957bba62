"""A running demo, as the tests see it."""

import json
import os
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import httpx

from portolan.builds.live import LivePointer, read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.sites.load import load_registry
from portolan.sites.registry import Registry
from portolan_dev.ports import free_port
from tests.processes import started

from .faults import wait_until
from .seeded import ROOT, UNCOMPRESSED, copy_to

START_LIMIT_S = 300
WHOLE_RUN_S = 2400
"""Nothing is served for longer. In the end it is killed: what it has is a copy, and to end in order takes many seconds."""
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
_NO_IDLE_WORK = {"PORTOLAN_IDLE_WORK": "false"}
"""Copies of a demo would compress the same files again and again, and on two threads of one core what runs beside is felt."""
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""To read the machine's authorities takes 20 ms each time, and nobody here speaks TLS."""


@dataclass
class Product:
    """A running demo."""

    var_dir: Path
    port: int
    registry: Registry
    with_it: ExitStack = field(default_factory=ExitStack)
    """What was begun for it, and ends with it."""
    session: list[Any] = field(default_factory=list)
    """Cookies of the editor, once a journey has signed in."""
    saver: "subprocess.Popen[str] | None" = None
    """Saves for `editing.py`, once a journey has asked for it."""

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
        return {site: read_manifest(builds, site, build) for site, build in self.live_pointer().builds.items()}

    def live_pointer(self) -> LivePointer:
        return read_live(self.var_dir / "builds")

    def get(self, site: str, path: str, **options: Any) -> httpx.Response:
        with self.client() as get:
            return get(site, path, **options)

    @contextmanager
    def client(self) -> Iterator[Callable[..., httpx.Response]]:
        """``get(site, path, **options)`` over one connection."""
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=10, verify=_NO_TLS) as client:

            def get(site: str, path: str, **options: Any) -> httpx.Response:
                headers = {"host": self.origin(site).removeprefix("http://"), **options.pop("headers", {})}
                return client.get(path, headers=headers, **options)

            yield get


def write_project(folder: Path, sites: str) -> None:
    """The demo's project with another registry."""
    (folder / "sites.toml").write_text(sites, encoding="utf-8")
    for name in ("brand.toml", "brand", "public"):
        (folder / name).symlink_to(ROOT / name)


@contextmanager
def serve_copy(folder: Path, seeded: Path, sites: str = "") -> Iterator[Product]:
    """`portolan demo` on a copy of a seeded folder, on a port of its own; served until the end of the block.

    ``sites``: the registry's text, where it is not the demo's own.
    """
    copy_to(folder, seeded)
    file = folder / "sites.toml" if sites else ROOT / "sites.toml"
    if sites:
        write_project(folder, sites)
    served = Product(folder, free_port(), load_registry(file))
    own = {"PORTOLAN_VAR_DIR": str(folder), "PORTOLAN_PORT": str(served.port), "PORTOLAN_SITES_FILE": str(file)}
    log = folder / "demo.log"
    demo = [Path(sys.executable).parent / "portolan", "demo", *UNCOMPRESSED]
    environment = {**os.environ, **NO_LIMITS, **_NO_IDLE_WORK, **own}
    with (
        log.open("wb") as output,
        started(demo, WHOLE_RUN_S, env=environment, stdout=output, stderr=subprocess.STDOUT) as process,
    ):
        wait_until(
            lambda: _is_served(process, served.port, log),
            lambda: f"the demo is up:\n{log.read_text()[-4000:]}",
            within_s=START_LIMIT_S,
        )
        with served.with_it:
            yield served


def _is_served(process: subprocess.Popen[str], port: int, log: Path) -> bool:
    assert process.poll() is None, f"the demo ended while it was coming up:\n{log.read_text()[-4000:]}"
    return answers(f"http://127.0.0.1:{port}/admin/login/", host=f"studio.localhost:{port}")


def answers(url: str, **headers: str) -> bool:
    """Whether somebody answers there, and well."""
    with suppress(OSError), urlopen(Request(url, headers=headers), timeout=5) as reply:
        return bool(reply.status == 200)
    return False
