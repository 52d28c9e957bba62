"""``portolan publish``: freezes what is pending into a release, and puts it live. Starts Django only where it must."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Final

import click
import orjson

from ..builds.live import live_file
from ..builds.manifest import BuildError
from ..config.env import Env, env
from ..config.start_django import start_django
from ..domain.company_day import company_day
from ..publisher.addresses import Addresses
from ..publisher.lock import publish_lock
from ..publisher.problem import PublishError, UsageError
from ..publisher.publish import Publisher
from ..publisher.render_worker import worker_command
from ..publisher.renderer import RenderPool
from ..publisher.web_build import WebBuild, load_web_build
from ..releases.figures import FIGURES_KEY, build_figures
from ..releases.reader import ReleaseReader, open_reader
from ..sites.registry import Registry
from .live_requests import answer_requests
from .publish_report import held_back_lines, print_summary, show_progress

_ALL_WORKERS: Final = 10_000
"""So many pages that all workers are started."""


@click.command()
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be repeated.")
@click.option("--release", type=int, help="This release instead of the newest; nothing pending is frozen then.")
@click.option("--watch", is_flag=True, help="Stay, and publish every change as it is committed.")
@click.option("--keep-going", is_flag=True, help="Publish the sites without problems where others have some.")
@click.option("--full", is_flag=True, help="Render every page, whatever was built before.")
@click.option(
    "--brotli",
    type=click.IntRange(0, 11),
    default=5,
    show_default=True,
    help="Quality of the HTML's first compressed copies; 0 leaves them to the background.",
)
@click.option(
    "--pictures/--no-pictures",
    default=True,
    help="Draw what is shown where a page is shared, unless it is there already; or let pages have no such picture.",
)
@click.option("--wait/--no-wait", default=True, help="Wait for another publisher that is at work, or give up.")
def command(
    sites: tuple[str, ...],
    release: int | None,
    watch: bool,
    keep_going: bool,
    full: bool,
    brotli: int,
    pictures: bool,
    wait: bool,
) -> None:
    """Freeze pending changes into a release and put it live."""
    settings = env()
    with _readable_errors():
        if watch:
            from .publish_watch import publish_and_stay

            publish_and_stay(settings, pictures)
            return
        web = load_web(settings, pictures)
        pool = start_pool(settings, web)
        with (
            _publisher(settings, web, pool, brotli) as (publisher, reader),
            publish_lock(settings.builds_dir, wait, _say_waiting),
        ):
            reader.require_fit()
            if release is None:
                for problem in run_scheduled(reader, datetime.now(UTC)):
                    click.secho(problem, fg="yellow", err=True)
                freeze_pending(
                    reader,
                    settings.registry,
                    company_day(datetime.now(UTC), settings.registry.company.time_zone),
                    held_back_too=True,
                )
                _check_there_is_content(reader)
                answer_requests(publisher, reader, settings.builds_dir, click.echo)
            with show_progress() as progress:
                summary = publisher.publish(release, sites, keep_going, full, progress)
            print_summary(summary, reader)


def _check_there_is_content(reader: ReleaseReader) -> None:
    if reader.latest() is None:
        held = "".join(f"\n  {line}" for line in held_back_lines(reader))
        raise UsageError(
            "There is nothing to publish yet, so no site went live: the studio has no page that could. Publish one there, or "
            f"load the demo content (`portolan seed`).{held}"
        )


def load_web(settings: Env, pictures: bool) -> WebBuild:
    web = load_web_build(settings.web_dist)
    return web if pictures else web._replace(drawing="")


def start_pool(settings: Env, web: WebBuild) -> RenderPool:
    pool = RenderPool(worker_command(web.worker), settings.render_workers, cache=settings.var_dir / "cache" / "node")
    # Node starts while the release is read; for a first publish all workers do.
    pool.warm_up(pages=1 if live_file(settings.builds_dir).exists() else _ALL_WORKERS)
    return pool


@contextmanager
def _publisher(
    settings: Env, web: WebBuild, pool: RenderPool, brotli: int
) -> Iterator[tuple[Publisher, ReleaseReader]]:
    reader = open_reader(settings.database)
    try:
        with open_publisher(settings, web, reader, pool, brotli) as publisher:
            yield publisher, reader
    finally:
        pool.close()
        reader.close()


def open_publisher(settings: Env, web: WebBuild, reader: ReleaseReader, pool: RenderPool, brotli: int = 5) -> Publisher:
    addresses = Addresses(settings.registry, settings.environment, settings.port)
    return Publisher(addresses, reader, web, settings.builds_dir, settings.media_dir, pool, brotli)


def run_scheduled(reader: ReleaseReader, now: datetime) -> list[str]:
    """Publish and expire the pages whose time has come. Returns a sentence for each that could not be."""
    due = reader.next_scheduled()
    if due is None or due > now:
        return []
    start_django()
    from django.db import close_old_connections

    from ..releases.schedule import run_schedule

    close_old_connections()
    problems = run_schedule(now)
    close_old_connections()
    return problems


def freeze_pending(reader: ReleaseReader, registry: Registry, today: date, held_back_too: bool = False) -> None:
    """Make a release of changed content or changed placeholder values, if there are any. ``held_back_too``: also try
    again the changes that no release could take, even if nothing has changed since; a missing file may be back.
    """
    newest = reader.latest()
    if (
        newest is not None
        and not reader.is_pending()
        and not (held_back_too and reader.held_back())
        and not _figures_differ(reader, newest, registry, today)
    ):
        return
    load_freezing()
    from django.db import close_old_connections

    from ..releases.create import create_release

    close_old_connections()
    create_release("publisher", today)
    close_old_connections()


def load_freezing() -> None:
    """Load what making a release needs."""
    start_django()
    from ..releases import create  # noqa: F401  (and with it the content models)


def _figures_differ(reader: ReleaseReader, release: int, registry: Registry, today: date) -> bool:
    """On the company's birthday, on New Year's day, or after an edit of the registry."""
    item = reader.item(release, *FIGURES_KEY)
    return item is None or orjson.loads(item.body) != build_figures(registry, today)


def _say_waiting() -> None:
    click.echo("Another publisher is at work; waiting for it.", err=True)


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(str(error)) from error
