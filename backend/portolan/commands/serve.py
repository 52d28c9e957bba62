"""``portolan serve``: run edge, API, studio, publisher and delivery of leads as one command."""

import os
import signal
import sys
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import click
from rich.table import Table
from starlette.types import ASGIApp

from ..builds.hosts import Hosts, build_hosts, hosts_file, write_hosts
from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..config.edge_serving import watch_connections
from ..config.env import Env, env
from ..config.loading import loading
from ..config.processes import end_with_parent
from ..config.serving import build_whole
from ..releases.database_errors import find_trouble
from ..releases.database_version import WrongDatabase
from ..releases.missing_plugins import MISSING_MEND, count_pages_of_missing_plugins, say_missing_plugins
from ..releases.reader import open_reader
from ..sites.groups import MAIN_GROUP
from .applications import Applications
from .companion import Companion, watched_command
from .following import follow_registry
from .role_options import host_option, workers_option
from .role_watch import RoleWatch
from .serve_place import ServePlace, serve_place
from .server import CONNECTIONS, Server, allow_connections, check_port, check_var_dir, console
from .store_following import make_follower


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port to serve on. Default: PORTOLAN_PORT (8000).")
@host_option
@workers_option
@click.option("--publisher/--no-publisher", default=True, help="Also publish the changes of editors.")
@click.option("--deliver/--no-deliver", default=True, help="Also deliver leads.")
def command(port: int | None, host: str | None, workers: int, publisher: bool, deliver: bool) -> None:
    """Serve the sites, the API and the studio on one port."""
    if port is not None:
        os.environ["PORTOLAN_PORT"] = str(port)  # for the processes started here as well
    settings = env()
    host = host or settings.host
    check_folder(settings)
    with serve_place(settings.var_dir, settings.port) as place:
        check_port(host, settings.port, _another_port)
        _serve(settings, host, workers, publisher, deliver, place)


def _serve(settings: Env, host: str, workers: int, publisher: bool, deliver: bool, place: ServePlace) -> None:
    _say_if_wrong_database(settings)
    _close_database()
    allow_connections()
    hosts = build_hosts(settings.registry, settings.environment, settings.port)
    _write_hosts(settings, hosts)
    studio = settings.registry.studio_origin(settings.environment, settings.port)
    watch = RoleWatch()
    watch.start()
    applications = Applications(place.folder, workers, deliver, watch)
    applications.start()
    companions = list(_companions(watch))
    for child in companions:
        child.start()
    publishers = Publishers(watch)
    if publisher:
        publishers.follow()
    _print_addresses(hosts, studio, settings.builds_dir)

    def follow() -> None:
        applications.replace()
        if publisher:
            publishers.follow()

    def end_companions() -> None:
        place.note_ending()
        applications.end_delivery()
        children = [*companions, *publishers.running.values()]
        for child in children:
            child.ask_to_end()
        for child in children:
            child.stop()

    try:
        follow_registry(
            partial(Server, host, settings.port, workers, watch=watch, keeps_socket=True),
            partial(_load_edge, os.getpid(), settings.port, applications),
            follow,
            end_companions,
        )
    finally:
        end_companions()
        applications.stop()


def check_ready(settings: Env, host: str) -> None:
    """Raise ClickException with the fix if serving cannot start."""
    check_folder(settings)
    check_port(host, settings.port, _another_port)


def check_folder(settings: Env) -> None:
    """Print a warning if the var directory is not writable. Raise ClickException if no site could be served then."""
    try:
        check_var_dir(settings.var_dir)
    except click.ClickException as error:
        if not is_served(settings.builds_dir):
            raise
        console.print(
            f"[red]{error.message}[/] Until then the sites stay as they are, and forms are rejected unless the database "
            "is elsewhere.",
            soft_wrap=True,
        )


def is_served(builds: Path) -> bool:
    """Return whether a live build in this folder can be served without writing there."""
    with suppress(BuildError, OSError):
        return hosts_file(builds).is_file() and bool(read_live(builds).builds)
    return False


