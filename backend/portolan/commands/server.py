"""The server of a role: its workers, port and companions. Runs without Django and database."""

import asyncio
import errno
import logging
import os
import resource
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketHolder  # type: ignore[attr-defined]  # its public name
from rich.console import Console
from starlette.types import ASGIApp, Receive, Scope, Send

from ..config.env import env
from ..observing.logs import configure_logs, server_settings
from ..observing.role_board import RoleBoard
from .kept_socket import can_keep, is_kept, keep, take_kept
from .respawning import RespawningServer
from .role_watch import RoleWatch

DRAIN_S: Final = 10
"""Seconds for running requests and a publish to end."""

REPLACED_WITHIN_S: Final = 60
"""Seconds for requests of a replaced worker to end. Others serve meanwhile."""

_BEAT_EVERY_S: Final = 1.0

SLOWEST_HEADERS_MS: Final = 10_000
LARGEST_HEADERS: Final = 128 << 10
"""The server closes connections with larger headers without a reply. The API rejects headers of half this size with a
reply that explains it."""

CONNECTIONS: Final = 4096
"""Connections of one worker. Slow clients keep theirs for long, so there must be enough for the others."""

UNSENT_BYTES: Final = 128 << 10
"""Unsent bytes that the kernel keeps of a reply.

Without a limit it takes up to 4 MB for each slow client, and copying them delays all others.
"""

SILENT_S: Final = 1
"""Seconds for which the kernel keeps a connection that has sent nothing yet.

A replaced worker closes its connections. A request would be lost if its connection was accepted before it was sent.
"""


class _Console(Console):
    """With JSON logs, print JSON."""

    def print(self, *objects: Any, **how: Any) -> None:
        if env().log == "text":
            super().print(*objects, **how)
            return
        with self.capture() as said:
            super().print(*objects, **{**how, "soft_wrap": True})
        configure_logs("json")
        is_bad = any(mark in str(objects) for mark in ("[red]", "[yellow]"))
        logging.getLogger("portolan.server").log(logging.WARNING if is_bad else logging.INFO, said.get().strip())


console = _Console(stderr=True, highlight=False)


class Server(RespawningServer):
    """A server whose workers accept connections from one queue, so that a replaced worker loses none.

    On Linux, Granian alone gives each worker its own queue, which ends with the worker.
    """

    before_end: Callable[[], None] = staticmethod(lambda: None)
    """Ends the companions while the server still serves."""

    def __init__(
        self,
        host: str,
        port: int,
        workers: int = 1,
        log_level: LogLevels = LogLevels.warning,
        role: str = "edge",
        watch: RoleWatch | None = None,
        keeps_socket: bool = False,
    ) -> None:
        """Prepare a server of ``workers`` processes.

        ``role``: name of the workers in the readiness report. ``watch``: the watch of this command.
        ``keeps_socket``: keep the socket open for the next process, if no other server accepts requests meanwhile.
        """
        self._role = role
        self.watch = watch or RoleWatch()
        self._rows: dict[int, int] = {}
        self._keeps_socket = keeps_socket
        super().__init__(
            "portolan",  # a name: the loader returns the application
            address=host,
            port=port,
            workers=workers,
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=SLOWEST_HEADERS_MS, max_buffer_size=LARGEST_HEADERS),
            websockets=False,
            backlog=CONNECTIONS,
            backpressure=CONNECTIONS,
            log_level=log_level,
            log_dictconfig=server_settings(env().log),
            respawn_failed_workers=True,
            respawn_interval=1,
            workers_kill_timeout=DRAIN_S,
        )
        self.on_startup(self.watch.start)

    def name(self, number: int) -> str:
        """Return the name of a worker in the log."""
        return "A server process"

    def role(self, number: int) -> str:
        """Return the name of a worker in the readiness report."""
        return self._role if number == 0 else f"{self._role} {number + 1}"

    def row(self, number: int) -> int:
        """Return the worker's row of the board. The watch kills a worker that stays silent."""
        if number not in self._rows:
            self._rows[number] = self.watch.add(self.role(number), partial(self._kill, number))
        return self._rows[number]

    def build_worker(self, number: int, target: Any, callback_loader: Any) -> Any:
        row = self.row(number)
        self.watch.board.begin(row)
        loader = partial(_load_with_beats, callback_loader, self.watch.board, row)
        return super().build_worker(number, target, loader)

    def _kill(self, number: int) -> None:
        """Kill a silent worker. SIGTERM cannot end a stopped worker."""
        # Replaced workers have left the list.
        workers: list[Any] = [each for each in self.wrks if each.idx == number]
        for worker in workers:
            if worker.is_alive() and not worker.interrupt_by_parent:
                console.print(self.watch.describe(self.name(number)), soft_wrap=True)
                worker.inner.kill()

    def reload(self) -> None:
        """Replace the workers one by one, and return at once. Old workers finish their requests."""
        self.signal_handler_reload()  # type: ignore[no-untyped-call]

    def say_crash(self, number: int, pause_s: float) -> None:
        console.print(
            f"[red]{self.name(number)} ended by itself.[/] It restarts {f'in {pause_s} s' if pause_s else 'at once'}. "
            "See the lines above for the cause, or the system's log if it was killed.",
            soft_wrap=True,
        )

    def _init_shared_socket(self) -> None:
        """Bind the socket. Each worker listens on it once it has loaded.

        Until then a proxy can use another server. If the socket outlives the process, it listens from the start and
        requests wait.
        """
        self._ssp = None
        kept = take_kept(self.bind_addr, self.bind_port)
        self._sso = kept or _bind(self.bind_addr, self.bind_port)
        if kept is None and self._keeps_socket and can_keep():
            self._sso.listen(self.backlog)
            keep(self._sso)
        bound: Any = self._sso.fileno()
        holder: Any = SocketHolder  # its types lack the arguments
        self._sfd, self._shd = bound, holder(bound, False, self.backlog)

    def shutdown(self, exit_code: int = 0) -> None:
        if self.interrupt_signal:
            for worker in self.wrks:
                worker.interrupt_by_parent = True  # Ctrl-C ends them at once; this is no crash
            self.before_end()
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]

    def _reload(self, *given: Any) -> Any:
        usual: int | None = self.workers_kill_timeout
        self.workers_kill_timeout = REPLACED_WITHIN_S
        try:
            return super()._reload(*given)  # type: ignore[no-untyped-call]
        finally:
            self.workers_kill_timeout = usual


