"""``portolan restore``: restore an installation from a backup, report missing data, and publish the live releases."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console
from rich.markup import escape

from ..backups.catalogue import Backup, Contents, find_backup
from ..backups.make import describe_build
from ..backups.put_back import PutBack, Wish, put_back
from ..backups.put_uploads import Counts
from ..backups.target import open_target
from ..builds.live import keep_was_live, read_live
from ..builds.manifest import BuildError
from ..config.env import Env, env
from ..config.project import SITES_FILE
from ..config.start_django import start_django
from ..domain.moments import stamp
from ..domain.problem_texts import say_each
from ..publisher.lock import publish_lock
from ..publisher.problem import PublishError, UsageError
from ..publisher.publish import Summary
from ..releases.reader import ReleaseReader, open_reader
from ..releases.upgrade_lock import upgrade_lock
from .backup import folders_of, load_keys
from .publish_report import show_progress
from .publishing import load_web, open_publisher, open_shared, start_pool
from .steps import Steps

if TYPE_CHECKING:
    from ..publisher.publish import Publisher

NOT_WHOLE: Final = 3
_MARKS: Final = {"well": "[green]✓[/]", "warning": "[yellow]![/]", "missing": "[red]✗[/]"}


@click.command()
@click.argument("source")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--backup", "id", default="", metavar="ID", help="Backup to restore. Default: the newest.")
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with the secret key. Default: PORTOLAN_BACKUP_KEY.",
)
@click.option("--replace", "replaces", is_flag=True, help="Move an existing installation aside. Stop it first.")
@click.option(
    "--keep-project", is_flag=True, help="Keep the site configuration, brand and public files of this folder."
)
@click.option("--publish/--no-publish", default=True, help="Publish the live releases, or restore only the data.")
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    folder: Path | None,
    id: str,
    key_file: Path | None,
    replaces: bool,
    keep_project: bool,
    publish: bool,
) -> None:
    """Restore a backup from SOURCE into FOLDER.

    SOURCE is the TARGET of `portolan backup`. FOLDER is this folder by default.

    Then it compares database and files, reports missing data, publishes the live releases, and runs `portolan doctor`.

    \b
    Exit status 0: complete.
                1: failed, with a message. The installation is unchanged, unless the message says otherwise.
                3: restored, but data is missing, an upgrade is needed, or a site could not be published.
    """
    _go_to(folder)
    settings = env()
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    steps = Steps(console)
    target = open_target(source)
    backup = find_backup(target, id)
    wish = Wish(load_keys(settings, key_file), replaces, keep_project)
    console.print(
        f"Backup {backup.id} of {backup.company}, created {stamp(backup.created)} by Portolan {backup.version}:"
    )
    settings.var_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    with upgrade_lock(settings.upgrade_lock):  # running processes neither publish nor save meanwhile
        with steps.step("Fetching, comparing and moving the files"):
            done = put_back(target, backup, folders_of(settings, with_plugins=False), wish)
        if done.aside:
            console.print(f"    The previous installation is in {done.aside}")
        if done.waiting:
            leads = "waiting lead was" if done.waiting == 1 else "waiting leads were"
            console.print(f"    {done.waiting} {leads} moved to the restored installation")
        if done.uploads:
            console.print(f"    {_say_uploads(done.uploads)}")
        settings = _read_settings_again()
        if not done.has_builds:
            keep_was_live(settings.builds_dir, done.contents.pointer)
        if done.lacks:
            console.print(
                f"  [yellow]The database is of Portolan {backup.version}, and lacks {len(done.lacks)} migrations of this "
                "version.[/] Now run `portolan upgrade --dumped`, which migrates and publishes, then `portolan doctor`."
            )
            raise SystemExit(NOT_WHOLE)
        is_whole = _reconcile(console, settings)
        if publish:
            is_whole &= _publish(settings, done, steps)
    _say_what_next(console, backup, done)
    from .doctor import command as doctor

    try:
        ctx.invoke(doctor, role="serve", as_json=False, others=())
    except SystemExit as ended:
        is_whole &= not ended.code
    raise SystemExit(0 if is_whole else NOT_WHOLE)


def _go_to(folder: Path | None) -> None:
    """Create the folder and use it for all folders that the environment does not set."""
    place = (folder or Path()).absolute()
    place.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PORTOLAN_SITES_FILE", str(place / SITES_FILE))


def _read_settings_again() -> Env:
    """Return the settings with the restored site configuration and web build."""
    env.cache_clear()
    return env()


def _say_uploads(uploads: Counts) -> str:
    replaced = f", {uploads.different} replaced" if uploads.different else ""
    return f"Uploads in {uploads.storage}: {uploads.missing} restored, {uploads.equal} unchanged{replaced}"


def _reconcile(console: Console, settings: Env) -> bool:
    start_django()
    from ..backups.reconcile import reconcile
    from ..leads.models import LeadFile
    from ..leads.open_store import open_store

    store = open_store()
    names = list(LeadFile.objects.values_list("path", flat=True))
    store.hand_over(names)  # if machines share a storage for leads' files
    store.forget(names)
    lines = list(reconcile(store, settings.media_storage))
    for line in lines:
        console.print(f"  {_MARKS[line.state]} {line.said}")
    return not any(line.state == "missing" for line in lines)


def _publish(settings: Env, done: PutBack, steps: Steps) -> bool:
    """Put the previous live state live, then the newest release on sites that are not pinned.

    Return False if a site is not live, or is live with a problem.
    """
    contents = done.contents
    if done.has_builds and _is_whole(settings, contents):
        steps.skipped("Publishing", "the builds are from the backup")
        return True
    with _publisher(settings) as (publisher, reader):
        if reader.latest() is None:
            steps.skipped("Publishing", "there are no releases yet")
            return True
        with steps.step("Publishing the live releases"), _readable_errors(), show_progress() as progress:
            summary = publisher.publish(keep_going=True, progress=progress)
    live = read_live(settings.builds_dir)
    lines = [*_compare(settings, contents, live.builds, live.releases), *_say_problems(summary)]
    for line in lines:
        steps.console.print(f"    {line}")
    return {*contents.live} <= {*live.builds} and not summary.live_problems


def _say_problems(summary: Summary) -> Iterator[str]:
    for line in say_each(change.problem for change in summary.blocked):
        yield f"[yellow]![/] Blocked, as before: {escape(line)}"
    for line in say_each(summary.problems):
        yield f"[red]✗[/] Left out: {escape(line)}"
    for line in say_each(summary.live_problems):
        yield f"[red]✗[/] Live with a problem, because the site had nothing else to serve: {escape(line)}"


def _is_whole(settings: Env, contents: Contents) -> bool:
    try:
        found = {
            site: describe_build(settings.builds_dir, site, each.build, each.release)
            for site, each in contents.live.items()
        }
    except BuildError:
        return False
    return found == dict(contents.live)


def _compare(
    settings: Env, contents: Contents, builds: Mapping[str, str], releases: Mapping[str, int]
) -> Iterator[str]:
    same: list[str] = []
    other: list[str] = []
    for site, was in contents.live.items():
        if site not in builds:
            yield f"[red]✗[/] {site} is not live. See the reason: `portolan publish --keep-going`"
            continue
        now = describe_build(settings.builds_dir, site, builds[site], releases[site])
        (same if now.pages == was.pages else other).append(site)
    if same:
        yield f"[green]✓[/] {', '.join(same)}: all files are identical to the live files in the backup."
    if other:
        then = ", ".join(f"{site} {contents.live[site].release}" for site in other)
        shown = ", ".join(sorted({str(releases[site]) for site in other}))
        yield (
            f"[yellow]![/] {', '.join(other)}: live again with release {shown}, but files differ from the backup (releases: {then}). "
            "This happens if another release was pending, or if the date, the version or the URL has changed."
        )


@contextmanager
def _publisher(settings: Env) -> "Iterator[tuple[Publisher, ReleaseReader]]":
    shared = open_shared(settings)
    web = load_web(settings, pictures=True)
    reader = open_reader(settings.database)
    pool = start_pool(settings, web)
    try:
        with (
            open_publisher(settings, web, reader, pool, shared=shared) as publisher,
            publish_lock(settings.builds_dir, shared=shared),
        ):
            yield publisher, reader
    finally:
        pool.close()
        reader.close()


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(
            f"The data is restored, but could not be published: {error}\nFix this, then run `portolan publish --keep-going` and "
            "`portolan doctor`."
        ) from error


def _say_what_next(console: Console, backup: Backup, done: PutBack) -> None:
    console.print(f"  Data from after {stamp(backup.created)} is not in this backup. Check by hand:")
    console.print("    · newer leads are in the destinations that received them (CRM, mailbox);")
    console.print("    · leads that were erased since are back: erase them again (`portolan leads erase EMAIL`);")
    if not backup.recipients:
        console.print("    · the secret key is not in the backup: if you use a new one, everyone must sign in again;")
    console.print("    · a CDN may serve newer pages: `portolan purge --all`.")
