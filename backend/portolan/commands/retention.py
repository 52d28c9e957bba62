"""``portolan retention``: list and remove data past its retention period."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ..config.env import Env, env
from ..config.start_django import start_django, start_django_to_write
from ..domain.months import subtract_months
from ..publisher.lock import publish_lock

if TYPE_CHECKING:
    from ..retention.guard import Rule


@click.group()
def command() -> None:
    """Show and remove data past its retention period."""


@command.command("list")
def list_rules() -> None:
    """Show how much data is past its retention period."""
    start_django()
    from ..retention.guard import look

    now = datetime.now(UTC)
    for rule in find_rules(env(), now):
        overdue = look(rule, now)
        failed_check = f"  NOT removed automatically: {overdue.failed_check}" if overdue.failed_check else ""
        click.echo(f"{_name(rule)}  {overdue.count} of {rule.total()}{failed_check}")


@command.command("remove")
@click.argument("subject")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def remove(subject: str, yes: bool) -> None:
    """Remove data past its retention period. Asks first.

    SUBJECT is a name that `portolan retention list` shows.
    """
    start_django_to_write()
    from ..retention.guard import look, remove_overdue

    now, settings = datetime.now(UTC), env()
    with publish_lock(settings.builds_dir):  # no site may go back to a release during its removal
        found = {_name(rule): rule for rule in find_rules(settings, now)}
        if subject not in found:
            raise click.UsageError(f"There is no {subject!r}. Available: {', '.join(found)}.")
        rule = found[subject]
        overdue = look(rule, now)
        if overdue.count and not yes:
            why = f": {overdue.failed_check}" if overdue.failed_check else ""
            click.echo(
                f"{overdue.count} {rule.subject} are past their retention period{why}. Today is {now:%Y-%m-%d} on this machine.",
                err=True,
            )
            click.confirm("Remove them? You cannot undo this.", abort=True)
        count = remove_overdue(rule, now, is_confirmed=True)
    click.echo(f"Removed {count} {rule.subject}.")


def find_rules(settings: Env, now: datetime) -> list["Rule"]:
    """Return every retention rule."""
    from ..accounts.endings import old_sign_ins
    from ..builds.live import read_live
    from ..consent_records.recording import old_records
    from ..leads.open_store import open_store
    from ..leads.retention import old_leads
    from ..publisher.retention import find_floor
    from ..releases.connection import connected_reader
    from ..studio.bin import old_pages
    from ..studio.previews.secret import old_links

    floor = find_floor(
        connected_reader(), read_live(settings.builds_dir), settings.registry.retention.release_days, now
    )
    return [
        old_leads(subtract_months(now, settings.leads_kept_months), open_store()),
        old_records(subtract_months(now, settings.consent_kept_months)),
        old_sign_ins(now),
        old_pages(now),
        old_links(now),
        old_releases(floor or 0),
    ]


def old_releases(floor: int) -> "Rule":
    """Return the rule for releases before ``floor`` and the data that only they need."""
    from ..releases.models import Release
    from ..releases.prune import prune_before
    from ..retention.guard import Rule

    old = Release.objects.filter(number__lt=floor)
    return Rule("releases", old.count, Release.objects.count, lambda: prune_before(floor)["releases"])


def _name(rule: "Rule") -> str:
    return rule.subject.replace(" ", "-")
