"""The option ``--health``, for commands that keep running without an HTTP server."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..domain.health import Role

if TYPE_CHECKING:
    from ..observing.work_pulse import WorkPulse
    from .health_listener import HealthListener


def _read(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    host, _, port = (value or "").rpartition(":")
    if value and not (host and port.isdigit() and int(port) < 65536):
        raise click.BadParameter("give an address and a port, such as 127.0.0.1:8003")
    return value


health_option: Callable[[Any], Any] = click.option(
    "--health",
    metavar="HOST:PORT",
    callback=_read,
    help="Address that answers /-/live and /-/ready, for monitoring.",
)


def start_listener(role: Role, address: str | None, pulse: "WorkPulse") -> "HealthListener | None":
    if address is None:
        return None
    from .health_listener import HealthListener  # here, because it loads an HTTP server

    listener = HealthListener(role, address, pulse)
    listener.start()
    return listener
