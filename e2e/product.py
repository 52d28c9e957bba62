"""A running demo, as the tests see it."""

import json
import os
import sqlite3
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import httpx
import psycopg
from psycopg.rows import dict_row
from psycopg.types.string import TextLoader

from portolan.builds.live import LivePointer, read_live
from portolan.builds.manifest import Manifest, read_manifest
from portolan.releases.reader import ReleaseReader, open_reader
from portolan.sites.load import load_registry
from portolan.sites.registry import Registry
from portolan_dev.ports import free_port
from tests.processes import started

from .faults import LONGEST_WAIT_S, wait_until
from .on_postgres import copy_on
from .seeded import DATABASE, ROOT, UNCOMPRESSED, copy_database, copy_files

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
    database: str = ""
    """As DATABASE_URL says it: SQLite in the folder, where empty."""
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
    def environment(self) -> dict[str, str]:
        """Of commands that work on it."""
        own = {"PORTOLAN_VAR_DIR": str(self.var_dir), "PORTOLAN_PORT": str(self.port), "DATABASE_URL": self.database}
        return {**os.environ, **NO_LIMITS, **own}

    def ask(self, query: str, *values: Any) -> list[dict[str, Any]]:
        """Rows of its database. ``query`` is read by both, with ``%s`` for each value and no other percent sign; JSON and UUIDs come
        as text.
        """
        if self.database:
            with psycopg.connect(self.database, row_factory=dict_row) as postgres:
                for kind in ("json", "jsonb", "uuid"):
                    postgres.adapters.register_loader(kind, TextLoader)
                return postgres.execute(query.encode(), values).fetchall()
        with closing(sqlite3.connect(f"file:{self.var_dir / DATABASE}?mode=ro", uri=True)) as sqlite:
            sqlite.row_factory = sqlite3.Row
            return [dict(row) for row in sqlite.execute(query.replace("%s", "?"), values)]

    def open_reader(self) -> ReleaseReader:
        return open_reader(self.database or f"sqlite:///{self.var_dir / DATABASE}")

    @property
    def login(self) -> dict[str, Any]:
        login: dict[str, Any] = json.loads((self.var_dir / "demo-login.json").read_text())
        return login

    def live(self) -> dict[str, Manifest]:
        """Return the live files of each site, by URL."""
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
        with httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=LONGEST_WAIT_S, verify=_NO_TLS) as client:

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
def serve_copy(folder: Path, seeded: Path, sites: str = "", postgres: str = "") -> Iterator[Product]:
    """`portolan demo` on a copy of a seeded folder, on a port of its own; served until the end of the block.

    ``sites``: the registry's text, where it is not the demo's own. ``postgres``: a server's URL, where it is not to be on SQLite.
    """
    copy_files(folder, seeded)
    if not postgres:
        copy_database(folder, seeded)
    file = folder / "sites.toml" if sites else ROOT / "sites.toml"
    if sites:
        write_project(folder, sites)
    log = folder / "demo.log"
    demo = [Path(sys.executable).parent / "portolan", "demo", *UNCOMPRESSED]
    with (
        copy_on(postgres, seeded) if postgres else nullcontext("") as database,
        log.open("wb") as output,
    ):
        served = Product(folder, free_port(), load_registry(file), database)
        environment = {**served.environment, **_NO_IDLE_WORK, "PORTOLAN_SITES_FILE": str(file)}
        with started(demo, WHOLE_RUN_S, env=environment, stdout=output, stderr=subprocess.STDOUT) as process:
            wait_until(
                lambda: _is_served(process, served.port, log),
                lambda: f"the demo is up:\n{log.read_text()[-4000:]}",
                within_s=START_LIMIT_S,
            )
            with served.with_it:
                yield served
    assert not (postgres and (folder / DATABASE).exists()), "what was to be on PostgreSQL has begun an SQLite database"


def _is_served(process: subprocess.Popen[str], port: int, log: Path) -> bool:
    assert process.poll() is None, f"the demo ended while it was coming up:\n{log.read_text()[-4000:]}"
    return answers(f"http://127.0.0.1:{port}/admin/login/", host=f"studio.localhost:{port}")


def answers(url: str, **headers: str) -> bool:
    """Return whether a server answers there with success."""
    with suppress(OSError), urlopen(Request(url, headers=headers), timeout=LONGEST_WAIT_S) as reply:
        return bool(reply.status == 200)
    return False
