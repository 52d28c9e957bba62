"""``portolan upgrade``: upgrade database and sites from any earlier version.

Each step checks the present state, so the command can be killed at any point and run again.
"""

import os
import shutil
import sqlite3
import time
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

import click
from django.core.management import call_command
from rich.console import Console

from .. import __version__
from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..builds.verify import verify
from ..config.empty_database import prepare_database
from ..config.env import Env, env
from ..config.start_django import start_django
from ..domain.company_day import company_day
from ..domain.moments import stamp
from ..publisher.lock import publish_lock
from ..publisher.problem import PublishError, UsageError
from ..publisher.web_build import WebBuild
from ..releases.database_errors import find_trouble
from ..releases.database_version import NewerDatabase
from ..releases.formats import NewerFormat
from ..releases.reader import open_reader
from ..releases.upgrade_lock import upgrade_lock
from ..releases.wake import is_listening, wake
from .publish_report import print_summary, show_progress
from .publishing import load_web, open_publisher, start_pool
from .release_making import run_scheduled
from .release_worker import DjangoReleaseWorker
from .sites import sync_studio
from .steps import Steps
from .upgrade_work import describe, find_work, sqlite_file

SOMETHING_TO_DO: Final = 3
REFUSED: Final = 4
_STEPS_ASIDE_S: Final = 30
"""Seconds for a running publisher to finish its work."""


@click.command()
@click.option("--check", is_flag=True, help="Print the steps. Change nothing.")
@click.option("--dumped", is_flag=True, help="Confirm that you have just dumped the PostgreSQL database.")
@click.option(
    "--pictures/--no-pictures", default=True, help="Create images for social media, as `portolan publish` does."
)
def command(check: bool, dumped: bool, pictures: bool) -> None:
    """Upgrade database and sites to this version.

    Prints its steps first. You can run it again at any time, also after it was killed.

    \b
    Exit status 0: upgraded (--check: nothing to do).
                1: failed, with a message. The sites stay as they are.
                3: with --check: there is work to do.
                4: refused, because a newer version has used this database.
    """
    settings = env()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    web = _load_web(settings, pictures)
    try:
        work = find_work(settings, web)
    except (NewerDatabase, NewerFormat) as error:
        console.print(f"[red]{find_trouble(error)}[/] Nothing changed.")
        raise SystemExit(REFUSED) from None
    lines = [] if work.is_nothing else list(describe(work, settings))
    console.print(f"Portolan {__version__}: " + ("steps of the upgrade:" if lines else "nothing to do."))
    for line in lines:
        console.print(f"  · {line}")
    if check:
        raise SystemExit(0 if work.is_nothing else SOMETHING_TO_DO)
    if work.is_nothing:
        _say_what_is_live(settings, console)
        return
    if work.migrations and not work.is_new and sqlite_file(settings) is None and not dumped:
        raise click.ClickException(
            "Dump the PostgreSQL database first, because this command cannot. Nothing changed. Run "
            '`pg_dump --format=custom --file=before-upgrade.dump "$DATABASE_URL"`, then `portolan upgrade --dumped`.'
        )
    _Upgrade(settings, web, Steps(console)).run(is_new=work.is_new, migrates=bool(work.migrations))


