"""Check the installation: site configuration, secrets, database, clock, live builds, mail and Django."""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlsplit

from ...builds.live import read_live
from ...builds.manifest import BuildError
from ...builds.verify import verify
from ...config.env import Env
from ...config.health import (
    connected,
    count_set_aside,
    count_spool,
    examine_database,
    read_database_clock,
    say_set_aside,
)
from ...config.start_django import start_django
from ...domain.moments import stamp
from ...domain.words import say_count
from ...releases.database_damage import find_damage
from ...releases.database_errors import damaged
from ...releases.missing_plugins import MISSING_MEND, count_pages_of_missing_plugins, say_missing_plugins
from ...releases.reader import open_reader
from ...sites.load import RegistryError
from .finding import Finding, problem, warning, well

_CLOCK_WARNING_S: Final = 2
_CLOCK_PROBLEM_S: Final = 30
_LATE_S: Final = 15 * 60
_UPGRADE: Final = "Run `portolan upgrade` (`portolan upgrade --check` lists its steps)."


def examine_registry(settings: Env) -> Iterator[Finding]:
    try:
        registry = settings.registry
    except RegistryError as error:
        for each in error.problems:
            yield problem("registry", f"{error.file.name}: {each}.", "Correct it. Until then, nothing is published.")
        return
    yield well("registry", say_count(len(registry.sites), "site"))


def examine_plugins(settings: Env) -> Iterator[Finding]:
    plugins = settings.registry.plugins
    missing: Mapping[str, int] = {}
    with (
        suppress(Exception),
        closing(open_reader(settings.database)) as reader,
    ):  # examine_data reports a missing database
        missing = count_pages_of_missing_plugins(reader, plugins)
    if missing:
        yield problem("plugins", say_missing_plugins(missing), MISSING_MEND)
    start_django()  # imports the plugins, and raises if one cannot be used
    from ...content.plugin_migrations import find_unmade

    for app in find_unmade(plugins):
        yield problem(
            "plugins",
            f"Pages of {app} have fields without a migration.",
            f"Run `portolan django makemigrations {app}`, then `portolan upgrade`.",
        )
    if plugins and not missing:
        yield well("plugins", f"{', '.join(plugins)}")


def examine_secrets(settings: Env) -> Iterator[Finding]:
    missing = sorted(name for name in settings.registry.secret_names if name not in settings.secrets)
    for name in missing:
        yield problem(
            "secrets",
            f"{name} is not set, although the site configuration requires it.",
            "Set it. The features that use it wait.",
        )
    if not settings.secret_key and urlsplit(settings.database).scheme != "sqlite":
        yield problem(
            "secrets",
            "PORTOLAN_SECRET_KEY is not set, so every machine creates its own: a sign-in on one machine is not valid on "
            "the next.",
            "Set the same key on every machine, and check it with `--compare`.",
        )
    elif not missing:
        yield well("secrets", "all secrets that the site configuration requires are set")


def examine_data(settings: Env) -> Iterator[Finding]:
    state, queues = examine_database(settings.database, settings.registry.plugins)
    damage = find_damage(settings.database)
    if damage or state == "damaged":
        trouble = damaged(damage or "it cannot be read")
        yield problem("database", trouble.what, trouble.fix)
    yield from _examine_set_aside(settings)
    if state == "damaged":
        return
    if state == "away":
        yield problem("database", "The database does not respond.", "Start it, or correct DATABASE_URL.")
        return
    if state == "older":
        yield problem("database", "The database lacks migrations of this version.", _UPGRADE)
        return
    if state == "newer":
        mend = "Install that version, or restore the backup from before the upgrade."
        yield problem("database", "A newer version of Portolan has upgraded the database.", mend)
    elif not damage:
        yield well("database", "the database responds, is undamaged, and has this version's migrations")
    yield from _examine_clock(settings)
    if state == "fits":
        yield from _examine_retention(settings)
    for name, queue in {**queues, "spool": count_spool(settings.leads_dir)}.items():
        if queue.oldest_s is not None and queue.oldest_s > _LATE_S:
            yield problem(
                "queues",
                f"{queue.size} waiting in {name}, the oldest for {say_count(round(queue.oldest_s / 60), 'minute')}.",
                "Check that publisher and delivery run, and read their logs.",
            )


def _examine_set_aside(settings: Env) -> Iterator[Finding]:
    if count := count_set_aside(settings.leads_dir):
        what, fix = say_set_aside(count, settings.leads_dir)
        yield problem("leads", what, fix)


def _examine_retention(settings: Env) -> Iterator[Finding]:
    with connected(settings.database) as ask:
        rows = ask(
            "SELECT subject, overdue, doubt FROM retention_retentioncheck WHERE doubt <> '' ORDER BY subject", ()
        )
    for subject, overdue, doubt in rows:
        yield problem(
            "retention",
            f"{overdue} {subject} are past their retention period and were not removed: {doubt}.",
            f"Check the clock and the retention period. Then run `portolan retention remove {str(subject).replace(' ', '-')}`, "
            "which asks first.",
        )


