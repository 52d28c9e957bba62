"""``portolan purge``: purge replaced files from the CDNs in front of the sites."""

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click

from ..builds.disk import make_folder
from ..builds.file_lock import file_lock
from ..builds.hosts import hosts_file
from ..builds.live import live_file
from ..cdn.purger import PurgeDone, Purger
from ..config.env import Env, env
from ..domain.moments import stamp
from ..domain.words import say_count
from ..observing.work_pulse import start_pulse
from ..sites.follow import RegistryFile
from ..sites.load import RegistryError

_LOOK_EVERY_S: Final = 0.1
_LOOK_AGAIN_S: Final = 1
"""Interval of retries and second purges."""
_EDGES_FOLLOW_S: Final = 0.05
"""Edges read the pointer every 20 ms. A slower edge is covered by the second purge."""


@click.command()
@click.option("--watch", is_flag=True, help="Keep running and purge after each publish.")
@click.option("--all", "everything", is_flag=True, help="Purge all files of every site.")
def command(watch: bool, everything: bool) -> None:
    """Purge replaced files from the CDNs."""
    settings = env()
    purger = open_purger(settings)
    if not purger.is_needed:
        raise click.ClickException(f"sites.toml names no CDN for a site in {settings.environment}. Nothing was purged.")
    with purge_lock(settings.builds_dir, wait=True):
        done = purger.drop_everything() if everything else purger.round(settle=not watch)
        for line in say(done):
            click.echo(line)
        if watch:
            start_pulse(settings.silent_after_s, of_main_thread=False)
            _stay(settings, purger)
    if not watch and any(each.failure for each in done):
        raise SystemExit(1)


def open_purger(settings: Env) -> Purger:
    from ..cdn.backends import MOST_URLS, purge  # here, because it loads Wagtail's backends: half a second

    return Purger(
        settings.builds_dir,
        settings.registry,
        settings.environment,
        settings.port,
        settings.secrets,
        purge,
        MOST_URLS,
    )


def purge_after(settings: Env) -> None:
    """Purge after a switch, unless a long-running process does. Never fails."""
    if not any(settings.environment in cdn.environments for cdn in settings.registry.cdns):
        return
    with purge_lock(settings.builds_dir, wait=False) as is_ours:
        if not is_ours:
            return
        time.sleep(_EDGES_FOLLOW_S)
        for done in open_purger(settings).round():
            for line in say([done]):
                click.secho(line, fg="yellow" if done.failure else None)


def say(done: Sequence[PurgeDone]) -> list[str]:
    return [
        f"Not purged at {each.cdn}: {each.failure} The release is live, but this CDN may serve older files. `portolan purge` tries again."
        if each.failure
        else f"Purged at {each.cdn}: {say_count(each.urls, 'URL')}."
        for each in done
        if each.urls
    ]


def purge_lock(builds: Path, wait: bool) -> AbstractContextManager[bool]:
    """Lock purging to one process. Yield whether this process has the lock; always True with ``wait``."""
    make_folder(builds)
    return file_lock(builds / "purge.lock", wait)


def _stay(settings: Env, purger: Purger) -> None:
    """Run until told to end. If the site configuration changes, restart with the same process id."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    registry = RegistryFile(settings.sites_file, settings.registry, settings.added_sites_file)
    files = (live_file(settings.builds_dir), hosts_file(settings.builds_dir))
    seen, next_at = _signatures(files), 0.0
    while not ended.wait(_LOOK_EVERY_S):
        now = time.monotonic()
        found = _signatures(files)
        if found == seen and now < next_at:
            continue
        if found != seen:
            ended.wait(_EDGES_FOLLOW_S)
        seen, next_at = found, now + _LOOK_AGAIN_S
        if _is_other(registry):
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  (this program)
        for line in say(purger.round()):
            click.echo(f"{stamp(datetime.now(UTC))} purge: {line}", err=True)


def _is_other(registry: RegistryFile) -> bool:
    try:
        return registry.find_other() is not None
    except RegistryError:  # the publisher reports it; the previous configuration stays in use
        return False


def _signatures(files: Sequence[Path]) -> list[tuple[int, int]]:
    found = []
    for file in files:
        try:
            status = file.stat()
            found.append((status.st_ino, status.st_mtime_ns))
        except OSError:
            found.append((0, 0))
    return found
