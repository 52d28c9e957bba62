"""``portolan soak``: cause faults repeatedly, and record the results."""

from collections.abc import Sequence

import click

from portolan.config.project import ROOT

from ..evidence import faults
from ..evidence.files import FOLDER, of_tables


@click.command()
@click.argument("rows", nargs=-1)
@click.option("--short", is_flag=True, help="Run the short form, as `make test` does.")
def command(rows: Sequence[str], short: bool) -> None:
    """Run the fault tests of docs/evidence/faults.toml."""
    folder = ROOT / FOLDER
    known = faults.read_faults(folder)
    if unknown := {*rows} - {fault.id for fault in known}:
        raise click.ClickException(f"Unknown rows: {', '.join(sorted(unknown))}. See {FOLDER}/{faults.TABLE}.")
    results = faults.read_results(folder)
    failed = []
    for fault in known:
        if rows and fault.id not in rows:
            continue
        click.echo(f"\n== {fault.id}: {fault.what}")
        results[fault.id] = faults.run(fault, "short" if short else "long", ROOT)
        faults.write_results(folder, results)  # at once, so that an interrupted run keeps its results
        (folder / "faults.md").write_text(of_tables(folder)["faults.md"], encoding="utf-8")
        if results[fault.id].failed:
            failed.append(fault.id)
    if failed:
        raise click.ClickException(f"Failed: {', '.join(failed)}.")
