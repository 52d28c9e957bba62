"""Summarise rounds of builds: medians, and ratios of build times in the same round."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..measured import Measured

_OURS: Final = "Portolan"


class Built(NamedTuple):
    """One cold build: its cost and its output."""

    cost: Measured
    html_files: int
    html_bytes: int


Round = Mapping[str, Built]
"""Builds by generator, including Portolan."""


class Ratio(NamedTuple):
    """Ratio of build times."""

    median: float
    lowest: float
    highest: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.lowest:.2f}-{self.highest:.2f})"


def compare(rounds: Sequence[Round], ours: str, other: str) -> Ratio:
    """Return how many times faster ``ours`` is than ``other``, by wall time in the same round."""
    found = [each[other].cost.wall_s / each[ours].cost.wall_s for each in rounds]
    return Ratio(statistics.median(found), min(found), max(found))


def tell(console: Any, rounds: Sequence[Round], pages: int, cores: int) -> None:
    from rich.table import Table

    names = list(rounds[0])
    ours = [name for name in names if name.startswith(_OURS)]
    console.print(
        f"{pages:,} pages, cold builds with process start, on {cores} cores; {len(rounds)} rounds in turns. Medians, and how "
        "many times faster Portolan is (lowest-highest of a round)"
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    quicker = [f"Portolan ({name.removeprefix(f'{_OURS}, ')})" for name in ours]
    for column in ("", "wall s", "CPU s", "peak MB", "shares MB", "pages/s", "kB/page", "MB/s", *quicker):
        table.add_column(column, justify="left" if not column else "right")
    for name in names:
        ratios = [str(compare(rounds, own, name)) if name not in ours else "" for own in ours]
        table.add_row(name, *_cells([each[name] for each in rounds], pages), *ratios)
    console.print(table)


def _cells(builds: Sequence[Built], pages: int) -> list[str]:
    wall, cpu, peak, share = (
        statistics.median(getattr(built.cost, name) for built in builds)
        for name in ("wall_s", "cpu_s", "rss_mb", "share_mb")
    )
    size, files = builds[-1].html_bytes, builds[-1].html_files
    return [
        f"{wall:.2f}",
        f"{cpu:.2f}",
        f"{peak:,.0f}",
        f"{share:,.0f}" if share else "",
        f"{pages / wall:,.0f}",
        f"{size / files / 1000:.1f}",
        f"{size / wall / 1e6:.1f}",
    ]
