"""Serve Django behind edges: the common part of ``portolan api`` and ``portolan studio``."""

import os
import signal
from functools import partial
from typing import Literal

from starlette.types import ASGIApp

from ..config.env import env
from ..config.processes import end_with_parent
from .following import follow_registry
from .role_watch import RoleWatch
from .server import CONNECTIONS, Server, allow_connections, check_port, check_var_dir, console
from .store_following import following

Role = Literal["api", "studio"]


def serve_role(role: Role, host: str | None, port: int, workers: int) -> None:
    settings = env()
    host = host or settings.host
    check_var_dir(settings.var_dir)
    check_port(host, port)
    allow_connections()
    if not settings.proxies:
        console.print(
            "[yellow]PORTOLAN_TRUSTED_PROXIES is not set:[/] all requests that edges forward count as one client. Set it to "
            "the edges' addresses.",
            soft_wrap=True,
        )
    console.print(
        f"The {'API' if role == 'api' else role} listens on {host}, port {port}. [dim]Press Ctrl-C to stop.[/]"
    )
    watch = RoleWatch()
    with following(settings, watch) as end_follower:
        follow_registry(
            partial(Server, host, port, workers, role="API" if role == "api" else role, watch=watch),
            partial(_load, role, os.getpid(), port),
            before_end=end_follower,
        )


def _load(role: Role, parent: int, port: int) -> ASGIApp:
    """Return the application. Runs in the worker process."""
    end_with_parent(parent, signal.SIGKILL)  # at once: a successor needs the port
    from ..config.edge_serving import watch_connections
    from ..config.observing import observe, watch_refusals
    from ..config.serving import build_role

    observe(role)
    watch_refusals()
    watch_connections(port, CONNECTIONS)
    return build_role(role, env().proxies)
