"""``portolan bench-build``: how fast pages are built, on generated content; and how soon one edit is live."""

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from portolan.builds.live import live_file, read_live
from portolan.builds.manifest import read_manifest
from portolan.config.env import env
from portolan.domain.company import company_age
from portolan.publisher.web_build import load_web_build
from portolan.releases.wake import wake

from ..bench.content import Item, media_names, write_items, write_page
from ..bench.memory import Memory, find_freezer
from ..bench.release_database import ReleaseDatabase

_SITE: Final = "en"
_SAMPLE_EVERY_S: Final = 0.05
_LIVE_WITHIN_S: Final = 30
_PORTOLAN: Final = Path(sys.executable).with_name("portolan")
_EDITOR: Final = (sys.executable, "-m", "portolan_dev.bench.editor")


class Measured(NamedTuple):
    wall_s: float
    cpu_s: float
    rss_mb: float
    """Peak of all processes together; memory they share counts for each."""
    publisher_mb: float
    """Peak of the publisher's own process, without the render workers."""


@click.command()
@click.option("--pages", default=1000, show_default=True, type=click.IntRange(20, 100_000))
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1, 50), help="Cold publishes of each kind.")
@click.option(
    "--edits", default=30, show_default=True, type=click.IntRange(1, 1000), help="Edits in the running process."
)
@click.option("--keep", is_flag=True, help="Keep what was built, and say where it is.")
def command(pages: int, runs: int, edits: int, keep: bool) -> None:
    """Build 1,000 generated pages and print pages a second."""
    if find_spec("psutil") is None:
        raise click.ClickException(
            "psutil is not installed, without which peak memory cannot be read, so nothing was measured. It is one of the "
            "developer's tools: `make bench-build` installs them."
        )
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    folder = Path(tempfile.mkdtemp(prefix="portolan-bench-"))
    try:
        with console.status(f"Writing {pages} pages of content …"):
            bench = Bench(folder, pages)
        bench.warm_up()
        table = Table(box=None, pad_edge=False, header_style="bold", title=None)
        for column in ("", "wall s", "CPU s", "peak MB", "publisher's", "pages/s"):
            table.add_column(column, justify="left" if not column else "right")
        for label, arguments in (
            ("cold publish, HTML as Brotli 5", []),
            ("cold publish, nothing compressed", ["--brotli", "0"]),
        ):
            with console.status(label):
                measured = [bench.publish_cold(number, arguments) for number in range(runs)]
            typical = sorted(measured)[len(measured) // 2]
            spread = f" ({pages / max(measured).wall_s:,.0f}-{pages / min(measured).wall_s:,.0f})" if runs > 1 else ""
            table.add_row(label, *_columns(typical), f"{pages / typical.wall_s:,.0f}{spread}")
        with console.status("One edit on the command line"):
            table.add_row(
                "one edit, command line", *_columns(sorted(bench.edit_cold() for _ in range(runs))[runs // 2]), ""
            )
        with console.status("One edit in the running process"):
            warm = bench.edit_warm(edits)
        console.print(
            f"{pages} pages, {bench.describe()}; {os.cpu_count()} cores; median of {runs}, process start included"
        )
        console.print(table)
        console.print(
            f"one edit in the running process, from release to live: {_spread(warm.released)} ({edits} edits)"
        )
        console.print(f"one edit in the running process, from save to live: {_spread(warm.saved)} ({edits} edits)")
        console.print(f"in memory after that: the publisher {warm.publisher}")
        if warm.freezer is not None:
            both = warm.publisher.share + warm.freezer.share
            console.print(f"in memory after that: its freezer {warm.freezer}; both together {both:,.0f} MB")
    finally:
        if keep:
            console.print(f"Kept in {folder}")
        else:
            shutil.rmtree(folder)


class EditedWarm(NamedTuple):
    """Seconds of each edit until it was live, and what was in memory after them."""

    released: list[float]
    """From a release's commit on."""
    saved: list[float]
    """From the commit of an editor's save on, which has to be frozen first."""
    publisher: Memory
    freezer: Memory | None


class Bench:
    """Generated content in a folder of its own, and publishers as processes over it."""

    def __init__(self, folder: Path, pages: int) -> None:
        load_web_build(env().web_dist)
        self._folder = folder
        self._pages = pages
        self._edition = 0
        self._builds = 0
        database = folder / "releases.sqlite3"
        media = folder / "media"
        media.mkdir()
        for name in media_names():
            (media / name).touch()
        self._environment = {
            **os.environ,
            "PORTOLAN_SITES_FILE": str(_write_registry(folder)),
            "DATABASE_URL": f"sqlite:///{database}",
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),  # as installed: compiled once, before the clock runs
        }
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for arguments in ([str(_PORTOLAN), "django", "migrate", "--verbosity", "0"], [*_EDITOR, "prepare"]):
            subprocess.run(arguments, env=self._variables(0), check=True)
        self._database = ReleaseDatabase(database, _SITE)
        self._database.release(write_items(pages, self._figures()))

    def warm_up(self) -> None:
        subprocess.run(self._command("--help"), env=self._variables(0), check=True, stdout=subprocess.DEVNULL)
        self.publish_cold(0, [])

    def publish_cold(self, number: int, arguments: list[str]) -> Measured:
        """A first publish, into an empty folder."""
        self._builds += 1
        return _measure(self._command(*arguments), self._variables(self._builds))

    def edit_cold(self) -> Measured:
        """A change of one page, published by a new process."""
        self._edit()
        return _measure(self._command(), self._variables(self._builds))

    def edit_warm(self, edits: int) -> "EditedWarm":
        """Edits in a publisher that stays: first as releases that are there already, then saved by an editor."""
        import psutil

        variables = self._variables(self._builds)
        root = Path(variables["PORTOLAN_VAR_DIR"]) / "builds"
        socket = Path(variables["PORTOLAN_VAR_DIR"]) / "publisher.sock"
        with (
            subprocess.Popen(self._command("--watch"), env=variables, stderr=subprocess.DEVNULL) as process,
            subprocess.Popen(_EDITOR, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as editor,
        ):
            try:
                _wait_for(lambda: wake(socket), "The publisher did not start.")
                for _ in range(3):  # it reads the release; editor and freezer load what they need
                    self._edit_and_wait(root, socket)
                    _save_and_wait(editor, root)
                released = [self._edit_and_wait(root, socket) for _ in range(edits)]
                saved = [_save_and_wait(editor, root) for _ in range(edits)]
                freezer = find_freezer(psutil.Process(process.pid))
                return EditedWarm(
                    released, saved, Memory.of(process.pid), None if freezer is None else Memory.of(freezer)
                )
            finally:
                process.terminate()
                editor.terminate()

    def describe(self) -> str:
        root = Path(self._variables(self._builds)["PORTOLAN_VAR_DIR"]) / "builds"
        files = read_manifest(root, _SITE, read_live(root).builds[_SITE]).files
        html = [file.size for file in files.values() if file.content_type.startswith("text/html")]
        data = [file.size for path, file in files.items() if path.endswith("/page-data.json")]
        return f"8-14 blocks, {statistics.mean(html) / 1000:.1f} kB HTML and {statistics.mean(data) / 1000:.1f} kB page data each"

    def _edit(self) -> None:
        self._edition += 1
        number = 1 + self._edition % (self._pages - 3)
        body = write_page(number, self._pages, edition=self._edition)
        self._database.release([Item("page", f"page-{number}", body)])

    def _edit_and_wait(self, root: Path, socket: Path) -> float:
        before = live_file(root).stat().st_ino
        self._edit()
        started = time.perf_counter()
        wake(socket)
        _wait_for(lambda: live_file(root).stat().st_ino != before, "The edit did not go live.")
        return time.perf_counter() - started

    def _command(self, *arguments: str) -> list[str]:
        # The peers draw nothing to be shared: pages are compared with pages.
        return [str(_PORTOLAN), "publish", "--no-pictures", *arguments]

    def _variables(self, number: int) -> dict[str, str]:
        """Environment of a publisher with builds of its own and the media of all."""
        var = self._folder / f"var-{number}"
        if not var.exists():
            var.mkdir()
            (var / "media").symlink_to(self._folder / "media")
        return {**self._environment, "PORTOLAN_VAR_DIR": str(var)}

    def _figures(self) -> dict[str, str]:
        registry = env().registry
        today = datetime.now(UTC).date()
        return {
            **registry.figures.model_dump(),
            "age": str(company_age(registry.company.founded, today)),
            "year": str(today.year),
            "company": registry.company.name,
        }


def _save_and_wait(editor: "subprocess.Popen[bytes]", root: Path) -> float:
    before = live_file(root).stat().st_ino
    assert editor.stdin
    assert editor.stdout
    editor.stdin.write(b"\n")
    editor.stdin.flush()
    started = float(editor.stdout.readline())
    _wait_for(lambda: live_file(root).stat().st_ino != before, "The saved edit did not go live.")
    return time.perf_counter() - started


def _write_registry(folder: Path) -> Path:
    """The registry with one of its sites."""
    sections = re.split(r"(?m)^(?=\[)", env().sites_file.read_text(encoding="utf-8"))
    others = re.compile(rf"\[sites\.(?!{_SITE}\])")
    file = folder / "sites.toml"
    file.write_text("".join(section for section in sections if not others.match(section)), encoding="utf-8")
    return file


def _measure(command: list[str], variables: Mapping[str, str]) -> Measured:
    import psutil

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        peak = _Peak(psutil.Process(process.pid))
        peak.start()
        output, _ = process.communicate()
        wall = time.perf_counter() - started
        peak.end()
    if process.returncode:
        raise click.ClickException(f"The publish failed, so nothing was measured:\n{output.decode()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(wall, cpu, peak.bytes / 1e6, peak.own_bytes / 1e6)


class _Peak(threading.Thread):
    """Samples the memory of a process and those it started."""

    def __init__(self, process: Any) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._ended = threading.Event()
        self.bytes = self.own_bytes = 0

    def run(self) -> None:
        import psutil

        while not self._ended.wait(_SAMPLE_EVERY_S):
            try:
                own = self._process.memory_info().rss
                others = sum(each.memory_info().rss for each in self._process.children(recursive=True))
                self.bytes, self.own_bytes = max(self.bytes, own + others), max(self.own_bytes, own)
            except psutil.Error:  # one of them has just ended
                continue

    def end(self) -> None:
        self._ended.set()
        self.join()


def _wait_for(condition: Callable[[], bool], failure: str) -> None:
    deadline = time.perf_counter() + _LIVE_WITHIN_S
    while not condition():
        if time.perf_counter() > deadline:
            raise click.ClickException(f"{failure} Nothing more was measured.")
        time.sleep(0.0005)


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
        f"{measured.publisher_mb:,.0f}",
    )
