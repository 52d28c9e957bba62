"""``portolan verify``: check every byte of the live builds, and compare the release index with its items."""

from pathlib import Path

import click

from ..builds.damage import read_damage
from ..builds.live import read_live
from ..builds.manifest import BuildError, list_builds
from ..builds.scrub import Scrub
from ..builds.verify import verify
from ..config.env import env
from ..domain.words import say_count
from ..releases.reader import open_reader


@click.command()
@click.option("--all", "every", is_flag=True, help="Check all kept builds, not only the live ones.")
@click.option("--mend", is_flag=True, help="Repair files from copies. The next publish renders the others again.")
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site. Repeat for more.")
def command(every: bool, mend: bool, sites: tuple[str, ...]) -> None:
    """Check live builds and the release index for damage.

    Exits with 1 if a file or an item differs from its digest.
    """
    settings = env()
    root = settings.builds_dir
    problems: list[str] = []
    checked = 0
    if mend:
        _mend(root)
    try:
        live = read_live(root).builds
        if unknown := sorted(set(sites) - set(live)):
            raise click.ClickException(f"Not live, so there are no builds to check: {', '.join(unknown)}.")
        for site in sites or live:
            builds = [head.build for head in list_builds(root, site)] if every else [live[site]]
            for build in builds:
                problems += verify(root, site, build, settings.keys)
                checked += 1
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    for problem in problems:
        click.echo(problem)
    if problems:
        raise click.ClickException(
            f"{say_count(len(problems), 'problem')} in {say_count(checked, 'build')}: files differ from the published ones. "
            + ("" if mend else "Repair files from copies: `portolan verify --mend`. ")
            + "Render the others again, also with problems in the content: `portolan publish --full --keep-going`. "
            "Or put another build live: `portolan rollback --to`."
        )
    click.echo(f"{say_count(checked, 'build')} checked: all files are as published.")
    _check_index(settings.database)


def _mend(root: Path) -> None:
    """Repair files as the integrity check does in the background, but at once."""
    before = read_damage(root).mended
    report = Scrub(root, bytes_per_s=float("inf")).round(wait=True)
    if report and report.mended > before:
        click.echo(
            f"{say_count(report.mended - before, 'damaged file or copy was', 'damaged files and copies were')} repaired."
        )


def _check_index(database: str) -> None:
    reader = open_reader(database)
    try:
        differences = reader.check_index()
    finally:
        reader.close()
    for difference in differences:
        click.echo(difference)
    if differences:
        raise click.ClickException(
            f"{say_count(len(differences), 'index row differs', 'index rows differ')} from the items of the newest release. Pages may not be updated when "
            "their content changes. Rebuild the index: `portolan releases index`"
        )
    click.echo("The index of the newest release matches its items.")
