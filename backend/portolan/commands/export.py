"""``portolan export DIR``: the live sites as plain files, one folder each, with what other web servers need to serve them."""

from pathlib import Path

import click

from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..config.env import env
from ..export.export import export_sites
from ..export.layout import FLAT, FOLDERS


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be repeated.")
@click.option(
    "--pages",
    type=click.Choice(["folders", "files"]),
    default="folders",
    show_default=True,
    help="/about-us as about-us/index.html or, for Netlify, Cloudflare Pages and their like, as about-us.html.",
)
@click.option("--place", metavar="PATH", help="Where DIR will lie on the host; where it lies here if not given.")
@click.option("--whole", is_flag=True, help="Write every file, and not only what differs from the last export there.")
def command(folder: Path, sites: tuple[str, ...], pages: str, place: str | None, whole: bool) -> None:
    """Write the live sites as plain trees of files, one folder per site, and files for nginx, Caddy, Netlify and Cloudflare
    Pages. What an earlier export has written there is brought up to date."""
    settings = env()
    try:
        chosen = sites or tuple(read_live(settings.builds_dir).builds)
        if not chosen:
            raise click.ClickException("No site is live yet, so there is nothing to export. Publish first.")
        folder.mkdir(parents=True, exist_ok=True)
        there = (place or str(folder.absolute())).rstrip("/")
        layout = FLAT if pages == "files" else FOLDERS
        for done in export_sites(settings.builds_dir, chosen, folder, settings.media_dir, layout, there, whole):
            files, written, removed = done.tree
            click.echo(f"{done.site}: {files} files in {done.folder} ({written} written, {removed} removed)")
            for warning in done.warnings:
                click.secho(warning, fg="yellow", err=True)
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            f"{error.filename or folder} cannot be written ({error.strerror}), so the export is not complete. "
            "Name a folder this user may write to."
        ) from error
