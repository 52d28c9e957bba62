"""``portolan export DIR``: the live sites as plain files, one folder each, for any web server or CDN."""

from pathlib import Path

import click

from ..builds.export import export_tree
from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..config.env import env


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be repeated.")
def command(folder: Path, sites: tuple[str, ...]) -> None:
    """Write the live sites as a plain tree of files, one folder per site, replacing earlier exports there."""
    settings = env()
    try:
        chosen = sites or tuple(read_live(settings.builds_dir).builds)
        if not chosen:
            raise click.ClickException("No site is live yet, so there is nothing to export. Publish first.")
        folder.mkdir(parents=True, exist_ok=True)
        for site in chosen:
            count = export_tree(settings.builds_dir, site, folder / site, settings.media_dir)
            click.echo(f"{site}: {count} files in {folder / site}")
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            f"{error.filename or folder} cannot be written ({error.strerror}), so the export is not complete. "
            "Name a folder this user may write to."
        ) from error
