"""Publish once. Loads Django only if necessary."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ..config.env import Env
from ..domain.company_day import company_day
from ..publisher.lock import publish_lock
from ..publisher.problem import UsageError
from ..publisher.publish import Publisher
from ..publisher.renderer import RenderPool
from ..publisher.scope import Scope
from ..publisher.stages import SNAPSHOT, Timing
from ..publisher.web_build import WebBuild
from ..releases.reader import ReleaseReader, open_reader
from .live_requests import answer_requests
from .publish_report import blocked_lines, print_summary, show_progress
from .publishing import open_publisher, open_shared
from .purge import purge_after
from .release_making import run_scheduled, snapshot_pending
from .release_worker import DjangoReleaseWorker

if TYPE_CHECKING:
    from ..publisher.shared_builds import SharedBuilds


def publish_once(
    settings: Env,
    web: WebBuild,
    pool: RenderPool,
    sites: Sequence[str],
    release: int | None,
    keep_going: bool,
    full: bool,
    brotli: int | None,
    wait: bool,
) -> None:
    """Create a release, unless ``release`` names one, and put it live. Closes the pool."""
    shared, scope = open_shared(settings), Scope.around(settings.registry, sites)
    with (
        _publisher(settings, web, pool, brotli, shared, scope) as (publisher, reader),
        publish_lock(settings.builds_dir, wait, _say_waiting, shared, scope.groups if sites else None),
    ):
        reader.require_fit(settings.registry.plugins)
        timing, saved = Timing(), ""
        if release is None:
            release_worker = DjangoReleaseWorker()
            if oldest := reader.oldest_pending():
                saved = oldest.isoformat(timespec="milliseconds")
            with timing.stage(SNAPSHOT):
                for problem in run_scheduled(reader, release_worker, datetime.now(UTC)):
                    click.secho(problem, fg="yellow", err=True)
                snapshot_pending(
                    reader,
                    release_worker,
                    settings.registry,
                    company_day(datetime.now(UTC), settings.registry.company.time_zone),
                    blocked_too=True,
                )
            _check_there_is_content(reader)
            if not sites:
                answer_requests(
                    publisher, reader, settings.builds_dir, click.echo, release_worker.settle, settings.keys
                )
        with show_progress() as progress:
            summary = publisher.publish(release, sites, keep_going, full, progress, timing, saved)
        print_summary(summary, reader)
    purge_after(settings)
    gc.freeze()  # saves a tenth of an edit's time: Python would search all objects for cycles before it exits


def _check_there_is_content(reader: ReleaseReader) -> None:
    if reader.latest() is None:
        blocked = "".join(f"\n  {line}" for line in blocked_lines(reader))
        raise UsageError(
            "No site went live: there is nothing to publish yet. Publish a page in the studio, or "
            f"load the demo content (`portolan seed`).{blocked}"
        )


@contextmanager
def _publisher(
    settings: Env, web: WebBuild, pool: RenderPool, brotli: int | None, shared: "SharedBuilds | None", scope: Scope
) -> Iterator[tuple[Publisher, ReleaseReader]]:
    reader = open_reader(settings.database)
    try:
        with open_publisher(settings, web, reader, pool, brotli, shared, scope) as publisher:
            yield publisher, reader
    finally:
        pool.close()
        reader.close()


def _say_waiting() -> None:
    click.echo("Another publisher is running. Waiting for it.", err=True)
