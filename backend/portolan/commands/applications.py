"""Start and stop the process of ``portolan serve`` that has Django: API, studio and delivery of leads.

See ``application_server.py``.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp

from ..config.env import env
from ..config.role_answers import Place
from ..edge.remote import RemoteApplication
from .application_server import END_DELIVERY, name_role
from .companion import Companion
from .role_socket import RoleSocket
from .role_watch import RoleWatch
from .server import CONNECTIONS, DRAIN_S

_MODULE: Final = "portolan.commands.application_server"
_NAME: Final = "process of API, studio and delivery"
_ENDS_WITHIN_S: Final = DRAIN_S + 5
"""The process gives its workers as long as a server does."""


class Applications:
    def __init__(self, folder: Path, workers: int, deliver: bool, watch: RoleWatch) -> None:
        """``folder``: for the sockets; only this command uses it. ``workers``: number of API workers."""
        self._api, self._studio = (RoleSocket(folder / f"{role}.sock", CONNECTIONS) for role in ("api", "studio"))
        self._workers = workers
        self._deliver = deliver
        self._watch = watch
        self._serving = [_NAME, *(name_role("api", number) for number in range(workers)), name_role("studio", 0)]
        for name in [*self._serving, *([name_role("leads", 0)] if deliver else [])]:
            watch.board.add(name)
        self._running = self._begin()

    @property
    def places(self) -> dict[str, Place]:
        """Return where API and studio listen, so that the edge can check them."""
        url = f"http://{env().host}"
        return {"API": Place(url, self._api.address), "studio": Place(url, self._studio.address)}

    def is_starting(self) -> bool:
        """Return True while API or studio is starting and requests wait. Any process may call this."""
        return any(row.is_starting for row in self._watch.board.rows() if row.name in self._serving)

    @property
    def loaders(self) -> tuple[Callable[[], ASGIApp], Callable[[], ASGIApp]]:
        """Return the applications through which an edge reaches API and studio."""
        reach_api, reach_studio = (partial(_reach, each.address) for each in (self._api, self._studio))
        return reach_api, reach_studio

    def start(self) -> None:
        self._running.start()

    def replace(self) -> None:
        """Start new processes with the current site configuration. Requests wait meanwhile."""
        self._running.ask_to_end()
        self._running = self._begin()
        self._running.start()

    def end_delivery(self) -> None:
        """End delivery after its current work. API and studio answer until ``stop``."""
        if self._deliver:
            self._running.send(END_DELIVERY)

    def stop(self) -> None:
        self._running.stop()
        for each in (self._api, self._studio):
            each.close()

    def _begin(self) -> Companion:
        files = [each.listening.fileno() for each in (self._api, self._studio)]
        given = (os.getpid(), *files, self._workers, int(self._deliver), self._watch.board.file, _NAME)
        return Companion(
            _NAME,
            [sys.executable, "-m", _MODULE, *map(str, given)],
            "Pages are served. Requests to API and studio wait, and leads are not delivered.",
            ends_within_s=_ENDS_WITHIN_S,
            files=files,
            watch=self._watch,
        )


def _reach(address: str) -> ASGIApp:
    return RemoteApplication(f"http://{env().host}", socket=address)
