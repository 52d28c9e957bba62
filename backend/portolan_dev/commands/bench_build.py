"""``portolan bench-build``: measure the speed of builds, and the time until an edit is live, with generated content."""

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from portolan.builds.live import live_file
from portolan.publisher.first_copies import choose_quality
from portolan.releases.wake import wake

from ..bench.contents import CONTENTS, enough_for
from ..bench.disk import OURS_A_PAGE, require_room
from ..bench.installation import EDITOR, Installation, Output
from ..bench.measured import Measured, choose_cores, started_on
from ..bench.memory import Memory, find_release_worker
from ..bench.on_ray import measure_beside
from ..bench.registry import MOST_SITES
from ..short_form import short_form

_PAGES: Final = 1000
_PAGES_ON_RAY: Final = 5000
_MENU_EDITS: Final = 3
_LIVE_WITHIN_S: Final = 120
_QUALITIES: Final = (5, 0)
"""Brotli qualities of the HTML's first copies, in addition to the default for so many pages."""
_WARMED_UP: Final = 10_000
"""Most pages for a warm-up publish. With more, the second for compiling code does not matter."""
_WIDTH: Final = 160
"""Columns of the table in a file, so that no figure wraps."""


@click.command()
@click.option(
    "--content",
    default="own",
    show_default=True,
    type=click.Choice(list(CONTENTS)),
    help="Our own, or that of `make bench-peers` with our blocks.",
)
@click.option(
    "--pages",
    type=click.IntRange(20, 100_000),
    show_default="1000; with --ray 5000",
    help="Pages of all sites.",
)
@click.option(
    "--sites",
    default=1,
    show_default=True,
    type=click.IntRange(1, MOST_SITES),
    help="Number of sites.",
)
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1, 50), help="Cold publishes of each kind.")
@click.option(
    "--edits",
    default=30,
    show_default=True,
    type=click.IntRange(0, 1000),
    help="Edits in the running process. 0: none.",
)
@click.option("--cores", type=click.IntRange(1), help="Cores for publishers. Default: all.")
@click.option(
    "--ray",
    "nodes",
    type=click.IntRange(1, 16),
    help="Compare a local Ray cluster of N nodes with the local pool.",
)
@click.option("--keep", is_flag=True, help="Keep the builds and print their folder.")
@short_form(pages=20, runs=1, edits=1)
def command(
    content: str, pages: int | None, sites: int, runs: int, edits: int, cores: int | None, nodes: int | None, keep: bool
) -> None:
    """Build 1,000 generated pages and print pages a second."""
    if find_spec("psutil") is None:
        raise click.ClickException(
            "psutil is not installed, so peak memory cannot be measured. Nothing was measured. "
            "Install the developer's tools: `make bench-build`"
        )
    pages = pages or (_PAGES_ON_RAY if nodes else _PAGES)
    if not enough_for(pages, sites):
        raise click.UsageError(f"{pages} pages are too few for {sites} sites: each needs 20. Nothing was measured.")
    builds = len(_kinds(pages)) * runs + (pages <= _WARMED_UP)
    require_room(builds * pages * OURS_A_PAGE)
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    chosen = choose_cores(cores)
    folder = Path(tempfile.mkdtemp(prefix="portolan-bench-"))
    try:
        with console.status(f"Writing {pages} pages of content …"):
            installation = Installation(folder, CONTENTS[content], pages, sites, chosen)
        what = f"{_count(pages, sites)} of {CONTENTS[content].what}"
        if nodes:
            _measure_on_ray(console, installation, what, pages, runs, nodes)
        else:
            _measure_all(console, installation, what, pages, runs, edits)
    finally:
        if keep:
            console.print(f"Kept in {folder}")
        else:
            shutil.rmtree(folder)


