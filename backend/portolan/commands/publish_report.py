"""What `portolan publish` shows: a progress bar while it works, a table at the end. Rich is loaded when it is needed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from ..publisher.publish import Progress, Summary
from ..releases.reader import ReleaseReader

_BAR_FROM: Final = 50
"""Pages. Fewer are there before a bar could be drawn."""


@contextmanager
def show_progress() -> Iterator[Progress]:
    """A bar on a terminal, once it is known that there is enough to wait for."""
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
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("Site", "Rendered", "Reused", "Deleted", "kB", "Build"):
        table.add_column(column, justify="left" if column in ("Site", "Build") else "right")
    for site in summary.sites:
        build = site.build if site.is_new else f"[dim]{site.build}, nothing differs[/]"
        table.add_row(
            site.site, str(site.rendered), str(site.reused), str(site.deleted), f"{site.bytes / 1000:,.0f}", build
        )
    console.print(table)
    pages = sum(site.rendered for site in summary.sites)
    speed = f", {pages / summary.seconds:,.0f} pages a second" if pages >= _BAR_FROM else ""
    console.print(f"Release {summary.release} is live: {pages} pages rendered in {summary.seconds:.2f} s{speed}.")
    for problem in summary.problems:
        console.print(f"[yellow]Left out:[/] {escape(str(problem))}")
    for held in reader.held_back():
        console.print(f"[yellow]Not in the release:[/] {escape(held.problem)}")
