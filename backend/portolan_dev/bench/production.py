"""Publish the demo's newest release for production and serve it as in production."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from portolan.builds.compress import Compressor
from portolan.builds.hosts import build_hosts, write_hosts
from portolan.config.env import env
from portolan.config.processes import end_with_parent

from ..ports import free_port
from .server import WHOLE, run_server

ENVIRONMENT: Final = "production"


def publish(folder: Path, sites: Iterable[str], compress: bool = True) -> None:
    """Publish the newest release of these sites for production into ``folder``. The live sites do not change.

    ``compress``: create the best copies of all files first, as a running publisher does in the background.
    """
    settings = env()
    database = settings.var_dir / "portolan.sqlite3"
    if settings.database_url or not database.is_file():
        raise click.ClickException(
            f"There is no demo in {settings.var_dir}. Nothing was measured. Run `make demo` first."
        )
    with sqlite3.connect(database) as source, sqlite3.connect(folder / database.name) as copy:
        source.backup(copy)
    (folder / "media").symlink_to(settings.var_dir / "media")
    command = [beside_python("portolan"), "publish", *(f"--site={site}" for site in dict.fromkeys(sites))]
    done = subprocess.run(command, env=_environment(folder), capture_output=True, text=True)
    if done.returncode:
        raise click.ClickException(f"The sites cannot be published for production:\n{done.stdout}{done.stderr}")
    if compress:
        Compressor(folder / "builds").work()


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PORTOLAN_VAR_DIR": str(folder), "PORTOLAN_ENVIRONMENT": ENVIRONMENT}


@contextmanager
def serve(folder: Path) -> Iterator[int]:
    """Serve ``folder`` by TLS and HTTP/2 on loopback for every host. Yield the port."""
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-keyout", str(key), "-out", str(cert)),
        ],
        check=True,
        capture_output=True,
    )
    port = free_port()
    write_hosts(folder / "builds", build_hosts(env().registry, ENVIRONMENT, port))
    parent, tls = os.getpid(), (str(cert), str(key))
    with run_server(WHOLE, port, _environment(folder), lambda: end_with_parent(parent), "The server", tls):
        yield port


def beside_python(name: str) -> str:
    """Return the path of a program in this Python environment."""
    return str(Path(sys.executable).parent / name)
