"""What of ``portolan serve`` needs Django, as its server sees it: one process beside the edge, which has the API, the studio and
the delivery of leads as copies of itself (``application_server.py``).
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp

from ..config.env import env
from ..edge.remote import RemoteApplication
from .application_server import END_DELIVERY
from .companion import Companion
from .role_socket import RoleSocket
from .server import CONNECTIONS, DRAIN_S

_MODULE: Final = "portolan.commands.application_server"
_ENDS_WITHIN_S: Final = DRAIN_S + 5
"""It gives its own processes as long as a server does."""


class Applications:
    def __init__(self, folder: Path, port: int, workers: int, deliver: bool) -> None:
        """``port``: of the server, from which its sockets in ``folder`` have their names. ``workers``: of the API."""
        self._api, self._studio = (
            RoleSocket(folder / f"{role}-{port}.sock", CONNECTIONS) for role in ("api", "studio")
        )
        self._workers = workers
        self._deliver = deliver
        self._running = self._begin()

    @property
    def loaders(self) -> tuple[Callable[[], ASGIApp], Callable[[], ASGIApp]]:
        """What an edge is given to reach the API and the studio."""
        reach_api, reach_studio = (partial(_reach, each.address) for each in (self._api, self._studio))
        return reach_api, reach_studio

    def start(self) -> None:
        self._running.start()

    def replace(self) -> None:
        """By others, which go by another registry. Requests wait meanwhile."""
        self._running.ask_to_end()
        self._running = self._begin()
        self._running.start()

    def end_delivery(self) -> None:
        """After what it is at. API and studio answer until ``stop``."""
        if self._deliver:
            self._running.send(END_DELIVERY)

    def stop(self) -> None:
        self._running.stop()
        for each in (self._api, self._studio):
            each.remove()

    def _begin(self) -> Companion:
        files = [each.listening.fileno() for each in (self._api, self._studio)]
        given = (os.getpid(), *files, self._workers, int(self._deliver))
        return Companion(
            "process of API, studio and delivery",
            [sys.executable, "-m", _MODULE, *map(str, given)],
            "Pages are served; what is asked of API and studio waits, and so do leads' deliveries.",
            ends_within_s=_ENDS_WITHIN_S,
            files=files,
        )


def _reach(address: str) -> ASGIApp:
    return RemoteApplication(f"http://{env().host}", socket=address)
