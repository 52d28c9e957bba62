"""``portolan releases``: list, show, compare, revert and prune releases. Reads by SQL without Django."""

import getpass
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import click
from rich.console import Console
from rich.json import JSON
from rich.markup import escape
from rich.table import Table

from ..builds.live import read_live
from ..config.env import env
from ..config.start_django import start_django_to_write
from ..domain.company_day import company_day
from ..domain.moments import stamp
from ..domain.words import say_count
from ..publisher.lock import publish_lock
from ..publisher.retention import find_floor
from ..releases.diff import ItemChange, diff_releases, name_of
from ..releases.reader import ReleaseReader, open_reader
from .publish_report import blocked_lines

_STYLES = {"added": "green", "changed": "yellow", "removed": "red"}


@click.group()
def command() -> None:
    """List, show, compare and revert releases."""


@command.command("list")
@click.option("--limit", default=20, show_default=True, help="Number of rows, newest first.")
def list_releases(limit: int) -> None:
    """List releases, newest first."""
    with _reading() as reader:
        releases = reader.releases(limit)
    table = _table("Release", "Made", "By", "Added", "Changed", "Removed", "Note")
    for release in releases:
        made = stamp(release.created_at)
        counts = (str(release.added), str(release.changed), str(release.removed))
        table.add_row(str(release.number), made, escape(release.created_by), *counts, escape(release.note))
    _print(table if releases else "There are no releases yet. Create one: `portolan publish`")


@command.command("show")
@click.argument("number", type=int)
@click.argument("item", nargs=-1, metavar="[SITE KIND KEY]")
@click.option("--site", help="Only items of this site (`all`: items shared by all sites).")
@click.option("--kind", help="Only items of this kind.")
def show_release(number: int, item: tuple[str, ...], site: str | None, kind: str | None) -> None:
    """List the items of a release, or print the body of one item.

    SITE is `all` for items that are shared by all sites.
    """
    if len(item) not in (0, 3):
        raise click.UsageError(
            "Name an item with three words: SITE KIND KEY, as in the output of `portolan releases show N`."
        )
    with _reading() as reader:
        _require(reader, number)
        if item:
            _show_item(reader, number, *item)
            return
        items = reader.items(number)
    table = _table("Site", "Kind", "Key", "Name", "Digest", "Bytes")
    for found in items:
        label = found.site or "all"
        if (site and site != label) or (kind and kind != found.kind):
            continue
        name = escape(name_of(found))
        table.add_row(label, found.kind, found.key, name, found.digest[:12], f"{len(found.body):,}")
    _print(table)


@command.command("diff")
@click.argument("older", type=int)
@click.argument("newer", type=int)
def diff(older: int, newer: int) -> None:
    """Compare two releases: items and changed fields."""
    with _reading() as reader:
        for number in (older, newer):
            _require(reader, number)
        changes = diff_releases(reader, older, newer)
    table = _table("", "Site", "Kind", "Name", "Field", "Before", "After")
    for change in changes:
        for row in _rows(change):
            table.add_row(*row, style=_STYLES[change.change])
    counts = {kind: sum(change.change == kind for change in changes) for kind in _STYLES}
    _print(table if changes else f"Releases {older} and {newer} are identical.")
    if changes:
        _print(", ".join(f"{count} {kind}" for kind, count in counts.items()))


@command.command("revert")
@click.argument("number", type=int)
@click.option("--dry-run", is_flag=True, help="Print the changes to revert. Change nothing.")
def revert(number: int, dry_run: bool) -> None:
    """Revert the changes of a release.

    Items that were changed since are skipped and listed. All reverts go into one new release.
    """
    start_django_to_write()
    from ..content.entered import NotPossible
    from ..releases.waking import is_publisher_there, wake_publisher
    from ..studio import revert as reverting

    try:
        found = reverting.revert(number, getpass.getuser(), is_trial=dry_run)
    except NotPossible as error:
        raise click.ClickException(f"{error} Nothing changed.") from error
    table = _table("", "Item", "Sites", "Method, or reason to skip")
    for style, mark, rows in (("green", "reverted", found.done), ("yellow", "skipped", found.left)):
        for row in rows:
            table.add_row(mark, escape(row.title), escape(row.sites), escape(row.said), style=style)
    _print(table)
    if dry_run:
        _print(f"Nothing changed. To revert: `portolan releases revert {number}`")
    elif found.new is None:
        _print("Nothing changed: no release was created.")
    else:
        wake_publisher()
        waits = is_publisher_there()
        goes_on = "A running publisher puts it live now" if waits else "`portolan publish` puts it live"
        _print(f"Release {found.new} reverts them. {goes_on}, unless the sites are pinned (`portolan resume`).")
    if found.left and not found.done:
        raise SystemExit(1)


command.add_command(
    click.Command("take-back", params=revert.params, callback=revert.callback, hidden=True)
)  # until 0.3


