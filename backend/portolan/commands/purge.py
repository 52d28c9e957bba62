"""``portolan purge``: has the CDNs in front drop what has been replaced."""

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
from ..observing.work_pulse import start_pulse
from ..sites.follow import RegistryFile
from ..sites.load import RegistryError

_LOOK_EVERY_S: Final = 0.1
_LOOK_AGAIN_S: Final = 1
"""Retries and second purges are due at this pace."""
_EDGES_FOLLOW_S: Final = 0.05
"""An edge looks at the pointer every 20 ms. One that is slower gets its second purge."""


@click.command()
@click.option("--watch", is_flag=True, help="Keep running and purge after each publish.")
@click.option("--all", "everything", is_flag=True, help="Purge all files of every site.")
def command(watch: bool, everything: bool) -> None:
    """Purge replaced files from the CDNs."""
    settings = env()
    purger = open_purger(settings)
    if not purger.is_needed:
        raise click.ClickException(
            f"sites.toml names no CDN in front of a site in {settings.environment}, so there is nothing to purge."
        )
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
    from ..cdn.backends import MOST_URLS, purge  # loads Wagtail's: half a second

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
    """Of a command that has switched something and ends: purge, unless a process that stays does. Never fails."""
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
        f"Not purged at {each.cdn}: {each.failure} What is live is live; there it may be seen later. `portolan purge` tries again."
        if each.failure
        else f"Purged at {each.cdn}: {each.urls} addresses."
        for each in done
        if each.urls
    ]


def purge_lock(builds: Path, wait: bool) -> AbstractContextManager[bool]:
    """One process purges at a time. Whether this one does; it always does where it may ``wait``."""
    make_folder(builds)
    return file_lock(builds / "purge.lock", wait)


def _stay(settings: Env, purger: Purger) -> None:
    """Until it is ended. If the registry says something else, the process starts itself again, under the same number."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    registry = RegistryFile(settings.sites_file, settings.registry)
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
            os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  (ourselves)
        for line in say(purger.round()):
            click.echo(f"{stamp(datetime.now(UTC))} purge: {line}", err=True)


def _is_other(registry: RegistryFile) -> bool:
    try:
        return registry.find_other() is not None
    except RegistryError:  # the publisher says so; what it said before holds
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
