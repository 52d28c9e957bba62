"""``portolan edge``: serve the sites' files, and forward requests to API and studio.

Runs without Django and database.
"""

import os
import signal
from functools import partial

import click
from starlette.types import ASGIApp

from ..config.env import env
from ..config.processes import end_with_parent
from .role_options import server_options
from .role_watch import RoleWatch
from .server import CONNECTIONS, Server, allow_connections, check_port, console, keep_serving
from .store_following import following


@click.command()
@server_options("PORTOLAN_PORT (8000)")
def command(port: int | None, host: str | None, workers: int) -> None:
    """Serve the sites, and forward requests to API and studio.

    Set PORTOLAN_API_URL and PORTOLAN_STUDIO_URL to forward requests.
    """
    settings = env()
    host, port = host or settings.host, port or settings.port
    check_port(host, port)
    allow_connections()
    for what, url in (("API", settings.api_url), ("studio", settings.studio_url)):
        console.print(f"{what:<7} {url or '[dim]not set: requests get 503[/]'}", soft_wrap=True)
    console.print(f"The edge listens on {host}, port {port}. [dim]Press Ctrl-C to stop.[/]")
    from ..config import edge_serving  # noqa: F401  once: workers are copies of this process

    watch = RoleWatch()
    with following(settings, watch) as end_follower:
        build = partial(Server, host, port, workers, watch=watch)
        keep_serving(build, partial(_load, os.getpid(), port), before_end=end_follower)


def _load(parent: int, port: int) -> ASGIApp:
    """Return the application. Runs in the worker process."""
    end_with_parent(parent, signal.SIGKILL)  # at once: a successor needs the port
    from ..config.edge_serving import build_edge_alone, watch_connections
    from ..config.loading import loading
    from ..config.observing import observe, watch_refusals

    observe("edge")
    watch_refusals()
    watch_connections(port, CONNECTIONS)
    with loading():
        return build_edge_alone()