@command.command("refresh")
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="SITE",
    help="Only items of this site (`all`: items shared by all sites). Repeat for more.",
)
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only items of this kind. Repeat for more.")
def refresh(sites: tuple[str, ...], kinds: tuple[str, ...]) -> None:
    """Create a release from all content, also unchanged content.

    Use it if rows, files or the site configuration were changed outside the studio, such as after a database restore.
    """
    start_django_to_write()
    from ..content.export import all_item_keys
    from ..releases.create import create_release
    from ..releases.waking import wake_publisher

    known_sites, known_kinds = {"all", *env().registry.sites}, {key.kind for key in all_item_keys()}
    _require_known("site", sites, known_sites)
    _require_known("kind", kinds, known_kinds)
    with publish_lock(env().builds_dir):  # not during an upgrade
        release = create_release(
            "refresh",
            company_day(datetime.now(UTC), env().registry.company.time_zone),
            full=True,
            chosen=lambda key: (not sites or (key.site or "all") in sites) and (not kinds or key.kind in kinds),
        )
    with _reading() as reader:
        blocked = blocked_lines(reader)
    if release:
        wake_publisher()
        _print(
            f"Release {release.number}: {release.added} added, {release.changed} changed, {release.removed} removed."
        )
        _print("A running publisher puts it live now. Otherwise, run `portolan publish`.")
    else:
        _print("Nothing changed: the newest release matches the studio's content.")
    for line in blocked:
        click.echo(line)
    if blocked:
        raise SystemExit(1)


command.add_command(click.Command("refreeze", params=refresh.params, callback=refresh.callback, hidden=True))


@command.command("index")
def index() -> None:
    """Rebuild the index of all releases from their items.

    The index has the URLs of pages and the references between items.
    Run this if `portolan verify` reports a difference. No release is created or published.
    """
    start_django_to_write()
    from ..releases.fill_index import write_anew

    write_anew()
    with _reading() as reader:
        left = reader.check_index()
    if left:
        raise click.ClickException(
            f"The index still differs from the items in {say_count(len(left), 'row')}. Report this bug."
        )
    _print("The index matches the items. Restart a running publisher, which has the old index in memory.")


def _require_known(what: str, given: Iterable[str], known: set[str]) -> None:
    for name in given:
        if name not in known:
            raise click.ClickException(
                f"There is no {what} {name!r}. Nothing changed. Available: {', '.join(sorted(known))}."
            )


def _rows(change: ItemChange) -> Iterator[tuple[str, ...]]:
    name = change.name if change.name == change.key else f"{change.name} ({change.key})"
    head: tuple[str, ...] = (change.change, change.site or "all", change.kind, escape(name))
    if not change.fields:
        yield (*head, "", "", "")
    for field in change.fields:
        yield (*head, escape(field.field), _brief(field.before), _brief(field.after))
        head = ("", "", "", "")


def _brief(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return escape(text if len(text) <= 120 else text[:119] + "…")


def _show_item(reader: ReleaseReader, number: int, site: str, kind: str, key: str) -> None:
    found = reader.item(number, "" if site == "all" else site, kind, key)
    if found is None:
        raise click.ClickException(
            f"Release {number} has no item {site} {kind} {key}. List its items: `portolan releases show {number}`"
        )
    _print(JSON(found.body.decode()))


def _require(reader: ReleaseReader, number: int) -> None:
    if not reader.exists(number):
        latest = reader.latest()
        hint = f"the newest is {latest}" if latest else "there are none yet. Create one: `portolan publish`"
        raise click.ClickException(f"There is no release {number}: {hint}.")


@contextmanager
def _reading() -> Iterator[ReleaseReader]:
    reader = open_reader(env().database)
    try:
        yield reader
    finally:
        reader.close()


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        right = column in ("Release", "Added", "Changed", "Removed", "Bytes")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table


def _print(what: Any) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # for files and pipes: do not wrap lines
    console.print(what)


@command.command("prune")
@click.option("--days", type=click.IntRange(1), help="Keep releases of the last N days. Default: as sites.toml says.")
@click.option("--dry-run", is_flag=True, help="Print the releases to remove. Change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def prune(days: int | None, dry_run: bool, yes: bool) -> None:
    """Remove old releases that no site shows. Redirects are kept.

    A running publisher does this automatically if `sites.toml` has `release_days` under [retention]. Asks first if more
    than a fifth of all releases would go, or if the clock may be wrong.
    """
    settings = env()
    days = days or settings.registry.retention.release_days
    if not days:
        raise click.UsageError(
            "The site configuration keeps all releases (release_days under [retention] is 0). Nothing was removed. Set --days."
        )
    start_django_to_write()
    from ..releases.prune import count_before
    from ..retention.guard import look, remove_overdue
    from .retention import old_releases

    now = datetime.now(UTC)
    with publish_lock(settings.builds_dir), _reading() as reader:
        floor = find_floor(reader, read_live(settings.builds_dir), days, now)
        gone = {what: count for what, count in count_before(floor).items() if count} if floor else {}
        said = ", ".join(f"{count:,} {what}" for what, count in gone.items())
        if floor and gone and not dry_run:
            rule = old_releases(floor)
            if (failed_check := look(rule, now).failed_check) and not yes:
                click.echo(f"Before release {floor}: {said} would be removed. Releases: {failed_check}.", err=True)
                click.confirm("Remove them? You cannot undo this.", abort=True)
            remove_overdue(rule, now, is_confirmed=True)
    if not gone:
        _print("Nothing to remove: newer releases need all data.")
    elif dry_run:
        _print(f"Before release {floor}: {said} would be removed. Nothing changed.")
    else:
        _print(f"Removed data that only releases before {floor} used: {said}.")