def _examine_clock(settings: Env) -> Iterator[Finding]:
    theirs = read_database_clock(settings.database)
    if theirs is None:  # SQLite uses this machine's clock
        yield well("clock", stamp(datetime.now(UTC)))
        return
    off = abs(time.time() - theirs.timestamp())
    said = (
        f"The clocks of this machine and the database differ by {off:,.0f} s. Schedules, limits and sign-ins use both."
    )
    mend = "Synchronise both with a time server (chrony, systemd-timesyncd)."
    if off >= _CLOCK_PROBLEM_S:
        yield problem("clock", said, mend)
    elif off >= _CLOCK_WARNING_S:
        yield warning("clock", said, mend)
    else:
        yield well("clock", "this machine's clock and the database's agree")


def examine_builds(settings: Env) -> Iterator[Finding]:
    try:
        live = read_live(settings.builds_dir)
    except BuildError as error:
        yield problem("builds", str(error), "Run `portolan publish --keep-going`.")
        return
    if not live.builds:
        yield warning(
            "builds",
            "Nothing is published on this machine yet.",
            "Run `portolan publish`, or share the builds with it.",
        )
        return
    broken: list[str] = []
    site, build = next(iter(live.builds.items()))
    try:
        broken = list(verify(settings.builds_dir, site, build, settings.keys))
    except (BuildError, OSError) as error:
        broken = [str(error)]
    if broken:
        mend = "List all with `portolan verify`. Render them again with `portolan publish --full --keep-going`."
        yield problem(
            "builds", f"{say_count(len(broken), 'file')} of {site}'s live build damaged; the first: {broken[0]}", mend
        )
    else:
        yield well(
            "builds",
            f"release {live.installation.release} is live on {say_count(len(live.builds), 'site')}; the files of {site} are undamaged",
        )
    for name, said in live.problems.items():
        yield warning("builds", f"{name} could not be updated: {said}", "The studio shows the page.")


def examine_mail(settings: Env) -> Iterator[Finding]:
    start_django()
    from django.conf import settings as django_settings

    from ...leads.destinations.base import Permanent, Retryable
    from ...leads.destinations.email import Mailer
    from ...leads.destinations.open import find_problems, open_destinations

    registry = settings.registry
    opened = open_destinations(registry, django_settings.SECRETS, settings.mail_server)
    for each in find_problems(opened, settings.mail_server, registry):
        yield problem("leads", f"Leads cannot be delivered to {each}", "Until then they wait.")
    if settings.mail_server is None:
        return
    try:
        Mailer(settings.mail_server, registry.leads.sender).try_server()
    except (Retryable, Permanent) as error:
        yield problem("mail", str(error), "Correct PORTOLAN_SMTP_URL, or open the firewall for it.")
    else:
        yield well("mail", "the mail server accepts the sender and the sign-in")


def examine_sealing(settings: Env) -> Iterator[Finding]:
    """Check that this installation can decrypt all leads, and that all are encrypted if there is a key."""
    start_django()
    from django.db import DatabaseError

    from ...leads.models import Lead
    from ...leads.sealing import count_open, count_unreadable

    try:
        hidden = count_unreadable(Lead)
    except DatabaseError:
        return  # examine_data reports it
    if hidden:
        yield problem(
            "leads",
            f"{say_count(hidden, 'lead is', 'leads are')} encrypted with a key that is missing in PORTOLAN_LEADS_KEY. They cannot be "
            "shown or delivered.",
            "Add that key after the others, separated by a space.",
        )
    if settings.leads_keys and (bare := count_open(Lead)):
        yield warning(
            "leads",
            f"{say_count(bare, 'lead is', 'leads are')} not encrypted, although there is a key.",
            "Run `portolan leads seal`.",
        )


def examine_antivirus(settings: Env) -> Iterator[Finding]:
    if settings.leads_scanner is None:
        return
    start_django()
    from ...leads.antivirus import ScannerAway, try_scanner

    try:
        try_scanner(settings.leads_scanner)
    except ScannerAway as error:
        yield problem(
            "leads",
            f"{error} Leads with files wait in quarantine.",
            "Start clamd, give this user access to its socket, or correct PORTOLAN_ANTIVIRUS.",
        )
    else:
        yield well("leads", "the antivirus scanner responds")


def examine_django(settings: Env) -> Iterator[Finding]:
    """Run Django's checks; also those for deployment if sites use https."""
    start_django()
    from django.core.checks import ERROR, run_checks

    is_https = settings.registry.studio_origin(settings.environment, settings.port).startswith("https:")
    found = [message for message in run_checks(include_deployment_checks=is_https) if not message.is_silenced()]
    for message in found:
        kind = problem if message.level >= ERROR else warning
        yield kind(
            "django",
            f"{_one_line(message.msg)} ({message.id})",
            _one_line(message.hint or "See Django's documentation."),
        )
    if not found:
        yield well("django", "Django's checks pass" + (", also those for deployment" if is_https else ""))


def examine_proxies(settings: Env) -> Iterator[Finding]:
    """Check that the proxy that terminates https is declared."""
    origins = [site.origin(settings.environment, settings.port) for site in settings.registry.sites.values()]
    is_https = any(origin.startswith("https:") for origin in origins)
    if is_https and not settings.proxies:
        yield problem(
            "proxies",
            "Sites use https, which a proxy terminates, but PORTOLAN_TRUSTED_PROXIES is not set: all visitors count as one "
            "client, and share its limits.",
            "Set it to the proxy's addresses.",
        )
    elif settings.proxies:
        yield well("proxies", f"trusted: {', '.join(settings.proxies)}")
    else:
        yield well("proxies", "no proxy is needed")


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())
