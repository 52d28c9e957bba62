"""``portolan consent``: export or remove the records of visitors' cookie choices."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import click

from ..config.env import env
from ..config.start_django import start_django, start_django_to_write
from ..domain.moments import stamp
from ..domain.words import say_count


@click.group()
def command() -> None:
    """Export or remove records of cookie choices."""


@command.command("export")
@click.option("--site", help="Only choices made on this site.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Only choices from this day on (UTC).")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def export(site: str | None, since: datetime | None, file: Path | None) -> None:
    """Write consent records as CSV to FILE or standard output."""
    known = env().registry.sites
    if site is not None and site not in known:
        raise click.UsageError(f"There is no site {site!r}. Sites: {', '.join(known)}.")
    if file is None:
        _export(sys.stdout.buffer, site, since)
        sys.stdout.buffer.flush()
        return
    with file.open("wb") as out:
        count = _export(out, site, since)
    click.echo(f"Wrote {say_count(count, 'record')} to {file}.", err=True)


def _export(out: BinaryIO, site: str | None, since: datetime | None) -> int:
    start_django()
    from ..consent_records.csv_export import export_records

    return export_records(out, site, since.date() if since else None)


@command.command("purge")
@click.option(
    "--months",
    type=click.IntRange(1, 1200),
    help="Keep records of the last N months. Default: PORTOLAN_CONSENT_KEPT_MONTHS (36).",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def purge(months: int | None, yes: bool) -> None:
    """Remove consent records past their retention period.

    The default period is three years.

    Asks first if this is more than a fifth of all records, or if the clock may be wrong. Without a terminal it then
    exits with 1 and keeps them.
    """
    start_django_to_write()
    from ..consent_records.recording import old_records
    from ..domain.months import subtract_months
    from ..retention.guard import look, note_failed_check, remove_overdue

    now = datetime.now(UTC)
    before = subtract_months(now, months or env().consent_kept_months)
    rule = old_records(before)
    overdue = look(rule, now)
    if overdue.failed_check and not yes:
        note_failed_check(rule, overdue)
        click.echo(
            f"{say_count(overdue.count, 'record')} from before {before:%Y-%m-%d} would be removed: {overdue.failed_check}. Check the clock and "
            "PORTOLAN_CONSENT_KEPT_MONTHS.",
            err=True,
        )
        click.confirm("Remove them? You cannot undo this.", abort=True)
    count = remove_overdue(rule, now, is_confirmed=yes or bool(overdue.failed_check))
    click.echo(f"Removed {say_count(count, 'record')} from before {stamp(before)}.")
