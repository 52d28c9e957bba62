"""``portolan rollback``: puts an earlier release live again and holds it there. Nothing is rendered."""

import getpass

import click

from ..builds.manifest import BuildError
from ..config.env import env
from ..publisher.go_back import go_back
from ..publisher.lock import publish_lock


@click.command()
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be repeated.")
@click.option(
    "--release",
    type=int,
    help="What the sites showed at this release; at the one before the last that changed any if not given.",
)
@click.option("--to", "build", metavar="BUILD", default="", help="The files of this build of the one site.")
def command(sites: tuple[str, ...], release: int | None, build: str) -> None:
    """Put an earlier release live again, and hold it until `portolan resume`."""
    if build and len(sites) != 1:
        raise click.UsageError("A build belongs to one site: name it with --site, once.")
    if build and release is not None:
        raise click.UsageError("Name a release or a build: a build is of one release already.")
    root = env().builds_dir
    try:
        with publish_lock(root):
            found = go_back(root, sites, getpass.getuser(), release, build)
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    for site, head in found.builds.items():
        files = "the files of build" if site in found.changed else "unchanged, build"
        click.echo(f"{site}: as it was at release {found.release} ({files} {head.build}, made {head.created}).")
    named = "".join(f" --site {site}" for site in sites)
    click.echo(f"On hold: nothing newer goes live there until `portolan resume{named}`.")
