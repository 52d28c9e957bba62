"""``portolan publish``: freezes what is pending into a release, and puts it live. Starts Django only where it must."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from ..builds.manifest import BuildError
from ..config.env import Env, env
from ..domain.company_day import company_day
from ..publisher.lock import publish_lock
from ..publisher.problem import PublishError, UsageError
from ..publisher.publish import Publisher
from ..publisher.renderer import RenderPool
from ..publisher.web_build import WebBuild
from ..releases.reader import ReleaseReader, open_reader
from .freezer import DjangoFreezer
from .freezing import freeze_pending, run_scheduled
from .live_requests import answer_requests
from .publish_report import held_back_lines, print_summary, show_progress
from .publishing import load_web, open_publisher, start_pool


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
                freezer = DjangoFreezer()
                for problem in run_scheduled(reader, freezer, datetime.now(UTC)):
                    click.secho(problem, fg="yellow", err=True)
                freeze_pending(
                    reader,
                    freezer,
                    settings.registry,
                    company_day(datetime.now(UTC), settings.registry.company.time_zone),
                    held_back_too=True,
                )
                _check_there_is_content(reader)
                answer_requests(publisher, reader, settings.builds_dir, click.echo, freezer.settle)
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


def _say_waiting() -> None:
    click.echo("Another publisher is at work; waiting for it.", err=True)


@contextmanager
def _readable_errors() -> Iterator[None]:
    try:
        yield
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(str(error)) from error
