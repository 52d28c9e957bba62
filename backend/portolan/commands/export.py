"""``portolan export DIR|URL``: write the live sites as files or objects, with the settings that static hosts need."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from ..builds.live import read_live
from ..builds.manifest import BuildError
from ..builds.packs import Encoding
from ..config.env import Env, env
from ..domain.words import say_count, say_not_installed
from ..export.export import export_sites, upload_sites
from ..export.layout import FLAT, FOLDERS, PATHS
from ..export.sources import Media
from .publishing import open_media

_LAYOUTS: Final = {"folders": FOLDERS, "files": FLAT, "paths": PATHS}
_SCHEMES: Final = ("s3", "gs", "az")


@click.command()
@click.argument("target", metavar="DIR|URL")
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site. Repeat for more.")
@click.option(
    "--pages",
    type=click.Choice([*_LAYOUTS]),
    help="/about-us as about-us/index.html (folders, default for a DIR), about-us.html (files, for Netlify, Cloudflare Pages and "
    "similar hosts) or about-us (paths, default for a store and only there).",
)
@click.option("--place", metavar="PATH", help="Path of DIR on the host. Default: its path here.")
@click.option(
    "--compress",
    type=click.Choice(["br", "gzip"]),
    help="Upload text compressed, with its Content-Encoding. For a store without a CDN that compresses.",
)
@click.option("--whole", is_flag=True, help="Write every file, also files that are the same as in the last export.")
def command(
    target: str, sites: tuple[str, ...], pages: str | None, place: str | None, compress: Encoding | None, whole: bool
) -> None:
    """Write the live sites as files for any web server.

    Each site gets a folder, with files for nginx, Caddy, Netlify and Cloudflare Pages.

    To upload to a store that serves websites, give its URL (s3://, gs:// or az://, with {site} for the site's key).

    An earlier export is updated."""
    settings = env()
    try:
        chosen = sites or tuple(read_live(settings.builds_dir).builds)
        if not chosen:
            raise click.ClickException("No site is live yet. Publish first: `portolan publish`")
        if urlsplit(target).scheme in _SCHEMES:
            _upload(settings, chosen, target, pages or "paths", compress, whole)
        else:
            _check_options(target, pages, compress)
            _export(settings, chosen, Path(target), pages or "folders", place, whole)
    except BuildError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(
            f"{error.filename or target} cannot be written ({error.strerror}). The export is incomplete. "
            "Name a folder that this user may write to."
        ) from error


def _export(settings: Env, sites: tuple[str, ...], folder: Path, pages: str, place: str | None, whole: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    there = (place or str(folder.absolute())).rstrip("/")
    media = _find_media(settings)
    for done in export_sites(settings.builds_dir, sites, folder, media, _LAYOUTS[pages], there, whole, settings.keys):
        files, written, removed = done.tree
        click.echo(f"{done.site}: {say_count(files, 'file')} in {done.folder} ({written} written, {removed} removed)")
        _warn(done.warnings)


def _upload(settings: Env, sites: tuple[str, ...], url: str, pages: str, coding: Encoding | None, whole: bool) -> None:
    if find_spec("obstore") is None:
        raise click.ClickException(f"An export into a store needs {say_not_installed('obstore', 'object-store')}.")
    from ..builds.object_store import ObjectStore

    media = _find_media(settings)
    for done in upload_sites(
        settings.builds_dir, sites, url, ObjectStore, media, _LAYOUTS[pages], coding, whole, settings.keys
    ):
        files, written, removed = done.tree
        click.echo(f"{done.site}: {say_count(files, 'object')} in {done.url} ({written} uploaded, {removed} removed)")
        _warn(done.warnings)


def _find_media(settings: Env) -> Media:
    """Return the uploads. On a machine that only follows a store, return those listed there."""
    if settings.media_storage or settings.media_dir.is_dir() or not settings.build_store:
        return open_media(settings)
    from ..builds.media_copies import ListedFiles, ListedMedia
    from ..builds.object_store import ObjectStore

    return ListedFiles(ListedMedia(settings.builds_dir, ObjectStore(settings.build_store)))


def _check_options(target: str, pages: str | None, compress: str | None) -> None:
    if "://" in target:
        raise click.BadParameter(f"only {', '.join(f'{scheme}://' for scheme in _SCHEMES)} and folders.")
    if pages == "paths":
        raise click.BadParameter(
            "works only for a store. In a folder, the page would have the name of its subpages' folder."
        )
    if compress:
        raise click.BadParameter("works only for a store. An export to a folder always has compressed copies.")


def _warn(warnings: list[str]) -> None:
    for warning in warnings:
        click.secho(warning, fg="yellow", err=True)