def _write_hosts(settings: Env, hosts: Hosts) -> None:
    try:
        write_hosts(settings.builds_dir, hosts, settings.keys)
    except OSError as error:
        if not is_served(settings.builds_dir):
            raise
        console.print(
            f"[red]{hosts_file(settings.builds_dir)} cannot be written ({error.strerror}).[/] The sites keep the hosts in this "
            "file.",
            soft_wrap=True,
        )


def _another_port(port: int) -> str:
    return f"PORTOLAN_PORT={port} portolan serve. The next publish updates the URLs in the pages."


def _say_if_wrong_database(settings: Env) -> None:
    """Warn about a database of another version. The sites are served anyway."""
    with suppress(Exception), closing(open_reader(settings.database)) as reader:  # each process reports its errors
        try:
            reader.require_fit(settings.registry.plugins)
        except WrongDatabase as error:
            console.print(
                f"[yellow]{find_trouble(error)}[/] Until then the sites stay as they are, and publishing and saving in the studio "
                "are off.",
                soft_wrap=True,
            )
        if missing := count_pages_of_missing_plugins(reader, settings.registry.plugins):
            console.print(f"[yellow]{say_missing_plugins(missing)}[/] {MISSING_MEND}", soft_wrap=True)


def _close_database() -> None:
    """Close connections of ``portolan demo``, because the server's process must not inherit the open file."""
    if "django.db" in sys.modules:
        from django.db import connections

        connections.close_all()


def _load_edge(parent: int, port: int, behind: Applications) -> ASGIApp:
    """Return the application. Runs in the worker process."""
    end_with_parent(parent, signal.SIGKILL)  # at once: a successor needs the port
    from ..config.observing import observe, watch_refusals

    observe("serve")
    watch_refusals()
    watch_connections(port, CONNECTIONS)
    with loading():
        return build_whole(*behind.loaders, behind.places, behind.is_starting)


class Publishers:
    """The shared publisher, and one for each group with its own."""

    def __init__(self, watch: RoleWatch) -> None:
        self._watch = watch
        self.running: dict[str, Companion] = {}
        """By group; the shared publisher has the name of the main group."""

    def follow(self) -> None:
        """Start and stop publishers to match the site configuration."""
        groups = env().registry.groups
        wanted = [MAIN_GROUP, *(name for name, group in groups.items() if group.publisher == "own")]
        for name in self.running.keys() - set(wanted):
            self.running.pop(name).stop()
        for name in wanted:
            if name not in self.running:
                self.running[name] = _publisher(name, self._watch)
                self.running[name].start()


def _publisher(group: str, watch: RoleWatch) -> Companion:
    name = f"publisher of {group}" if group else "publisher"
    return Companion(
        name,
        watched_command(watch, name, "publisher", *(["--group", group] if group else [])),
        f"The sites{' of that group' if group else ''} stay as they are, and changes wait.",
        withheld=["PORTOLAN_SMTP_URL", "PORTOLAN_LEADS_KEY", *env().registry.secret_names],
        watch=watch,
    )


def _companions(watch: RoleWatch) -> Iterator[Companion]:
    if env().build_store:
        yield make_follower(watch, env().registry.secret_names)
    if any(env().environment in cdn.environments for cdn in env().registry.cdns):
        purging = watched_command(watch, "purges", "purge", "--watch")
        yield Companion("purges", purging, "CDNs serve replaced files for a while longer.", watch=watch)


def _print_addresses(hosts: Hosts, studio: str, builds: Path) -> None:
    live: Collection[str] = ()
    with suppress(BuildError):  # the publisher repairs it
        live = read_live(builds).builds
    table = Table(box=None, show_header=False, pad_edge=False)
    for key, origin in hosts.origins.items():
        table.add_row(
            f"[bold]{key}[/]", f"[link={origin}]{origin}[/link]", "" if key in live else "[dim]not published yet[/]"
        )
    table.add_row("[bold]studio[/]", f"[link={studio}]{studio}[/link]", "")
    console.print(table)
    console.print("[dim]Press Ctrl-C to stop.[/]")
