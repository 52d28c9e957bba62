"""Load Django once, then run API, studio and delivery as copies of this process, next to the edge of ``portolan serve``.

Loading Django is the slowest part of a start, and copies share memory. Each worker has its own process, so a heavy
request or a crash stays in it. If the site configuration changes, the whole process is replaced, because Django was
loaded with the old one.
"""

import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal

import click
from granian.log import LogLevels
from granian.net import SocketHolder  # type: ignore[attr-defined]  # its public name
from granian.server.mp import WorkerProcess
from starlette.types import ASGIApp

from ..config.processes import end_with_parent
from ..config.serving import BehindEdge, build_role, load_django
from ..observing.role_board import RoleBoard, use_board
from ..observing.work_pulse import take_place
from .role_watch import RoleWatch
from .server import CONNECTIONS, Server

Role = Literal["api", "studio", "leads"]

END_DELIVERY: Final = signal.SIGUSR1
"""Signal that ends the delivery of leads for good. API and studio continue."""
_EDGE: Final = "127.0.0.1"
"""Client address of requests on the roles' sockets. Only an edge may use them."""
_NAMES: Final = {"api": "API", "studio": "studio", "leads": "delivery of leads"}

_log = logging.getLogger(__name__)
_loaded: list[ASGIApp] = []
"""The loaded Django. Workers inherit it."""


class ApplicationServer(Server):
    def __init__(self, roles: Sequence[Role], sockets: dict[Role, socket.socket], watch: RoleWatch) -> None:
        """``roles``: the role of each worker."""
        self._roles = roles
        # The level is error, because Granian warns of more workers than the machine has cores.
        super().__init__(_EDGE, 0, len(roles), LogLevels.error, watch=watch)
        self._sockets = sockets
        self.on_startup(partial(_name_process, "django"))

    def name(self, number: int) -> str:
        return f"The {_NAMES[self._roles[number]]}"

    def role(self, number: int) -> str:
        return name_role(self._roles[number], number)

    def end_delivery(self) -> None:
        for role, worker in zip(self._roles, self.wrks, strict=False):
            if role == "leads":
                worker.terminate()  # type: ignore[no-untyped-call]

    def _init_shared_socket(self) -> None:
        """Skip: the sockets exist, and other processes listen on them."""
        self._ssp = self._sso = None

    def build_worker(self, number: int, target: Any, callback_loader: Any) -> Any:
        role = self._roles[number]
        if role == "leads":
            row = self.row(number)
            self.watch.board.begin(row)
            given = (os.getpid(), self.watch.board.file, row)
            return WorkerProcess(self, number, _deliver, given)  # type: ignore[no-untyped-call]
        listening = self._sockets[role]
        holder: Any = SocketHolder  # its types lack the arguments
        self._sso, self._shd = listening, holder(listening.fileno(), True, CONNECTIONS)
        return super().build_worker(number, target, partial(callback_loader, role))


def name_role(role: Role, number: int) -> str:
    """Return the name of a worker in the readiness report."""
    return f"{_NAMES[role]} {number + 1}" if role == "api" and number else _NAMES[role]


def main(parent: int, api: int, studio: int, workers: int, deliver: bool, board: int, row: str) -> None:
    # At once: a successor starts its own processes for the same leads.
    end_with_parent(parent, signal.SIGKILL)
    sockets: dict[Role, socket.socket] = {
        "api": socket.socket(fileno=api),
        "studio": socket.socket(fileno=studio),
    }
    _load_once()
    roles: list[Role] = [*["api"] * workers, "studio", *(["leads"] if deliver else [])]  # type: ignore[list-item]
    watch = RoleWatch(use_board(RoleBoard(board)), row)
    server = ApplicationServer(roles, sockets, watch)
    signal.signal(END_DELIVERY, lambda *_: server.end_delivery())
    server.serve(target_loader=partial(_load_role, os.getpid()), wrap_loader=False)


def _load_once() -> None:
    try:
        _loaded[:] = [load_django()]
    except BaseException:  # a settings error ends with SystemExit
        _log.exception("Django could not be loaded")  # workers log it too, and answer 503
        return
    from django.db import connections

    connections.close_all()  # workers must not share a connection


def _load_role(parent: int, role: BehindEdge) -> ASGIApp:
    """Return the application of ``role``. Runs in the worker process."""
    end_with_parent(parent, signal.SIGKILL)
    from ..config.edge_serving import SWITCH_S
    from ..config.observing import observe

    _name_process(role)
    observe(role)
    sys.setswitchinterval(SWITCH_S)  # the event loop shares the process with the threads that answer
    return _from_edge(build_role(role, [_EDGE], _give_django))


def _give_django() -> ASGIApp:
    return _loaded[0] if _loaded else load_django()


def _from_edge(app: ASGIApp) -> ASGIApp:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, "client": (_EDGE, 0)}, receive, send)

    return answer


def _deliver(parent: int, board: int, row: int) -> None:
    """Deliver leads in this process."""
    take_place(board, row)
    for number in (signal.SIGINT, signal.SIGTERM, END_DELIVERY):
        signal.signal(number, signal.SIG_DFL)
    end_with_parent(parent)
    _name_process("leads")
    from .leads import deliver_beside

    try:
        deliver_beside()
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)


def _name_process(role: str) -> None:
    """Set the name that process lists show, to tell these processes apart."""
    comm = Path("/proc/self/comm")
    if comm.exists():
        comm.write_text(f"portolan-{role}")


if __name__ == "__main__":
    *numbers, own_row = sys.argv[1:]
    main(*map(int, numbers), row=own_row)  # type: ignore[misc, arg-type]
