"""``portolan soak``: brings about what may go wrong, again and again, and writes down what came of it."""

from collections.abc import Sequence

import click

from portolan.config.project import ROOT

from ..evidence import faults
from ..evidence.files import FOLDER, of_tables


@click.command()
@click.argument("rows", nargs=-1)
@click.option("--short", is_flag=True, help="As `make test` has it, not the long form.")
def command(rows: Sequence[str], short: bool) -> None:
    """Run the fault tests of docs/evidence/faults.toml."""
    folder = ROOT / FOLDER
    known = faults.read_faults(folder)
    if unknown := {*rows} - {fault.id for fault in known}:
        raise click.ClickException(f"No row is called {', '.join(sorted(unknown))}: see {FOLDER}/{faults.TABLE}.")
    results = faults.read_results(folder)
    failed = []
    for fault in known:
        if rows and fault.id not in rows:
            continue
        click.echo(f"\n== {fault.id}: {fault.what}")
        results[fault.id] = faults.run(fault, "short" if short else "long", ROOT)
        faults.write_results(folder, results)  # at once: whoever breaks off keeps what has been run
        (folder / "faults.md").write_text(of_tables(folder)["faults.md"], encoding="utf-8")
        if results[fault.id].failed:
            failed.append(fault.id)
    if failed:
        raise click.ClickException(f"Not survived: {', '.join(failed)}.")
