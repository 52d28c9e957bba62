"""What is released in the demo, published for production and served as visitors of it get it."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from portolan.builds.compress import Compressor
from portolan.builds.hosts import build_hosts, write_hosts
from portolan.config.env import env
from portolan.config.processes import end_with_parent

from ..ports import free_port
from .server import run_server

ENVIRONMENT: Final = "production"
_SERVER: Final = """
from pathlib import Path
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
Granian("portolan.config.serving:application", address="127.0.0.1", port={port}, interface=Interfaces.ASGI,
        http=HTTPModes.auto, ssl_cert=Path({cert!r}), ssl_key=Path({key!r}), websockets=False,
        log_level=LogLevels.error).serve()
"""


def publish(folder: Path) -> None:
    """What is released here, for production, in ``folder``; what is live stays as it is."""
    settings = env()
    database = settings.var_dir / "portolan.sqlite3"
    if settings.database_url or not database.is_file():
        raise click.ClickException(f"There is no demo in {settings.var_dir} to measure. Run `make demo` once.")
    with sqlite3.connect(database) as source, sqlite3.connect(folder / database.name) as copy:
        source.backup(copy)
    (folder / "media").symlink_to(settings.var_dir / "media")
    done = subprocess.run(
        [beside_python("portolan"), "publish"], env=_environment(folder), capture_output=True, text=True
    )
    if done.returncode:
        raise click.ClickException(f"The sites cannot be published for production:\n{done.stdout}{done.stderr}")
    Compressor(folder / "builds").work()


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PORTOLAN_VAR_DIR": str(folder), "PORTOLAN_ENVIRONMENT": ENVIRONMENT}


@contextmanager
def serve(folder: Path) -> Iterator[int]:
    """By TLS and HTTP/2 on loopback, what was published into ``folder``; gives the port, on which each host is served."""
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
    code = _SERVER.format(port=port, cert=str(cert), key=str(key))
    parent = os.getpid()
    with run_server(code, port, _environment(folder), lambda: end_with_parent(parent), "The server"):
        yield port


def beside_python(name: str) -> str:
    """A program of the environment that this runs in."""
    return str(Path(sys.executable).parent / name)
