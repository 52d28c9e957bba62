"""Options of commands that serve."""

from collections.abc import Callable
from typing import Any

import click

host_option: Callable[[Any], Any] = click.option(
    "--host", help="Address to listen on. Default: PORTOLAN_HOST (127.0.0.1)."
)
workers_option: Callable[[Any], Any] = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that share the port. Their rate limits are shared only if CACHE_URL is set.",
)


def server_options(port: str) -> Callable[[Any], Any]:
    """Add the options of a server. ``port``: the default port, as the help prints it."""

    def add(command: Any) -> Any:
        command = host_option(workers_option(command))
        return click.option("--port", type=click.IntRange(1, 65535), help=f"Port to listen on. Default: {port}.")(
            command
        )

    return add
