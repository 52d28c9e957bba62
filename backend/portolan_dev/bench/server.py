"""Run a server on a loopback port during a benchmark."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import click

_ANSWERS_WITHIN_S: Final = 30
_ENDS_WITHIN_S: Final = 20
WHOLE: Final = """
    from portolan.config.serving import build_whole, load_django
    return build_whole(load_django, load_django)
"""
"""Load the edge with API and studio in one process."""
_CODE: Final = """
from pathlib import Path
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.log import LogLevels
def load():
{load}
certificate, key = {tls!r} or (None, None)
Granian("portolan", address="127.0.0.1", port={port}, interface=Interfaces.ASGI, log_level=LogLevels.error,
        http=HTTPModes.auto if key else HTTPModes.http1, websockets=False,
        ssl_cert=certificate and Path(certificate), ssl_key=key and Path(key),
        ).serve(target_loader=load, wrap_loader=False)
"""


@contextmanager
def run_server(
    load: str,
    port: int,
    environment: Mapping[str, str],
    prepare: Callable[[], None],
    name: str,
    tls: tuple[str, str] | None = None,
) -> Iterator[None]:
    """Serve an application with one worker until the end of the block.

    ``load``: the indented body of a function that returns the application. ``prepare`` runs in the server's process
    first. ``tls``: files of a certificate and its key, which also enable HTTP/2. Raise ClickException with ``name`` if
    the server ends before it responds.
    """
    code = _CODE.format(load=load.strip("\n"), port=port, tls=tls)
    server = subprocess.Popen([sys.executable, "-c", code], env=dict(environment), preexec_fn=prepare)
    try:
        _wait_until_it_answers(server, port, name)
        yield
    finally:
        server.terminate()
        server.wait(_ENDS_WITHIN_S)


def _wait_until_it_answers(server: "subprocess.Popen[bytes]", port: int, name: str) -> None:
    deadline = time.monotonic() + _ANSWERS_WITHIN_S
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if server.poll() is not None:
                raise click.ClickException(f"{name} did not start.") from None
            time.sleep(0.1)
    raise click.ClickException(f"{name} did not respond within {_ANSWERS_WITHIN_S} s.")