class _Upgrade:
    def __init__(self, settings: Env, web: WebBuild, steps: Steps) -> None:
        self._settings = settings
        self._web = web
        self._steps = steps

    def run(self, is_new: bool, migrates: bool) -> None:
        with ExitStack() as alone:
            alone.enter_context(upgrade_lock(self._settings.upgrade_lock))
            self._wait_for_publisher()
            alone.enter_context(publish_lock(self._settings.builds_dir, on_wait=self._say_waiting))
            self._migrate(is_new, migrates)
            is_whole = self._publish() and self._verify()
        wake(self._settings.wake_socket)
        if migrates and not is_new:  # after all processes have resumed: it takes a minute for 5,000 pages
            with self._steps.step("Rebuilding the studio's search index"):
                call_command("wagtail_update_index", verbosity=0)
        _say_what_is_live(self._settings, self._steps.console)
        self._steps.console.print(
            "  Restart `portolan serve` if it runs. Until then it serves the sites with its old version, and its studio "
            "cannot save."
        )
        _say_who_is_not_connected(self._settings, self._steps.console)
        if not is_whole:
            raise SystemExit(1)

    def _wait_for_publisher(self) -> None:
        """Wait until a running publisher has paused. It restarts with this version after the upgrade."""
        socket = self._settings.wake_socket
        if not is_listening(socket):
            return
        with self._steps.step("Waiting for the running publisher to pause"):
            deadline = time.monotonic() + _STEPS_ASIDE_S
            while is_listening(socket):
                if time.monotonic() > deadline:
                    raise click.ClickException(
                        f"A running publisher did not pause within {_STEPS_ASIDE_S} s. It is of a very old version, or "
                        "busy with a large publish. Nothing changed. Wait for it or end it "
                        "(`portolan serve --no-publisher` serves the sites meanwhile), then run `portolan upgrade` again."
                    )
                wake(socket)
                time.sleep(0.1)

    def _migrate(self, is_new: bool, migrates: bool) -> None:
        file = sqlite_file(self._settings)
        if migrates and file is not None and not is_new:
            with self._steps.step("Copying the database"):
                copy = copy_database(file, self._settings.var_dir / "backups")
            self._steps.console.print(f"    {copy}")
        with self._steps.step("Migrating the database, and creating the index of releases if it is missing"):
            start_django()
            from ..content.plugin_migrations import find_unmade

            for app in find_unmade(self._settings.registry.plugins):
                raise click.ClickException(
                    f"Pages of the plugin {app} have fields without a migration. Nothing changed. "
                    f"Create one: `portolan django makemigrations {app}`. If the plugin came as a package, install a newer version "
                    "from its author."
                )
            # Also without missing migrations: an earlier upgrade may have been killed before the work after them.
            prepare_database()
        with self._steps.step("Adding the sites to the studio"):
            sync_studio(self._settings)

    def _publish(self) -> bool:
        """Create a release of changed items, and publish it. Return False if a site was left out."""
        reader = open_reader(self._settings.database)
        pool = start_pool(self._settings, self._web)
        try:
            self._remake_pictures()
            with self._steps.step("Creating a release of changed items"):
                problems = run_scheduled(reader, DjangoReleaseWorker(), datetime.now(UTC))
                self._snapshot()
            for problem in problems:
                self._steps.console.print(f"    [yellow]{problem}[/]")
            if reader.latest() is None:
                self._steps.skipped("Publishing", "there is no content yet")
                return True
            with open_publisher(self._settings, self._web, reader, pool) as publisher, show_progress() as progress:
                summary = publisher.publish(keep_going=True, progress=progress)
            print_summary(summary, reader)
            return not summary.problems
        except (PublishError, UsageError, BuildError) as error:
            raise click.ClickException(str(error)) from error
        finally:
            pool.close()
            reader.close()

    def _remake_pictures(self) -> None:
        start_django()
        from ..content.media_away import MediaAway
        from ..content.pictures import find_outdated, remake_outdated

        if not (count := find_outdated().count()):
            return
        with self._steps.step(f"Checking {count} images, and rendering outdated ones again"):
            try:
                made = remake_outdated()
            except MediaAway as error:
                raise click.ClickException(str(error)) from error
        self._steps.console.print(f"    {made} of {count}")

    def _snapshot(self) -> None:
        start_django()
        from ..releases.create import create_release

        create_release("upgrade", _today(), full=True)

    def _verify(self) -> bool:
        root = self._settings.builds_dir
        with self._steps.step("Verifying the live builds"):
            problems = [line for site, build in read_live(root).builds.items() for line in verify(root, site, build)]
        for problem in problems:
            self._steps.console.print(f"    [red]{problem}[/]")
        if problems:
            self._steps.console.print("    Render the damaged files again: `portolan publish --full --keep-going`")
        return not problems

    def _say_waiting(self) -> None:
        self._steps.console.print("  … Waiting for another publisher")


def copy_database(file: Path, folder: Path) -> Path:
    """Copy an SQLite database that is in use, completely or not at all. Return the file of the copy."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size, free = file.stat().st_size, shutil.disk_usage(folder).free
    if free < 2 * size:  # the migrations need space too
        raise click.ClickException(
            f"{folder} has {free / 1e6:,.0f} MB free, and a copy of the database needs {size / 1e6:,.0f} MB. Nothing "
            "changed. Free disk space, then run `portolan upgrade` again."
        )
    copy = folder / f"{file.stem}-{datetime.now(UTC):%Y%m%d-%H%M%S}{file.suffix}"
    unfinished = copy.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode=0o600)
    with closing(sqlite3.connect(file, timeout=20)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    unfinished.replace(copy)
    return copy


def _load_web(settings: Env, pictures: bool) -> WebBuild:
    """Return the web build. Checked first, because an upgrade needs it to publish."""
    try:
        return load_web(settings, pictures)
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(f"{error} Nothing changed.") from error


def _today() -> date:
    return company_day(datetime.now(UTC), env().registry.company.time_zone)


def _say_what_is_live(settings: Env, console: Console) -> None:
    live = read_live(settings.builds_dir)
    if not live.builds:
        console.print("  Nothing is live yet.")
    for site, build in live.builds.items():
        pin = live.pins.get(site)
        pinned = f" [yellow](pinned since {stamp(pin.since)}, by {pin.by}: `portolan resume`)[/]" if pin else ""
        console.print(f"  {site:<4} release {live.releases[site]}, build {build}{pinned}")


def _say_who_is_not_connected(settings: Env, console: Console) -> None:
    if settings.single_sign_on is None:
        return
    from ..accounts.provider_accounts import count_locked_out

    if count := count_locked_out():
        console.print(
            f"  [yellow]{count} accounts cannot use single sign-on until you have checked their e-mail addresses:[/] "
            "`portolan users allow-sso --everybody`"
        )
