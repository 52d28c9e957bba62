"""What the commands of all server roles take."""

from collections.abc import Callable
from typing import Any

import click

host_option: Callable[[Any], Any] = click.option(
    "--host", help="Address to listen on; PORTOLAN_HOST (127.0.0.1) where not given."
)
workers_option: Callable[[Any], Any] = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that share the port. What one client may ask is counted for all of them by CACHE_URL alone.",
)


def server_options(port: str) -> Callable[[Any], Any]:
    """``port``: which one is listened on where none is given, in words."""

    def add(command: Any) -> Any:
        command = host_option(workers_option(command))
        return click.option(
            "--port", type=click.IntRange(1, 65535), help=f"Port to listen on; {port} where not given."
        )(command)

    return add
