"""``portolan serve``: the edge, Django behind it, the publisher and what delivers leads, as one command that ends all it started."""

import errno
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from rich.console import Console
from rich.table import Table
from starlette.types import ASGIApp

from ..builds.hosts import Hosts, build_hosts, write_hosts
from ..builds.live import read_live
from ..config.env import Env, env
from ..config.processes import end_with_parent
from ..releases.database_errors import find_trouble
from ..releases.database_version import WrongDatabase
from ..releases.reader import open_reader

DRAIN_S: Final = 10
"""How long running requests, and a publish, may take to end."""

SLOWEST_HEADERS_MS: Final = 10_000
LARGEST_HEADERS: Final = 128 << 10
"""The server cuts off larger headers without an answer. The API refuses headers of half this size, with an
answer that says why."""

CONNECTIONS: Final = 4096
"""Slow clients hold theirs for long; there must be enough for the others."""

_PAUSES_S: Final = (0, 1, 2, 5, 15, 30)
_STEADY_AFTER_S: Final = 60
_COMMAND: Final = (
    "from portolan.config.processes import end_with_parent; end_with_parent({parent}); "
    "from portolan.commands.main import main; main()"
)

_console = Console(stderr=True, highlight=False)


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port to serve on; PORTOLAN_PORT (8000) where not given.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--publisher/--no-publisher", default=True, help="Publish what editors save while serving.")
@click.option("--deliver/--no-deliver", default=True, help="Deliver leads while serving.")
def command(port: int | None, host: str, publisher: bool, deliver: bool) -> None:
    """Serve the sites, the API and the studio on one port."""
    if port is not None:
        os.environ["PORTOLAN_PORT"] = str(port)  # for the processes started here as well
    settings = env()
    check_ready(settings, host)
    _say_if_wrong_database(settings)
    _close_database()
    _allow_connections()
    hosts = build_hosts(settings.registry, settings.environment, settings.port)
    write_hosts(settings.builds_dir, hosts)
    studio = settings.registry.studio_origin(settings.environment, settings.port)
    companions = list(_companions(publisher, deliver))
    for child in companions:
        child.start()
    _print_addresses(hosts, studio, settings.builds_dir)
    try:
        keep_serving(
            partial(_build_server, host, settings.port), partial(_load_application, os.getpid(), settings.port)
        )
    finally:
        for child in companions:
            child.ask_to_end()
        for child in companions:
            child.stop()


def _build_server(host: str, port: int) -> Any:  # which class it is, the package chooses by the platform
    return Granian(
        "portolan.config.serving:application",
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=SLOWEST_HEADERS_MS, max_buffer_size=LARGEST_HEADERS),
        websockets=False,
        backlog=CONNECTIONS,
        backpressure=CONNECTIONS,
        log_level=LogLevels.warning,
        respawn_failed_workers=True,
        workers_kill_timeout=DRAIN_S,
    )


def keep_serving(build: Callable[[], Any], load: Callable[[], ASGIApp], pauses_s: Sequence[float] = _PAUSES_S) -> None:
    """Serve until it is ended. The server restarts a crashed worker, and gives up if the new one crashes within
    seconds. Then the server itself is started again, after growing pauses.
    """
    ended = threading.Event()
    pauses = Pauses(pauses_s)
    while not ended.is_set():
        server = build()
        pauses.begin()
        try:
            server.serve(target_loader=load, wrap_loader=False)
        except SystemExit:
            if server.interrupt_signal:  # a crash while it was being ended
                return
        else:
            return
        for number in (signal.SIGTERM, signal.SIGINT):  # the server's own handlers know of no pause
            signal.signal(number, lambda *_: ended.set())
        pause = pauses.next()
        _console.print(
            f"[red]The server crashed twice within seconds.[/] Nobody is served for {pause} s; then it is started again. "
            "The reason stands above, or in the system's log where it was killed.",
            soft_wrap=True,
        )
        ended.wait(pause)


class Pauses:
    """How long to wait before something that ended is started again: longer each time, until it has run for a while."""

    def __init__(self, pauses_s: Sequence[float], clock: Callable[[], float] = time.monotonic) -> None:
        self._pauses_s = pauses_s
        self._clock = clock
        self._failures = 0
        self._began = 0.0

    def begin(self) -> None:
        self._began = self._clock()

    def next(self) -> float:
        is_steady = self._clock() - self._began > _STEADY_AFTER_S
        self._failures = 0 if is_steady else min(self._failures + 1, len(self._pauses_s) - 1)
        return self._pauses_s[self._failures]


def check_ready(settings: Env, host: str = "127.0.0.1") -> None:
    """Raises ClickException, with the fix, where serving could not start."""
    _check_var_dir(settings.var_dir)
    _check_port(host, settings.port)


