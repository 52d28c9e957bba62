"""``portolan leads``: deliver, encrypt and erase leads."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

import click

from ..config.env import env
from ..config.observing import observe
from ..config.start_django import count_queries_as_work, start_django, start_django_to_write
from ..domain.moments import stamp
from ..domain.words import say_count
from ..observing.work_pulse import start_pulse, waiting
from .health_option import health_option, start_listener
from .say import say

if TYPE_CHECKING:
    from ..leads.delivery_service import DeliveryService


@click.group()
def command() -> None:
    """Deliver, encrypt and erase leads."""


@command.command("deliver")
@click.option("--once", is_flag=True, help="Deliver all leads that are due, then exit.")
@health_option
def deliver(once: bool, health: str | None) -> None:
    """Keep running and deliver leads.

    Also stores leads that waited for the database.
    """
    worker = _open_delivery(once)
    if once:
        click.echo(f"{say_count(worker.run_once(), 'try', 'tries')} made.", err=True)
        return
    if _stay(worker, health, follows_registry=True):
        _say(f"{env().sites_file} has changed. Delivery restarts with it.")
        sys.stderr.flush()
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606  (this program)


def deliver_beside() -> None:
    """Deliver leads in a process of a server, which replaces it if the site configuration changes."""
    _stay(_open_delivery(), None, follows_registry=False)


def _open_delivery(once: bool = False) -> "DeliveryService":
    start_django()
    from django.conf import settings

    from ..accounts.endings import tidy
    from ..leads.alarm import DeadLetterAlarm
    from ..leads.answers import AnswerWorker
    from ..leads.delivery_service import DeliveryService
    from ..leads.destinations.email import Mailer
    from ..leads.destinations.open import find_problems, open_destinations
    from ..leads.open_store import open_store
    from ..studio import bin as deleted_pages
    from ..studio.changes.mail import in_turn, tell_people
    from ..studio.previews.telling import tell_of_comments

    if not once:
        observe("leads")
    registry = settings.SITES_REGISTRY
    destinations = open_destinations(registry, settings.SECRETS, settings.MAIL_SERVER)
    for problem in find_problems(destinations, settings.MAIL_SERVER, registry):
        click.echo(f"Leads cannot be delivered to {problem} Until then they wait.", err=True)
    alarm = DeadLetterAlarm(Mailer(settings.MAIL_SERVER, registry.leads.sender), registry.leads.alarm_to)
    mailer = Mailer(settings.MAIL_SERVER, registry.leads.sender)
    also = in_turn(tidy, deleted_pages.empty, lambda: tell_people(mailer), lambda: tell_of_comments(mailer))
    return DeliveryService(destinations, open_store(), alarm, also=also, answers=AnswerWorker(mailer))


def _stay(worker: "DeliveryService", health: str | None, follows_registry: bool) -> bool:
    """Deliver until told to end (return False) or the site configuration has changed (return True)."""
    from ..releases.wake import LEADS_CHANNEL, AlreadyListening, WakeListener, wake
    from .registry_watch import RegistryWatch

    count_queries_as_work()
    socket = env().leads_socket
    ended, has_another = threading.Event(), threading.Event()

    beats = start_listener("delivery", health, start_pulse(env().silent_after_s))

    def wait(longest_s: float) -> bool:
        if beats:
            beats.beat()
        with waiting():
            return listener.wait(longest_s)

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()
        wake(socket)  # finishes the current delivery first

    def another() -> None:
        has_another.set()
        wake(socket)

    try:
        with WakeListener(socket, env().database, LEADS_CHANNEL) as listener:
            signal.signal(signal.SIGTERM, end)
            signal.signal(signal.SIGINT, end)
            if follows_registry:
                RegistryWatch(env(), another, _say).start()
            with _checking_database(), _watching_for_late_edits(), _verifying_releases():
                worker.run(wait, lambda: ended.is_set() or has_another.is_set())
    except AlreadyListening:
        raise click.ClickException(
            f"Another process already delivers leads; it listens at {socket}. A second one has no effect. End one of them."
        ) from None
    return not ended.is_set()


def _say(line: str) -> None:
    say("delivery of leads", line)


@contextmanager
def _watching_for_late_edits() -> Iterator[None]:
    """Send alerts about late edits. In this process, because it outlives a publisher that hangs or ends."""
    settings = env()
    if not settings.alert_after:
        yield
        return
    from ..alerts.open import AlertThread, open_receivers
    from .faults import find_faults

    receivers = open_receivers(settings.registry, settings.secrets, settings.mail_server)
    faults = partial(find_faults, settings)
    thread = AlertThread(
        settings.database, settings.builds_dir, settings.alerts_file, settings.alert_after, receivers, faults
    )
    thread.start()
    try:
        yield
    finally:
        thread.stop()


@contextmanager
def _checking_database() -> Iterator[None]:
    """Check the database in this process, because it always runs and no request waits for it."""
    from ..config.database_check import DatabaseCheck

    check = DatabaseCheck(env().var_dir, env().database)
    check.start()
    try:
        yield
    finally:
        check.stop()


@contextmanager
def _verifying_releases() -> Iterator[None]:
    """Verify releases in this process, because it runs even if the studio does not."""
    from ..studio.verifier import VerifierThread

    thread = VerifierThread(env().database)
    thread.start()
    try:
        yield
    finally:
        thread.stop()


@command.command("destinations")
def list_destinations() -> None:
    """List destinations, with waiting leads and their errors."""
    start_django()
    from django.conf import settings
    from django.db.models import Count

    from ..leads.destinations.open import find_problems, open_destinations
    from ..leads.models import Delivery
    from ..leads.outbox import is_closed

    registry = settings.SITES_REGISTRY
    if not registry.destinations:
        click.echo("The site configuration names no destinations: leads stay in the inbox.")
    counts = {
        (row["destination"], row["state"]): row["count"]
        for row in Delivery.objects.values("destination", "state").annotate(count=Count("pk")).order_by()
    }
    for rules in registry.destinations:
        states = ", ".join(f"{counts.get((rules.name, state), 0)} {state}" for state in Delivery.State.values)
        sites = ", ".join(rules.sites or ["all sites"])
        closed = "  CLOSED: receives no leads" if is_closed(rules.name) else ""
        click.echo(f"{rules.name}  {rules.kind}  {sites}  {states}{closed}")
    opened = open_destinations(registry, settings.SECRETS, settings.MAIL_SERVER)
    problems = list(find_problems(opened, settings.MAIL_SERVER, registry))
    for problem in problems:
        click.echo(problem, err=True)
    if problems:
        raise SystemExit(1)


@command.command("reopen")
@click.argument("destination")
def reopen_destination(destination: str) -> None:
    """Reopen a destination that refused leads.

    To send failed leads again, use the inbox.
    """
    start_django_to_write()
    from ..leads.outbox import reopen, wake_worker

    if not reopen(destination):
        raise click.ClickException(f"{destination} is not closed. List all destinations: `portolan leads destinations`")
    wake_worker()
    click.echo(f"Leads are sent to {destination} again.")


@command.command("purge")
@click.option(
    "--older-than",
    "months",
    type=click.IntRange(1, 1200),
    metavar="MONTHS",
    help="Erase leads older than N months. Default: PORTOLAN_LEADS_KEPT_MONTHS.",
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def purge_old(months: int | None, yes: bool) -> None:
    """Erase leads past their retention period.

    Fields and files are erased. A row without personal data stays for counting.

    Asks first if this is more than a fifth of all leads, or if the clock may be wrong.
    """
    start_django_to_write()
    from ..domain.months import subtract_months
    from ..leads.open_store import open_store
    from ..leads.retention import old_leads
    from ..retention.guard import look, remove_overdue

    now, store = datetime.now(UTC), open_store()
    before = subtract_months(now, months or env().leads_kept_months)
    rule = old_leads(before, store)
    overdue = look(rule, now)
    if overdue.failed_check and not yes:
        click.echo(
            f"{say_count(overdue.count, 'lead')} from before {before:%Y-%m-%d} would be erased: {overdue.failed_check}.",
            err=True,
        )
        click.confirm("Erase them? You cannot undo this.", abort=True)
    count = remove_overdue(rule, now, is_confirmed=True)
    click.echo(f"Erased {say_count(count, 'lead')} from before {stamp(before)}.")


@command.command("erase")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def erase_person(email: str, yes: bool) -> None:
    """Erase every lead with this e-mail address.

    Prints the destinations that have already received them.
    """
    start_django_to_write()
    from ..leads.erasure import erase, find_person
    from ..leads.models import Lead
    from ..leads.open_store import open_store
    from ..leads.sealing import count_unreadable
    from ..leads.spool import open_spool, replay_spool

    store = open_store()
    replay_spool(store)  # waiting leads may be this person's
    if spooled := open_spool(store.root).count():
        click.echo(
            f"{say_count(spooled, 'lead')} in the spool cannot be read. Run this again when the spool is empty.",
            err=True,
        )
    if hidden := count_unreadable(Lead):
        click.echo(
            f"{say_count(hidden, 'lead')} cannot be read. Add the key to PORTOLAN_LEADS_KEY and run this again.",
            err=True,
        )
    leads = list(find_person(email))
    if not leads:
        click.echo("No lead has this address.")
        return
    if not yes:
        click.confirm(f"Erase {say_count(len(leads), 'lead')}? You cannot undo this.", abort=True)
    receivers = erase(leads, store)
    click.echo(f"Erased {say_count(len(leads), 'lead')}.")
    if receivers:
        click.echo("Ask these destinations to erase them too:")
    for receiver in receivers:
        when = stamp(receiver.delivered_at) if receiver.delivered_at else "delivery uncertain"
        click.echo(f"  {receiver.destination}: lead {receiver.lead} ({when})")


@command.command("new-key")
def print_new_key() -> None:
    """Print a new key for PORTOLAN_LEADS_KEY. Keep it safe.

    It is not stored. If you lose it, encrypted leads are lost.
    """
    from ..leads.sealing import new_key

    click.echo(new_key())


@command.command("seal")
def seal_all() -> None:
    """Encrypt every lead with the first key of PORTOLAN_LEADS_KEY.

    Then you can remove the other keys from it.
    """
    start_django_to_write()
    from django.conf import settings

    from ..leads.durable import forget_log
    from ..leads.models import Lead, LeadWord
    from ..leads.open_store import open_store
    from ..leads.sealing import NoKey, seal_again
    from ..leads.spool import open_spool, replay_spool

    if not settings.LEADS_KEYS:
        raise click.ClickException("PORTOLAN_LEADS_KEY is empty. Create a key: `portolan leads new-key`")
    store = open_store()
    replay_spool(store)  # waiting leads may have an older key
    try:
        count = sum(seal_again(Lead))
        sum(seal_again(LeadWord))
    except NoKey as error:
        raise click.ClickException(f"Some leads are not encrypted with the first key. {error}") from None
    forget_log()
    click.echo(f"Encrypted {say_count(count, 'lead')}.")
    if spooled := open_spool(store.root).count():
        click.echo(
            f"{say_count(spooled, 'lead')} in the spool wait for the database. Run this again when the spool is empty.",
            err=True,
        )
