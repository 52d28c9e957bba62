"""Replace the workers of servers with Django when the site configuration changes."""

from collections.abc import Callable

from starlette.types import ASGIApp

from ..config.env import env
from .registry_watch import RegistryWatch
from .server import Server, console, keep_serving


def follow_registry(
    build: Callable[[], Server],
    load: Callable[[], ASGIApp],
    also: Callable[[], None] = lambda: None,
    before_end: Callable[[], None] = lambda: None,
) -> None:
    """Serve until told to end. Workers are copies of this process, so they use its site configuration.

    ``also`` is called when the site configuration has changed, ``before_end`` before the server stops.
    """
    running: list[Server] = []

    def replace() -> None:
        _say(f"{env().sites_file} has changed. The workers are replaced.")
        for server in running:
            server.reload()
        also()

    RegistryWatch(env(), replace, _say).start()
    keep_serving(build, load, running=running, before_end=before_end)


def _say(line: str) -> None:
    console.print(line, soft_wrap=True, markup=False)
