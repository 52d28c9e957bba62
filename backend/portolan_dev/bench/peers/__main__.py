"""``python -m portolan_dev.bench.peers`` (`make bench-peers`): build the same pages with other generators and Portolan, in turns.

All files go into new folders that are deleted after the last round, because file systems may be slow for some seconds
after large deletions. Images are left out, because no generator copies any.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from ...short_form import short_form
from ..contents import CONTENTS
from ..disk import OURS_A_PAGE, PEERS_A_PAGE, require_room
from ..installation import Installation
from ..measured import choose_cores, measure
from .content import FEWEST_PAGES, write_files
from .figures import Built, Round, tell
from .projects import PEERS, Peer, environment, install, prepare, read_sizes

_OURS: Final = {"Portolan, nothing compressed": ("--brotli", "0"), "Portolan, HTML as Brotli 5": ("--brotli", "5")}
_WIDTH: Final = 160
_LONGEST_RUN_S: Final = 120
_SLOWEST_PAGES_A_S: Final = 20


class Contender(NamedTuple):
    name: str
    build: Callable[[], Built]
    """Builds once from scratch."""


@click.command(name="bench-peers")
@click.option("--pages", default=1000, show_default=True, type=click.IntRange(FEWEST_PAGES, 100_000))
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1, 50), help="Builds per generator.")
@click.option("--cores", type=click.IntRange(1), help="Cores per build. Default: all.")
@click.option("--keep", is_flag=True, help="Keep the builds and print their folder.")
@short_form(pages=FEWEST_PAGES, rounds=1)
def command(pages: int, rounds: int, cores: int | None, keep: bool) -> None:
    """Compare build times of the same pages with other generators."""
    if find_spec("psutil") is None:
        raise click.ClickException(
            "psutil is not installed, so memory cannot be measured. Nothing was measured. "
            "Install the developer's tools: `make bench-peers`"
        )
    require_room((1 + rounds) * pages * (len(PEERS) * PEERS_A_PAGE + len(_OURS) * OURS_A_PAGE))
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    for peer in PEERS:
        with console.status(f"Installing {peer.name}, once …"):
            install(peer)
    chosen = choose_cores(cores)
    with _folder(console, keep) as folder:
        with console.status(f"Writing {pages} pages of content …"):
            contenders = list(_contenders(folder, pages, chosen))
        found = list(_run(console, contenders, rounds))
        tell(console, found, pages, len(chosen) if chosen else os.cpu_count() or 1)


def _contenders(folder: Path, pages: int, cores: frozenset[int] | None) -> Iterator[Contender]:
    content = folder / "content"
    content.mkdir()
    write_files(content, 0, pages)
    within_s = _LONGEST_RUN_S + pages / _SLOWEST_PAGES_A_S
    for peer in PEERS:
        yield Contender(peer.name, _PeersBuild(peer, folder, content, pages, cores, within_s).run)
    ours = folder / "portolan"
    ours.mkdir()
    installation = Installation(ours, CONTENTS["peers"], pages, cores=cores, within_s=within_s)
    for name, arguments in _OURS.items():
        yield Contender(name, partial(_publish, installation, arguments))


def _publish(installation: Installation, arguments: tuple[str, ...]) -> Built:
    cost = installation.publish_cold(*arguments)
    output = installation.output()
    return Built(cost, output.html_files, output.html_bytes)


class _PeersBuild:
    """Builds of one generator, each in its own folder."""

    def __init__(
        self, peer: Peer, folder: Path, content: Path, pages: int, cores: frozenset[int] | None, within_s: float
    ) -> None:
        self._peer = peer
        self._folder = folder
        self._content = content
        self._pages = pages
        self._cores = cores
        self._within_s = within_s
        self._builds = 0

    def run(self) -> Built:
        self._builds += 1
        folder = self._folder / f"{self._peer.folder.name}-{self._builds}"
        prepare(self._peer, folder)
        cost = measure(
            self._peer.command, environment(self._content), self._cores, folder=folder, within_s=self._within_s
        )
        sizes = read_sizes(folder)
        if len(sizes) != self._pages:
            raise click.ClickException(
                f"{self._peer.name} wrote {len(sizes)} pages of {self._pages}, so its time is invalid. Run it again with "
                f"--keep, and check {folder.name} there."
            )
        return Built(cost, len(sizes), sum(sizes))


def _run(console: Any, contenders: list[Contender], rounds: int) -> Iterator[Round]:
    """Yield the builds of each round, after a warm-up. The order rotates, so that predecessors vary."""
    for contender in contenders:
        with console.status(f"{contender.name}, to warm up …"):
            contender.build()
    for number in range(rounds):
        first = number % len(contenders)
        builds = {}
        for contender in contenders[first:] + contenders[:first]:
            with console.status(f"{contender.name}, round {number + 1} of {rounds} …"):
                os.sync()  # so that no build writes the previous one's files
                builds[contender.name] = contender.build()
        yield {contender.name: builds[contender.name] for contender in contenders}


@contextmanager
def _folder(console: Any, keep: bool) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="portolan-bench-"))
    try:
        yield folder
    finally:
        if keep:
            console.print(f"Kept in {folder}")
        else:
            shutil.rmtree(folder)


if __name__ == "__main__":
    command()
