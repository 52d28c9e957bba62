"""A server for the length of a benchmark, on a loopback port of its own."""

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


@contextmanager
def run_server(
    code: str, port: int, environment: Mapping[str, str], prepare: Callable[[], None], name: str
) -> Iterator[None]:
    """Python ``code`` that serves on ``port``, until the end of the block. ``prepare`` runs in its process first.

    Raises ClickException, with ``name``, where it ends before it answers.
    """
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
    raise click.ClickException(f"{name} did not answer within {_ANSWERS_WITHIN_S} s.")
