"""``portolan sites``: check the site configuration, list its sites, and apply it to the studio."""

from contextlib import closing, suppress
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ..config.env import Env, env
from ..config.start_django import start_django_to_write
from ..content.plugins import find_plugin_folder
from ..domain.words import say_count
from ..releases.added_sites import copy_added_sites
from ..releases.missing_plugins import MISSING_MEND, count_pages_of_missing_plugins, say_missing_plugins
from ..releases.reader import open_reader

if TYPE_CHECKING:
    from ..studio.site_sync import SyncReport


@click.group()
def command() -> None:
    """Check sites.toml, and apply it to the studio."""


@command.command("check")
def check() -> None:
    """Print every problem of sites.toml, with its fix."""
    registry = env().registry
    environments = ", ".join(registry.environments)
    _print(
        f"{escape(str(env().sites_file))} is valid: {say_count(len(registry.sites), 'site')}, environments {environments}."
    )
    for name in registry.plugins:
        find_plugin_folder(name)
    with suppress(Exception), closing(open_reader(env().database)) as reader:  # a database is optional
        if missing := count_pages_of_missing_plugins(reader, registry.plugins):
            _print(f"[yellow]{say_missing_plugins(missing)}[/yellow] {MISSING_MEND}")
            raise SystemExit(1)


@command.command("list")
def list_sites() -> None:
    """List the sites with their URLs."""
    registry = env().registry
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Key", "Name", "Language", "Direction", "Inherits", "URL"):
        table.add_column(column, overflow="fold")
    for site in registry.sites.values():
        address = site.origin(env().environment, env().port)
        table.add_row(site.key, escape(site.name), site.language, site.dir, site.inherits or "", address)
    _print(table)
    _print(f"The studio: {registry.studio_origin(env().environment, env().port)}")


@command.command("sync")
def sync() -> None:
    """Create the studio's sites and home pages from sites.toml."""
    report = sync_studio(env())
    for line in report.changes:
        _print(f"  [green]✓[/green] {escape(line)}")
    for line in report.leftovers:
        _print(f"  [yellow]![/yellow] {escape(line)}")
    if not report.changes:
        _print(f"The studio matches sites.toml: {say_count(len(env().registry.sites), 'site')}.")


def sync_studio(settings: Env) -> "SyncReport":
    """Create and update sites, languages, home pages and role groups from the site configuration."""
    copy_added_sites(settings.database, settings.added_sites_file)  # else they would count as removed
    start_django_to_write()
    from ..studio.permissions import sync_role_groups
    from ..studio.site_sync import SiteSyncError, sync_sites

    try:
        report = sync_sites(settings.registry, settings.environment, settings.port)
    except SiteSyncError as error:
        raise click.ClickException(str(error)) from error
    sync_role_groups()
    return report


def _print(what: object) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 200  # for files and pipes: do not wrap lines
    console.print(what)
