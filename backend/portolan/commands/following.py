"""Servers with Django follow the registry: their workers are replaced where it says something else."""

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
    """Serve until it is ended. Workers are copies of this process, so they have the registry that is in force here. ``also``
    is called when that is another one, ``before_end`` while it still serves."""
    running: list[Server] = []

    def replace() -> None:
        _say(f"{env().sites_file} says something else: the workers are replaced by ones that go by it.")
        for server in running:
            server.reload()
        also()

    RegistryWatch(env(), replace, _say).start()
    keep_serving(build, load, running=running, before_end=before_end)


def _say(line: str) -> None:
    console.print(line, soft_wrap=True, markup=False)
