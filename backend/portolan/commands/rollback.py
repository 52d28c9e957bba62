"""``portolan rollback``: puts an earlier build live again. Nothing is rendered, so it takes no time."""

from collections.abc import Mapping

import click

from ..builds.live import read_live, switch_live
from ..builds.manifest import BuildError, BuildHead, list_builds
from ..config.env import env
from ..publisher.lock import publish_lock


@click.command()
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be repeated.")
@click.option(
    "--to", "build", metavar="BUILD", help="This build of the one site; the one before the live one if not given."
)
def command(sites: tuple[str, ...], build: str | None) -> None:
    """Put an earlier build live again."""
    if build and len(sites) != 1:
        raise click.UsageError("A build belongs to one site: name it with --site, once.")
    root = env().builds_dir
    try:
        with publish_lock(root):
            live = read_live(root)
            chosen = {site: _choose(site, build, live, list_builds(root, site)) for site in sites or live}
            if not chosen:
                raise click.ClickException("No site is live yet, so there is nothing to go back to. Publish first.")
            switch_live(root, {site: head.build for site, head in chosen.items()})
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    for site, head in chosen.items():
        click.echo(f"{site}: build {head.build} is live (release {head.release}, made {head.created}).")
    click.echo("The next release that is published replaces it.")


def _choose(site: str, build: str | None, live: Mapping[str, str], builds: list[BuildHead]) -> BuildHead:
    """The named build, or the one before the live one."""
    current = live.get(site)
    names = [head.build for head in builds]
    if build:
        if build not in names:
            raise click.ClickException(
                f"Site {site} has no build {build}; nothing was changed. It has: {', '.join(names[:10]) or 'none'}."
            )
        return builds[names.index(build)]
    if current not in names:
        raise click.ClickException(
            f"Site {site} is not live, so nothing was changed. Name one of its builds with --to."
        )
    before = builds[names.index(current) + 1 :]
    if not before:
        raise click.ClickException(
            f"Site {site} has no build before {current}, so nothing was changed on any site. Leave it out with --site."
        )
    return before[0]