def _load_with_beats(load: Callable[[], ASGIApp], board: RoleBoard, row: int) -> ASGIApp:
    """Return the application of a worker, with a sign of life each second while its event loop runs."""
    app = load()

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            loop = asyncio.get_running_loop()

            def beat() -> None:
                board.beat(row)
                loop.call_later(_BEAT_EVERY_S, beat)

            beat()
        await app(scope, receive, send)

    return answer


def _bind(host: str, port: int) -> socket.socket:
    bound = socket.socket(_family(host), socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTES)
        if sys.platform == "linux":
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_S)
        bound.bind((host, port))
    except OSError:
        bound.close()
        raise
    return bound


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def keep_serving(
    build: Callable[[], Server],
    load: Callable[[], ASGIApp],
    running: list[Server] | None = None,
    before_end: Callable[[], None] = lambda: None,
) -> None:
    """Serve until told to end.

    ``running`` receives the server, so that the caller can reload it. ``before_end`` ends the companions while the
    server still serves.
    """
    server = build()
    server.before_end = before_end
    if running is not None:
        running[:] = [server]
    with suppress(SystemExit):  # a worker crashed while it was ending
        server.serve(target_loader=load, wrap_loader=False)


def _another_port(port: int) -> str:
    return f"--port {port}."


def allow_connections() -> None:
    """Raise the limit of open files for the connections. Most systems start with 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + 512
    if soft != resource.RLIM_INFINITY and soft < wanted:
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def check_var_dir(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise click.ClickException(
            f"Cannot write to {folder} ({error.strerror}). It is for builds, images and the database. "
            "Give this user write permission, or set PORTOLAN_VAR_DIR to another folder."
        ) from error


def check_port(host: str, port: int, example: Callable[[int], str] = _another_port) -> None:
    """Raise ClickException if the port is taken. Shared ports would accept another program without an error."""
    if is_kept(host, port):
        return
    with ExitStack() as stack:
        try:
            stack.enter_context(_bind(host, port)).listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                reason = "another program uses it. End it, or use another port"
            elif error.errno == errno.EACCES:
                reason = "this user may not use ports below 1024. Use a higher one"
            else:
                reason = f"{error.strerror}. Give an address of this machine with --host, or use another port"
            raise click.ClickException(
                f"Port {port} of {host} cannot be used: {reason}: {example(port + 1)}"
            ) from error
