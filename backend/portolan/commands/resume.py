"""``portolan resume``: let pinned sites follow the newest release again."""

import getpass

import click

from ..builds.live import resume
from ..builds.manifest import BuildError
from ..config.env import env
from ..publisher.lock import publish_lock
from ..publisher.scope import Scope
from ..releases.wake import wake
from .publishing import open_shared


@click.command()
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site. Repeat for more.")
def command(sites: tuple[str, ...]) -> None:
    """Publish new releases again, after `portolan rollback`."""
    settings = env()
    try:
        shared = open_shared(settings)
        groups = Scope.around(settings.registry, sites).groups if sites else None
        with publish_lock(settings.builds_dir, shared=shared, groups=groups):
            resumed = resume(settings.builds_dir, sites, getpass.getuser(), shared, settings.keys)
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    if not resumed:
        pinned = f"Not pinned: {', '.join(sites)}." if sites else "No site is pinned."
        raise click.ClickException(f"{pinned} Nothing changed.")
    goes_on = "The publisher puts" if wake(settings.wake_socket) else "`portolan publish` puts"
    click.echo(f"Resumed: {', '.join(resumed)}. {goes_on} the newest release live.")