def _say_if_wrong_database(settings: Env) -> None:
    """The sites are served all the same: that is most of what matters."""
    with suppress(Exception), closing(open_reader(settings.database)) as reader:  # each process says so by itself
        try:
            reader.require_fit()
        except WrongDatabase as error:
            _console.print(
                f"[yellow]{find_trouble(error)}[/] Until then the sites are served as they are, nothing is published, and "
                "the studio saves nothing.",
                soft_wrap=True,
            )


def _close_database() -> None:
    """``portolan demo`` has used it in this process, and the server's process must not inherit the open file."""
    if "django.db" in sys.modules:
        from django.db import connections

        connections.close_all()


def _allow_connections() -> None:
    """Each connection is an open file, and most systems start with 1,024 of them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + 512
    if soft != resource.RLIM_INFINITY and soft < wanted:
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))


def _load_application(parent: int, port: int) -> ASGIApp:
    """Called in the worker process."""
    end_with_parent(parent)
    from ..config.serving import application, watch_connections

    watch_connections(port, CONNECTIONS)
    return application


def _companions(publisher: bool, deliver: bool) -> Iterator["Companion"]:
    started = [sys.executable, "-c", _COMMAND.format(parent=os.getpid())]
    if publisher:
        yield Companion(
            "publisher",
            [*started, "publish", "--watch"],
            "The sites stay as they are; what editors publish waits.",
            withheld=["PORTOLAN_SMTP_URL", *env().registry.secret_names],
        )
    if deliver:
        yield Companion("delivery of leads", [*started, "leads", "deliver"], "Leads are taken as before; they wait.")


class Companion:
    """A long-lived command beside the server, started again when it ends by itself."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        meanwhile: str,
        pauses_s: Sequence[float] = _PAUSES_S,
        withheld: Collection[str] = (),
    ) -> None:
        """``meanwhile``: what happens without it, for whoever reads the terminal. ``withheld``: variables it is not to know."""
        self._name = name
        self._meanwhile = meanwhile
        self._arguments = arguments
        self._pauses = Pauses(pauses_s)
        self._environment = {name: value for name, value in os.environ.items() if name not in withheld}
        self._ending = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        # The kernel's signal to orphans goes by the thread that started them, so this one lives as long as the command.
        self._thread = threading.Thread(target=self._keep_running, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def ask_to_end(self) -> None:
        """Returns at once; several of them then end at the same time."""
        if self._ending.is_set():
            return
        self._ending.set()
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def stop(self) -> None:
        """Let it finish its current work. Killing it would be safe too."""
        self.ask_to_end()
        self._thread.join(DRAIN_S)
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()

    def _keep_running(self) -> None:
        while not self._ending.is_set():
            self._pauses.begin()
            self._process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                env=self._environment,
                # Ctrl-C in a terminal reaches every process of the group; this one is ended in order instead.
                start_new_session=True,
            )
            if self._ending.is_set():
                self._process.terminate()
            code = self._process.wait()
            if self._ending.is_set():
                return
            pause = self._pauses.next()
            _console.print(
                f"[yellow]The {self._name} ended (exit code {code}). {self._meanwhile} It is started again in {pause} s.[/]",
                soft_wrap=True,
            )
            self._ending.wait(pause)


def _check_var_dir(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise click.ClickException(
            f"{folder} cannot be written to ({error.strerror}). Builds, pictures and the database are kept there: "
            "give this user the right to write, or set PORTOLAN_VAR_DIR to another folder."
        ) from error


def _check_port(host: str, port: int) -> None:
    """The server's port can be shared by several processes, so it would also share it with another program, without an
    error."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                reason = "another program listens there. End it, or serve on another port"
            elif error.errno == errno.EACCES:
                reason = "this user may not use ports below 1024. Serve on a higher one"
            else:
                reason = f"{error.strerror}. Give an address of this machine with --host, or serve on another port"
            raise click.ClickException(
                f"Port {port} of {host} cannot be used: {reason}: PORTOLAN_PORT={port + 1} portolan serve. "
                "Addresses inside the pages follow at the next publish."
            ) from error


def _print_addresses(hosts: Hosts, studio: str, builds: Path) -> None:
    live = read_live(builds).builds
    table = Table(box=None, show_header=False, pad_edge=False)
    for key, origin in hosts.origins.items():
        table.add_row(
            f"[bold]{key}[/]", f"[link={origin}]{origin}[/link]", "" if key in live else "[dim]not published yet[/]"
        )
    table.add_row("[bold]studio[/]", f"[link={studio}]{studio}[/link]", "")
    _console.print(table)
    _console.print("[dim]Ctrl-C ends it.[/]")
