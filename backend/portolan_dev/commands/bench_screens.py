"""``portolan bench-screens``: measure every screen of the studio with 10,000 pages, in seconds and queries."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.table import Table

from portolan.config.env import env

from ..bench.installation import PORTOLAN
from ..bench.screens import Cost
from ..short_form import short_form

_FILLED: Final = "bench-screens.json"
_FEWEST: Final = 200
_LONGEST: Final = 90
"""Characters of a printed URL."""
WANTED_S: Final = 1.0


@click.command()
@click.option("--pages", default=10_000, show_default=True, type=click.IntRange(_FEWEST, 100_000))
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the installation, kept for later runs. Default: temporary.",
)
@click.option("--only", default="", metavar="PART", help="Only screens with PART in their URL.")
@click.option("--over", default=0.0, metavar="SECONDS", type=float, help="Only print screens that need more CPU time.")
@click.option("--forms", is_flag=True, help="Measure long forms in a browser instead.")
@short_form(pages=_FEWEST, only="/pages/")
def command(pages: int, folder: Path | None, only: str, over: float, forms: bool) -> None:
    """Measure every screen of a studio with many pages.

    Opens each as an administrator and as one country's publisher.

    The database is SQLite in the folder, or that of DATABASE_URL, which must be empty or from an earlier run:
    `python scripts/with_postgres.py portolan bench-screens`.
    """
    console = Console(highlight=False, soft_wrap=True)
    with _kept(folder) as there:
        variables = _variables(there)
        _fill(there, variables, pages)
        if forms:
            from ..bench.long_forms import print_forms

            click.echo("  … opening long forms", err=True)
            print_forms(there, variables, console)
            return
        _print_screens(variables, only, over, console)


@contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="portolan-screens-") as name:
            yield Path(name)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve()


def _variables(folder: Path) -> Mapping[str, str]:
    return {**os.environ, "PORTOLAN_VAR_DIR": str(folder)}


def _fill(folder: Path, variables: Mapping[str, str], pages: int) -> None:
    """Create the demo and the pages, and publish them. Use those of an earlier run if they exist."""
    mark = folder / _FILLED
    wanted = json.dumps({"pages": pages, "database": env().database_url or "sqlite"})
    if mark.exists():
        if mark.read_text() != wanted:
            raise click.ClickException(
                f"{folder} has another run's installation ({mark.read_text()}). Nothing was measured. Use another --folder, or "
                "the same --pages and database."
            )
        return
    for said, arguments in (
        ("the demo", [PORTOLAN, "demo", "--no-serve"]),
        (f"{pages:,} pages", [sys.executable, "-m", "portolan_dev.bench.studio_pages", str(pages)]),
        ("a release of all", [PORTOLAN, "releases", "refresh"]),
        ("publishing", [PORTOLAN, "publish"]),
    ):
        click.echo(f"  … {said}", err=True)
        done = subprocess.run(arguments, env=dict(variables), capture_output=True, text=True)
        if done.returncode:
            raise click.ClickException(
                f"This step failed: {said}. Nothing was measured.\n{(done.stdout + done.stderr)[-3000:]}"
            )
    mark.write_text(wanted)


def _print_screens(variables: Mapping[str, str], only: str, over: float, console: Console) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "", "status", "wall s", "CPU s", "queries", "kB"):
        table.add_column(column, justify="right" if column else "left")
    slowest = 0.0
    click.echo("  … opening every screen", err=True)
    with subprocess.Popen(
        [sys.executable, "-m", "portolan_dev.bench.screens", only],
        env=dict(variables),
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        for cost in (Cost(**json.loads(line)) for line in process.stdout or ()):
            slowest = max(slowest, cost.cpu_s)
            if cost.cpu_s >= over:
                style = "red" if cost.cpu_s >= WANTED_S else ""
                figures = (f"{cost.wall_s:.2f}", f"{cost.cpu_s:.2f}", str(cost.queries), f"{cost.kilobytes:,.0f}")
                table.add_row(
                    cost.who.removeprefix("bench-"), _shorten(cost.address), str(cost.status), *figures, style=style
                )
    if process.returncode:
        raise click.ClickException("The screens could not be opened. See the reason above.")
    console.print(table)
    console.print(f"The slowest needs {slowest:.2f} s of CPU time. The limit is {WANTED_S:.0f} s.")


def _shorten(address: str) -> str:
    return address if len(address) <= _LONGEST else f"{address[:_LONGEST]}…"
