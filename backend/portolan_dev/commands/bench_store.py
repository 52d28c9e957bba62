"""``portolan bench-store``: measure publishes into an object store, an edge that follows it, and exports to it."""

import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from portolan.builds.live import live_file, read_switch
from portolan.releases.wake import wake

from ..bench.contents import CONTENTS, enough_for
from ..bench.disk import OURS_A_PAGE, require_room
from ..bench.installation import PORTOLAN, Installation
from ..bench.measured import Measured, measure
from ..bench.object_store import BUCKET, served_store
from ..short_form import short_form

_WITHIN_S: Final = 120
_WARM_EDITS: Final = 3


class _Lags(NamedTuple):
    """Seconds per edit."""

    live: list[float]
    """From a release's commit to the pointer on the publisher's disk."""
    followed: list[float]
    """From there to the pointer on the edge's disk."""


@click.command()
@click.option("--pages", default=10_000, show_default=True, type=click.IntRange(20, 100_000))
@click.option("--sites", default=1, show_default=True, type=click.IntRange(1, 8), help="Number of sites.")
@click.option("--edits", default=50, show_default=True, type=click.IntRange(1, 1000), help="Edits for the edge.")
@click.option(
    "--exports", default=5, show_default=True, type=click.IntRange(0, 100), help="Exports of one edit. 0: none."
)
@click.option("--store", default="", metavar="URL", help="An empty store. Default: a local one.")
@short_form(pages=20, edits=1, exports=1)
def command(pages: int, sites: int, edits: int, exports: int, store: str) -> None:
    """Measure publishes, edges and exports with a store."""
    for module in ("psutil", "obstore", *(() if store else ("moto",))):
        if find_spec(module) is None:
            raise click.ClickException(
                f"{module} is not installed. Nothing was measured. Install the developer's tools: `make bench-store`"
            )
    if not enough_for(pages, sites):
        raise click.UsageError(f"{pages} pages are too few for {sites} sites: each needs 20. Nothing was measured.")
    require_room(4 * pages * OURS_A_PAGE)
    folder = Path(tempfile.mkdtemp(prefix="portolan-bench-"))
    server: Any = nullcontext({}) if store else served_store()
    try:
        with server as variables:
            _measure(folder, (store or f"s3://{BUCKET}").rstrip("/"), variables, pages, sites, edits, exports)
    finally:
        shutil.rmtree(folder)


def _measure(
    folder: Path, store: str, variables: Mapping[str, str], pages: int, sites: int, edits: int, exports: int
) -> None:
    more = {**variables, "PORTOLAN_BUILD_STORE": f"{store}/builds"}
    installation = Installation(folder, CONTENTS["own"], pages, sites, more=more)
    alone = measure(installation.command(), {**installation.variables(), "PORTOLAN_BUILD_STORE": ""})
    first = installation.publish_cold()
    _say(f"{pages:,} pages of {sites} sites, first publish: {_cost(first)}; without a store {_cost(alone)}")
    lags = _follow(installation, folder / "edge", edits)
    _say(f"one edit, from release to the publisher's switch: {_spread(lags.live)} ({edits} edits)")
    _say(f"one edit, from the publisher's switch to the edge's: {_spread(lags.followed)} ({edits} edits)")
    if exports:
        _export(installation, f"{store}/export", exports)


def _follow(installation: Installation, edge: Path, edits: int) -> _Lags:
    lags = _Lags([], [])
    socket = installation.var / "publisher.sock"
    edge_builds = edge / "builds"
    with (
        _running([*installation.command("--watch")], installation.variables()),
        _running([PORTOLAN, "follow"], {**installation.variables(), "PORTOLAN_VAR_DIR": str(edge)}),
    ):
        _wait_for(lambda: wake(socket), "The publisher did not start.")
        for number in range(-_WARM_EDITS, edits):
            before = _inode(installation.builds)
            installation.edit()
            released = time.perf_counter()
            wake(socket)
            _wait_for(lambda before=before: _inode(installation.builds) != before, "The edit did not go live.")  # type: ignore[misc]
            live = time.perf_counter()
            wanted = read_switch(installation.builds)
            _wait_for(lambda wanted=wanted: read_switch(edge_builds) == wanted, "The edge did not follow.")  # type: ignore[misc]
            if number >= 0:
                lags.live.append(live - released)
                lags.followed.append(time.perf_counter() - live)
    return lags


def _export(installation: Installation, url: str, exports: int) -> None:
    command = [PORTOLAN, "export", url, "--compress", "br"]
    first = measure(command, installation.variables())
    _say(f"export into the store, the first time: {_cost(first)}")
    later: list[Measured] = []
    for _ in range(exports):
        installation.edit()
        installation.publish()
        later.append(measure(command, installation.variables()))
    cpu = statistics.median(each.cpu_s for each in later)
    wall = _spread([each.wall_s for each in later])
    _say(f"export of one edit, as a command with process start: {wall}; {cpu:.2f} s of CPU time ({exports} exports)")


@contextmanager
def _running(command: list[str], variables: Mapping[str, str]) -> Iterator[None]:
    with subprocess.Popen(
        command, env=dict(variables), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def _inode(builds: Path) -> int:
    try:
        return live_file(builds).stat().st_ino
    except FileNotFoundError:
        return 0


def _wait_for(condition: Callable[[], Any], failure: str) -> None:
    deadline = time.perf_counter() + _WITHIN_S
    while not condition():
        if time.perf_counter() > deadline:
            raise click.ClickException(f"{failure} Measuring ended.")
        time.sleep(0.0005)


def _cost(measured: Measured) -> str:
    return f"{measured.wall_s:.1f} s, {measured.cpu_s:.1f} s of CPU time"


def _spread(seconds: list[float]) -> str:
    rank = sorted(seconds)
    p95 = rank[min(int(len(rank) * 0.95), len(rank) - 1)]
    return f"p50 {statistics.median(rank):.3f} s, p95 {p95:.3f} s, slowest {rank[-1]:.3f} s"


def _say(line: str) -> None:
    click.echo(line)
