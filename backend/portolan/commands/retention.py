"""``portolan retention``: show what waits for a confirmation before it is removed, and confirm it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ..config.env import Env, env
from ..config.start_django import start_django, start_django_to_write
from ..domain.months import subtract_months

if TYPE_CHECKING:
    from ..retention.guard import Rule


@click.group()
def command() -> None:
    """Show old data that was not removed, and remove it after a confirmation."""


@command.command("list")
def list_rules() -> None:
    """Show how much is older than it is kept."""
    start_django()
    from ..retention.guard import look

    now = datetime.now(UTC)
    with open_rules(env(), now) as rules:
        for rule in rules:
            overdue = look(rule, now)
            doubt = f"  NOT removed automatically: {overdue.doubt}" if overdue.doubt else ""
            click.echo(f"{_name(rule)}  {overdue.count} of {rule.total()}{doubt}")


@command.command("remove")
@click.argument("subject")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(subject: str, yes: bool) -> None:
    """Remove what is older than it is kept. Asks first.

    SUBJECT is a name that `portolan retention list` shows.
    """
    start_django_to_write()
    from ..retention.guard import look, remove_overdue

    now = datetime.now(UTC)
    with open_rules(env(), now) as rules:
        found = {_name(rule): rule for rule in rules}
        if subject not in found:
            raise click.UsageError(f"There is no {subject!r}. There are: {', '.join(found)}.")
        rule = found[subject]
        overdue = look(rule, now)
        if overdue.count and not yes:
            why = f": {overdue.doubt}" if overdue.doubt else ""
            click.echo(
                f"{overdue.count} {rule.subject} are older than they are kept{why}. It is {now:%Y-%m-%d} here.",
                err=True,
            )
            click.confirm("Remove them? You cannot undo this.", abort=True)
        count = remove_overdue(rule, now, is_confirmed=True)
    click.echo(f"Removed {count} {rule.subject}.")


@contextmanager
def open_rules(settings: Env, now: datetime) -> Iterator[list["Rule"]]:
    """Every rule of the product. While releases are looked at, nothing is published."""
    from ..accounts.endings import old_sign_ins
    from ..builds.live import read_live
    from ..consent_records.recording import old_records
    from ..leads.open_store import open_store
    from ..leads.retention import old_leads
    from ..publisher.lock import publish_lock
    from ..publisher.retention import find_floor
    from ..releases.connection import connected_reader
    from ..studio.bin import old_pages
    from ..studio.previews.secret import old_links

    with publish_lock(settings.builds_dir):
        days = settings.registry.retention.release_days
        floor = find_floor(connected_reader(), read_live(settings.builds_dir), days, now)
        yield [
            old_leads(subtract_months(now, settings.leads_kept_months), open_store()),
            old_records(subtract_months(now, settings.consent_kept_months)),
            old_sign_ins(now),
            old_pages(now),
            old_links(now),
            old_releases(floor or 0),
        ]


def old_releases(floor: int) -> "Rule":
    """Releases before ``floor``, and what only they need."""
    from ..releases.models import Release
    from ..releases.prune import prune_before
    from ..retention.guard import Rule

    old = Release.objects.filter(number__lt=floor)
    return Rule("releases", old.count, Release.objects.count, lambda: prune_before(floor)["releases"])


def _name(rule: "Rule") -> str:
    return rule.subject.replace(" ", "-")
