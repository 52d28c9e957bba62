"""``portolan rollback``: put every site back to an earlier release, and keep it there."""

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from ..builds.manifest import BuildError
from ..config.env import Env, env
from ..domain.moments import stamp
from ..domain.words import say_count
from ..publisher.go_back import PathChanges, SiteBack, WentBack, go_to_build
from ..publisher.lock import publish_lock
from ..publisher.problem import PublishError, UsageError
from ..publisher.publish import Publisher
from ..publisher.render_worker import worker_command
from ..publisher.renderer import RenderPool
from ..publisher.scope import Scope
from ..publisher.web_build import WebBuild
from ..releases.database_errors import find_trouble
from ..releases.reader import open_reader
from .publish_report import show_progress
from .publishing import load_web, open_publisher, open_shared
from .purge import purge_after

if TYPE_CHECKING:
    from ..publisher.shared_builds import SharedBuilds

_NAMED: Final = 3
"""Number of pages that are named for each site. The others are counted."""


@click.command()
@click.option(
    "--release",
    type=int,
    help="Release to put live. Default: the release before the last change.",
)
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site. Repeat for more.")
@click.option("--to", "build", metavar="BUILD", default="", help="Put the files of this build live. Needs one --site.")
@click.option("--dry-run", is_flag=True, help="Print the changes. Change nothing.")
def command(release: int | None, sites: tuple[str, ...], build: str, dry_run: bool) -> None:
    """Put an earlier release live, until `portolan resume`."""
    if build and (len(sites) != 1 or dry_run):
        raise click.UsageError("A build belongs to one site. Name the site once with --site, without --dry-run.")
    if build and release is not None:
        raise click.UsageError("Use --release or --to, not both: a build belongs to one release.")
    settings, by = env(), getpass.getuser()
    with _readable_errors(), _alone(settings, sites) as shared:
        if build:
            head = go_to_build(settings.builds_dir, sites[0], build, by, shared, settings.keys)
            click.echo(
                f"{head.site}: the files of build {head.build}, created {stamp(head.created)} of release {head.release}."
            )
        else:
            with _publisher(settings, shared) as publisher, show_progress() as progress:
                found = publisher.go_back(release, sites, by, dry_run, progress)
            _print(found, dry_run)
    if dry_run:
        named = "".join(f" --site {site}" for site in sites)
        click.echo(f"Nothing changed. To go back: `portolan rollback --release {found.release}{named}`")
    else:
        purge_after(settings)
        _say_what_next(sites)


def _print(found: WentBack, is_trial: bool) -> None:
    for site in found.sites:
        click.echo(f"{site.site}: {_say(site, found.release, is_trial)}")
    if all(site.origin == "kept" for site in found.sites):
        shown = "show" if is_trial else "showed"
        click.echo(f"These sites already {shown} release {found.release}. No file changes.")


def _say(site: SiteBack, release: int, is_trial: bool) -> str:
    if site.origin == "kept":
        return f"already as at release {release}; build {site.build} stays."
    files = (
        f"the files of build {site.build}, created {stamp(site.created)}"
        if site.origin == "build"
        else f"{say_count(site.rendered, 'page')} rendered, because no build of this release is kept"
    )
    would = "would be as it was" if is_trial else "as it was"
    return f"{would} at release {release} ({files}). {_say_pages(site.pages)}"


def _say_pages(pages: PathChanges) -> str:
    if not pages.number:
        return "No page changes."
    kinds = (("Changed", pages.changed), ("Back", pages.back), ("Gone", pages.gone))
    return " ".join(f"{what}: {_name(paths)}." for what, paths in kinds if paths)


def _name(paths: list[str]) -> str:
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return ", ".join(paths[:_NAMED]) + more


def _say_what_next(sites: tuple[str, ...]) -> None:
    named = "".join(f" --site {site}" for site in sites)
    click.echo(
        f"Pinned: new releases wait and go live {'there ' if sites else ''}after "
        f"`portolan resume{named}`. To fix the content first: `portolan releases list`, "
        "`portolan releases revert N`."
    )


@contextmanager
def _alone(settings: Env, sites: tuple[str, ...]) -> Iterator["SharedBuilds | None"]:
    shared = open_shared(settings)
    groups = Scope.around(settings.registry, sites).groups if sites else None
    with publish_lock(settings.builds_dir, on_wait=_say_waiting, shared=shared, groups=groups):
        yield shared


@contextmanager
def _publisher(settings: Env, shared: "SharedBuilds | None") -> Iterator[Publisher]:
    reader = open_reader(settings.database)
    web = _find_web(settings)
    pool = RenderPool(worker_command(web.worker), settings.render_workers, cache=settings.var_dir / "cache" / "node")
    try:
        with open_publisher(settings, web, reader, pool, shared=shared) as publisher:
            yield publisher
    finally:
        pool.close()
        reader.close()


def _find_web(settings: Env) -> WebBuild:
    """Return the web build, or an empty one that cannot render.

    Going back must work after a deployment that broke the web build, and kept builds need none.
    """
    try:
        return load_web(settings, pictures=True)
    except UsageError:
        return WebBuild(settings.web_dist, "", {}, (), False)


def _say_waiting() -> None:
    click.echo("A publisher is running. Waiting for it.", err=True)


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(str(error)) from error
    except Exception as error:
        trouble = find_trouble(error)
        if trouble is None:
            raise
        raise click.ClickException(
            f"{trouble} Nothing changed on any site. To put a kept build live without the database, run "
            "`portolan rollback --site SITE --to BUILD`."
        ) from error
