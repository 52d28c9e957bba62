"""Print the progress and the summary of ``portolan publish``."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import click

from ..domain.problem_texts import say_each
from ..domain.words import say_count
from ..publisher.attempt import Progress
from ..publisher.publish import Summary
from ..releases.reader import ReleaseReader

_BAR_FROM: Final = 50
"""Fewer pages are rendered before a bar would appear."""


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Show a progress bar on a terminal, if there are enough pages."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    bar = _Bar()
    try:
        yield bar.show
    finally:
        bar.stop()


class _Bar:
    def __init__(self) -> None:
        self._advance: Callable[[int], None] | None = None
        self.stop: Callable[[], None] = lambda: None

    def show(self, done: int, total: int) -> None:
        if self._advance is None and done == 0 and total >= _BAR_FROM:
            self._draw(total)
        elif self._advance and (done % 10 == 0 or done == total):
            self._advance(done)

    def _draw(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("Rendering"), BarColumn(), MofNCompleteColumn(), TextColumn("pages"), TimeElapsedColumn())
        bar = Progress(*columns, console=Console(stderr=True), transient=True)
        task = bar.add_task("", total=total)
        bar.start()
        self.stop = bar.stop
        self._advance = lambda done: bar.update(task, completed=done)


def print_summary(summary: Summary, reader: ReleaseReader) -> None:
    """Print the summary as plain text, because loading the table library takes longer than a small publish."""
    if summary.brought_up:
        click.secho(
            f"Builds or files were missing. Live again, in the last known state if possible: {', '.join(summary.brought_up)}.",
            fg="yellow",
        )
    rows: list[tuple[str, ...]] = [("Site", "Rendered", "Reframed", "Reused", "Deleted", "kB", "Build")]
    for site in summary.sites:
        size = f"{site.bytes / 1000:,.0f}"
        build = site.build if site.is_new else f"{site.build} (unchanged)"
        counts = map(str, (site.rendered, site.spliced, site.reused, site.deleted))
        rows.append((site.site, *counts, size, build))
    width = max(6, *(len(row[0]) + 1 for row in rows))
    for row in rows:
        name, *numbers, size, build = row
        click.echo(f"{name:<{width}}{''.join(f'{number:>9}' for number in numbers)}{size:>10}  {build}")
    if not summary.sites:
        click.echo(f"Release {summary.release} is not live: every site is pinned until `portolan resume`.")
        return
    rendered, spliced = sum(site.rendered for site in summary.sites), sum(site.spliced for site in summary.sites)
    pages = f"{say_count(rendered, 'page')} rendered{f', {spliced} reframed' if spliced else ''}"
    speed = f", {(rendered + spliced) / summary.seconds:,.0f} a second" if rendered + spliced >= _BAR_FROM else ""
    click.echo(f"Release {summary.release} is live: {pages} in {summary.seconds:.2f} s{speed}.")
    for line in say_each(summary.problems):
        click.secho(f"Left out: {line}", fg="yellow")
    for line in say_each(change.problem for change in summary.blocked):
        click.secho(f"Blocked: {line}", fg="yellow")
    for line in say_each(summary.live_problems):
        click.secho(f"Live with a problem, because the site had nothing else to serve: {line}", fg="yellow")
    for line in blocked_lines(reader):
        click.secho(line, fg="yellow")


def blocked_lines(reader: ReleaseReader) -> list[str]:
    """Return a line for each problem of blocked changes. A page and its card share a problem."""
    return [
        f"Not in the release: {line}"
        for line in say_each({blocked.problem: None for blocked in reader.blocked_changes()})
    ]
