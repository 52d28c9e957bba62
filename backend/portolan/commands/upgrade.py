"""``portolan upgrade``: brings database and sites from any earlier version to this one. Each step looks at what is there, so
that it can be killed at any point and run again.
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
from .freezer import DjangoFreezer
from .freezing import run_scheduled
from .publish_report import print_summary, show_progress
from .publishing import load_web, open_publisher, start_pool
from .sites import sync_studio
from .steps import Steps
from .upgrade_work import describe, find_work, sqlite_file

SOMETHING_TO_DO: Final = 3
REFUSED: Final = 4
_STEPS_ASIDE_S: Final = 30
"""How long a running publisher may take to end what it is at."""


@click.command()
@click.option("--check", is_flag=True, help="Print the steps. Change nothing.")
@click.option("--dumped", is_flag=True, help="Confirm that you have just dumped the PostgreSQL database.")
@click.option(
    "--pictures/--no-pictures", default=True, help="Create images for social media, as `portolan publish` does."
)
def command(check: bool, dumped: bool, pictures: bool) -> None:
    """Upgrade database and sites to this version.

    Says first what it will do. May be run again at any time, also after it was killed.

    \b
    Ends with 0: everything is of this version (--check: nothing to do).
              1: it failed, and says why; the sites stay as they are.
              3: --check: there is something to do.
              4: refused: a newer version has been at work on this database.
    """
    settings = env()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    web = _load_web(settings, pictures)
    try:
        work = find_work(settings, web)
    except (NewerDatabase, NewerFormat) as error:
        console.print(f"[red]{find_trouble(error)}[/] Nothing was changed.")
        raise SystemExit(REFUSED) from None
    lines = [] if work.is_nothing else list(describe(work, settings))
    console.print(f"Portolan {__version__}: " + ("what there is to do:" if lines else "nothing to do."))
    for line in lines:
        console.print(f"  · {line}")
    if check:
        raise SystemExit(0 if work.is_nothing else SOMETHING_TO_DO)
    if work.is_nothing:
        _say_what_is_live(settings, console)
        return
    if work.migrations and not work.is_new and sqlite_file(settings) is None and not dumped:
        raise click.ClickException(
            "PostgreSQL's own tools make the copy to go back to, and not this command; nothing was changed. Make one "
            '(`pg_dump --format=custom --file=before-upgrade.dump "$DATABASE_URL"`), then run `portolan upgrade --dumped`.'
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
        if migrates and not is_new:  # with everything at work again: it takes a minute for 5,000 pages
            with self._steps.step("Writing anew what the studio's search finds pages by"):
                call_command("wagtail_update_index", verbosity=0)
        _say_what_is_live(self._settings, self._steps.console)
        self._steps.console.print(
            "  A `portolan serve` that runs is of the version it was started as: start it again. Its sites are served "
            "until then, its studio saves nothing."
        )
        _say_who_is_not_connected(self._settings, self._steps.console)
        if not is_whole:
            raise SystemExit(1)

    def _wait_for_publisher(self) -> None:
        """A publisher that runs sees the upgrade's lock, ends what it is at, and starts again as this version when the
        upgrade has ended."""
        socket = self._settings.wake_socket
        if not is_listening(socket):
            return
        with self._steps.step("Waiting for the running publisher to step aside"):
            deadline = time.monotonic() + _STEPS_ASIDE_S
            while is_listening(socket):
                if time.monotonic() > deadline:
                    raise click.ClickException(
                        f"A publisher runs that did not step aside within {_STEPS_ASIDE_S} s: it is of a version that "
                        "knows no upgrades, or at work on something large. Nothing was changed. Wait for it, or end it "
                        "(`portolan serve --no-publisher` serves the sites meanwhile), and run `portolan upgrade` again."
                    )
                wake(socket)
                time.sleep(0.1)

    def _migrate(self, is_new: bool, migrates: bool) -> None:
        file = sqlite_file(self._settings)
        if migrates and file is not None and not is_new:
            with self._steps.step("Copying the database"):
                copy = copy_database(file, self._settings.var_dir / "backups")
            self._steps.console.print(f"    {copy}")
        with self._steps.step("Migrating the database, and writing the index of releases where there is none"):
            start_django()
            from ..content.plugin_migrations import find_unmade

            for app in find_unmade(self._settings.registry.plugins):
                raise click.ClickException(
                    f"Pages of the plugin {app} have fields that none of its migrations makes, so their tables would lack them and "
                    f"nothing was changed. Make one: portolan django makemigrations {app}. (It is the plugin's author who does, "
                    "where it came as a package: install its newer version.)"
                )
            # Also where no migration is missing: an upgrade that was killed may not have come to what follows them.
            prepare_database()
        with self._steps.step("Giving each site of the registry its place in the studio"):
            sync_studio(self._settings)

    def _publish(self) -> bool:
        """Freezes what differs, and publishes. False where a site was left out."""
        reader = open_reader(self._settings.database)
        pool = start_pool(self._settings, self._web)
        try:
            self._remake_pictures()
            with self._steps.step("Freezing what the newest release has otherwise"):
                problems = run_scheduled(reader, DjangoFreezer(), datetime.now(UTC))
                self._freeze()
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
        with self._steps.step(f"Looking at {count} pictures, and making those again that get other files"):
            try:
                made = remake_outdated()
            except MediaAway as error:
                raise click.ClickException(str(error)) from error
        self._steps.console.print(f"    {made} of {count}")

    def _freeze(self) -> None:
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
            self._steps.console.print("    `portolan publish --full --keep-going` renders the damaged files again.")
        return not problems

    def _say_waiting(self) -> None:
        self._steps.console.print("  … Another process publishes; waiting for it")


def copy_database(file: Path, folder: Path) -> Path:
    """A copy of an SQLite database, whole or not at all, while others use it. Returns its file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size, free = file.stat().st_size, shutil.disk_usage(folder).free
    if free < 2 * size:  # the migrations need room too
        raise click.ClickException(
            f"{folder} has room for {free / 1e6:,.0f} MB, and a copy of the database takes {size / 1e6:,.0f} MB. Nothing was "
            "changed: make room, then run `portolan upgrade` again."
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
    """Before anything is changed: an upgrade without a web build could not publish."""
    try:
        return load_web(settings, pictures)
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(f"{error} Nothing was changed.") from error


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
            f"  [yellow]Single sign-on lets {count} of the accounts in only after you have looked at their addresses:[/] "
            "`portolan users allow-sso --everybody`"
        )