def _measure_all(console: Any, installation: Installation, what: str, pages: int, runs: int, edits: int) -> None:
    from rich.table import Table

    if pages <= _WARMED_UP:
        with console.status("To warm up"):
            installation.warm_up()
    cold = {}
    for label, arguments in _kinds(pages).items():
        with console.status(label):
            cold[label] = [installation.publish_cold(*arguments) for _ in range(runs)]
    output = installation.output()
    with console.status("One edit on the command line"):
        edited = [_edit_cold(installation) for _ in range(runs)]
    console.print(
        f"{what}; {_describe(output)}; {installation.describe_cores()}; median of {runs}, process start included"
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "wall s", "CPU s", "peak MB", "shares MB", "publisher's", "pages/s", "MB/s"):
        table.add_column(column, justify="left" if not column else "right")
    for label, measured in cold.items():
        table.add_row(label, *_columns(_median(measured)), *_rates(measured, pages, output))
    table.add_row("one edit, command line", *_columns(_median(edited)))
    console.print(table)
    if edits:
        with console.status("One edit in the running process"):
            warm = edit_warm(installation, edits)
        _print_warm(console, warm, edits)


def _measure_on_ray(console: Any, installation: Installation, what: str, pages: int, runs: int, nodes: int) -> None:
    from rich.table import Table

    cores = len(installation.cores or os.sched_getaffinity(0))
    with console.status("By the local pool and on Ray, in turns"):
        found = measure_beside(installation, nodes, max(1, cores // nodes), runs)
    console.print(
        f"{what}; {installation.describe_cores()}, Ray with {nodes} nodes on them; all {found.files:,} files are equal"
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("every page rendered", "wall s", "CPU s", "publisher's", "rendering", "Ray's own", "pages/CPU s"):
        table.add_column(column, justify="left" if column.startswith("every") else "right")
    warm = sorted(found.warm, key=lambda turns: turns.share)
    typical = warm[len(warm) // 2]
    for label, cost in (
        ("local pool, first publish", found.first.local),
        ("Ray, first publish", found.first.on_ray),
        ("local pool, running publisher", typical.local),
        ("Ray, running publisher", typical.on_ray),
    ):
        parts = (cost.wall, cost.cpu, cost.publisher, cost.rendering, cost.ray)
        table.add_row(label, *(f"{seconds:.2f}" for seconds in parts), f"{pages / cost.cpu:,.0f}")
    console.print(table)
    console.print(
        f"Ray's pages per CPU second as a share of the local pool's: first publish {found.first.share:.2f}, without Ray's own "
        f"processes {found.first.bare_share:.2f}; warm, median of {runs} in turns {typical.share:.2f} "
        f"({warm[0].share:.2f}-{warm[-1].share:.2f}), without Ray's own processes "
        f"{statistics.median(turns.bare_share for turns in warm):.2f}"
    )


def _kinds(pages: int) -> dict[str, tuple[str, ...]]:
    qualities = dict.fromkeys((choose_quality(pages), *_QUALITIES))
    return {
        f"cold publish, {f'HTML as Brotli {quality}' if quality else 'nothing compressed'}": ("--brotli", str(quality))
        for quality in qualities
    }


def _print_warm(console: Any, warm: "EditedWarm", edits: int) -> None:
    console.print(f"one edit in the running process, from release to live: {_spread(warm.released)} ({edits} edits)")
    console.print(f"one edit in the running process, from save to live: {_spread(warm.saved)} ({edits} edits)")
    console.print(
        f"a menu edit in the running process, from release to live: {_spread(warm.menus)} ({_MENU_EDITS} edits)"
    )
    console.print(f"in memory after that: the publisher {warm.publisher}")
    if warm.release_worker is not None:
        both = warm.publisher.share + warm.release_worker.share
        console.print(f"in memory after that: its release worker {warm.release_worker}; both together {both:,.0f} MB")


class EditedWarm(NamedTuple):
    """Seconds of each edit until it was live, and the memory after them."""

    released: list[float]
    """Since a release's commit."""
    saved: list[float]
    """Since the commit of an editor's save, which also creates the release."""
    menus: list[float]
    """Edits of the first site's menu, since a release's commit."""
    publisher: Memory
    release_worker: Memory | None


def _edit_cold(installation: Installation) -> Measured:
    """Publish a change of one page by a new process."""
    installation.edit()
    return installation.publish()


def edit_warm(installation: Installation, edits: int) -> EditedWarm:
    """Edit with a running publisher: first by existing releases, then by an editor's saves."""
    import psutil

    variables, root = installation.variables(), installation.builds
    socket = installation.var / "publisher.sock"
    with started_on(installation.cores):
        process = subprocess.Popen(installation.command("--watch"), env=variables, stderr=subprocess.DEVNULL)
    with process, subprocess.Popen(EDITOR, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as editor:
        try:
            _wait_for(lambda: wake(socket), "The publisher did not start.")
            for _ in range(3):  # the publisher reads the release; editor and release worker load their code
                _edit_and_wait(installation.edit, root, socket)
                _save_and_wait(editor, root)
            released = [_edit_and_wait(installation.edit, root, socket) for _ in range(edits)]
            saved = [_save_and_wait(editor, root) for _ in range(edits)]
            release_worker = find_release_worker(psutil.Process(process.pid))
            memory = Memory.of(process.pid), None if release_worker is None else Memory.of(release_worker)
            menus = [_edit_and_wait(installation.edit_menu, root, socket) for _ in range(_MENU_EDITS)]
            return EditedWarm(released, saved, menus, *memory)
        finally:
            process.terminate()
            editor.terminate()


def _edit_and_wait(edit: Callable[[], None], root: Path, socket: Path) -> float:
    before = live_file(root).stat().st_ino
    edit()
    started = time.perf_counter()
    wake(socket)
    _wait_for(lambda: live_file(root).stat().st_ino != before, "The edit did not go live.")
    return time.perf_counter() - started


def _save_and_wait(editor: "subprocess.Popen[bytes]", root: Path) -> float:
    before = live_file(root).stat().st_ino
    assert editor.stdin
    assert editor.stdout
    editor.stdin.write(b"\n")
    editor.stdin.flush()
    started = float(editor.stdout.readline())
    _wait_for(lambda: live_file(root).stat().st_ino != before, "The saved edit did not go live.")
    return time.perf_counter() - started


def _wait_for(condition: Callable[[], bool], failure: str) -> None:
    deadline = time.perf_counter() + _LIVE_WITHIN_S
    while not condition():
        if time.perf_counter() > deadline:
            raise click.ClickException(f"{failure} Measuring ended.")
        time.sleep(0.0005)


def _count(pages: int, sites: int) -> str:
    return f"{pages:,} pages" if sites == 1 else f"{pages:,} pages on {sites} sites"


def _describe(output: Output) -> str:
    html, data = output.html_bytes / output.html_files, output.data_bytes / output.html_files
    return f"8-14 blocks, {html / 1000:.1f} kB HTML and {data / 1000:.1f} kB page data each"


def _median(measured: list[Measured]) -> Measured:
    return sorted(measured)[len(measured) // 2]


def _rates(measured: list[Measured], pages: int, output: Output) -> tuple[str, str]:
    """Return pages and MB of HTML per second."""
    wall = _median(measured).wall_s
    fastest, slowest = min(measured).wall_s, max(measured).wall_s
    spread = f" ({pages / slowest:,.0f}-{pages / fastest:,.0f})" if len(measured) > 1 else ""
    return f"{pages / wall:,.0f}{spread}", f"{output.html_bytes / wall / 1e6:.1f}"


def _spread(seconds: list[float]) -> str:
    rank = sorted(seconds)
    return (
        f"p50 {statistics.median(rank) * 1000:.1f} ms, p95 {rank[int(len(rank) * 0.95)] * 1000:.1f} ms, "
        f"slowest {rank[-1] * 1000:.1f} ms"
    )


def _columns(measured: Measured) -> tuple[str, ...]:
    return (
        f"{measured.wall_s:.2f}",
        f"{measured.cpu_s:.2f}",
        f"{measured.rss_mb:,.0f}",
        f"{measured.share_mb:,.0f}" if measured.share_mb else "",
        f"{measured.own_mb:,.0f}",
    )
