"""The installation: registry, secrets, database and its clock, live builds, mail, and what Django says."""

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
_UPGRADE: Final = "`portolan upgrade --check` says what is to be done, `portolan upgrade` does it."


def examine_registry(settings: Env) -> Iterator[Finding]:
    try:
        registry = settings.registry
    except RegistryError as error:
        for each in error.problems:
            yield problem("registry", f"{error.file.name}: {each}.", "Correct it: until then nothing is built.")
        return
    yield well("registry", say_count(len(registry.sites), "site"))


def examine_plugins(settings: Env) -> Iterator[Finding]:
    plugins = settings.registry.plugins
    missing: Mapping[str, int] = {}
    with (
        suppress(Exception),
        closing(open_reader(settings.database)) as reader,
    ):  # what the database lacks is said already
        missing = count_pages_of_missing_plugins(reader, plugins)
    if missing:
        yield problem("plugins", say_missing_plugins(missing), MISSING_MEND)
    start_django()  # it imports them, and tells of one that cannot be used
    from ...content.plugin_migrations import find_unmade

    for app in find_unmade(plugins):
        yield problem(
            "plugins",
            f"Pages of {app} have fields that none of its migrations makes.",
            f"`portolan django makemigrations {app}`, then `portolan upgrade`.",
        )
    if plugins and not missing:
        yield well("plugins", f"{', '.join(plugins)}")


def examine_secrets(settings: Env) -> Iterator[Finding]:
    missing = sorted(name for name in settings.registry.secret_names if name not in settings.secrets)
    for name in missing:
        yield problem("secrets", f"{name} is not set, and the registry asks for it.", "Set it; what needs it waits.")
    if not settings.secret_key and urlsplit(settings.database).scheme != "sqlite":
        yield problem(
            "secrets",
            "PORTOLAN_SECRET_KEY is not set, so every machine makes one of its own: whoever has signed in on one is a "
            "stranger to the next.",
            "Set the same everywhere; `--compare` says whether it is.",
        )
    elif not missing:
        yield well("secrets", "what the registry asks for is set")


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
        yield problem("database", "The database does not answer.", "Start it, or correct DATABASE_URL.")
        return
    if state == "older":
        yield problem("database", "The database lacks migrations of this version.", _UPGRADE)
        return
    if state == "newer":
        mend = "Install that version, or restore the backup from before its upgrade."
        yield problem("database", "A newer version has upgraded the database.", mend)
    elif not damage:
        yield well("database", "the database answers, is sound, and its migrations are this version's")
    yield from _examine_clock(settings)
    if state == "fits":
        yield from _examine_retention(settings)
    for name, queue in {**queues, "spool": count_spool(settings.leads_dir)}.items():
        if queue.oldest_s is not None and queue.oldest_s > _LATE_S:
            yield problem(
                "queues",
                f"Waiting in {name}: {queue.size}, the oldest for {say_count(round(queue.oldest_s / 60), 'minute')}.",
                "See that publisher and delivery run, and what their logs say.",
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
            f"{overdue} {subject} are older than they are kept, and were not removed: {doubt}.",
            f"Check the clock and how long they are kept. Then run `portolan retention remove {str(subject).replace(' ', '-')}`, "
            "which asks.",
        )


def _examine_clock(settings: Env) -> Iterator[Finding]:
    theirs = read_database_clock(settings.database)
    if theirs is None:  # SQLite goes by this machine's
        yield well("clock", stamp(datetime.now(UTC)))
        return
    off = abs(time.time() - theirs.timestamp())
    said = f"This clock and the database's are {off:,.0f} s apart: schedules, limits and sign-ins go by both."
    mend = "Let both follow a time server (chrony, systemd-timesyncd)."
    if off >= _CLOCK_PROBLEM_S:
        yield problem("clock", said, mend)
    elif off >= _CLOCK_WARNING_S:
        yield warning("clock", said, mend)
    else:
        yield well("clock", "this clock and the database's agree")


def examine_builds(settings: Env) -> Iterator[Finding]:
    try:
        live = read_live(settings.builds_dir)
    except BuildError as error:
        yield problem("builds", str(error), "`portolan publish --keep-going`")
        return
    if not live.builds:
        yield warning(
            "builds", "Nothing is published here yet.", "`portolan publish`; or see that the builds are shared."
        )
        return
    broken: list[str] = []
    site, build = next(iter(live.builds.items()))
    try:
        broken = list(verify(settings.builds_dir, site, build, settings.keys))
    except (BuildError, OSError) as error:
        broken = [str(error)]
    if broken:
        mend = "`portolan verify` lists all of it; `portolan publish --full --keep-going` renders it again."
        yield problem(
            "builds", f"{say_count(len(broken), 'file')} of {site}'s live build damaged, the first: {broken[0]}", mend
        )
    else:
        yield well(
            "builds",
            f"release {live.installation.release} is live on {say_count(len(live.builds), 'site')}; {site} is whole",
        )
    for name, said in live.problems.items():
        yield warning("builds", f"{name} could not follow: {said}", "The studio says which page it is.")


def examine_mail(settings: Env) -> Iterator[Finding]:
    start_django()
    from django.conf import settings as django_settings

    from ...leads.destinations.base import Permanent, Retryable
    from ...leads.destinations.email import Mailer
    from ...leads.destinations.open import find_problems, open_destinations

    registry = settings.registry
    opened = open_destinations(registry, django_settings.SECRETS, settings.mail_server)
    for each in find_problems(opened, settings.mail_server, registry):
        yield problem("leads", f"Leads cannot be delivered to {each}", "They wait until then.")
    if settings.mail_server is None:
        return
    try:
        Mailer(settings.mail_server, registry.leads.sender).try_server()
    except (Retryable, Permanent) as error:
        yield problem("mail", str(error), "Correct PORTOLAN_SMTP_URL, or open the way there.")
    else:
        yield well("mail", "the mail server takes us")


def examine_sealing(settings: Env) -> Iterator[Finding]:
    """Whether what people wrote in forms can be read by those who may, and by nobody else."""
    start_django()
    from django.db import DatabaseError

    from ...leads.models import Lead
    from ...leads.sealing import count_open, count_unreadable

    try:
        hidden = count_unreadable(Lead)
    except DatabaseError:
        return  # said by the one that looks at the data
    if hidden:
        yield problem(
            "leads",
            f"What people wrote in {say_count(hidden, 'lead')} is encrypted with a key that is not in PORTOLAN_LEADS_KEY. They cannot be "
            "shown or delivered.",
            "Add that key behind the others, with a space between.",
        )
    if settings.leads_keys and (bare := count_open(Lead)):
        yield warning(
            "leads",
            f"{say_count(bare, 'lead is', 'leads are')} not encrypted, though there is a key.",
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
            "Start clamd, let this user into its socket, or correct PORTOLAN_ANTIVIRUS.",
        )
    else:
        yield well("leads", "the antivirus answers")


def examine_django(settings: Env) -> Iterator[Finding]:
    """Django's own check, with that for deployment where visitors come by https."""
    start_django()
    from django.core.checks import ERROR, run_checks

    is_https = settings.registry.studio_origin(settings.environment, settings.port).startswith("https:")
    found = [message for message in run_checks(include_deployment_checks=is_https) if not message.is_silenced()]
    for message in found:
        kind = problem if message.level >= ERROR else warning
        yield kind(
            "django", f"{_one_line(message.msg)} ({message.id})", _one_line(message.hint or "See its documentation.")
        )
    if not found:
        yield well("django", "Django's checks find nothing" + (" for deployment" if is_https else ""))


def examine_proxies(settings: Env) -> Iterator[Finding]:
    """Whether something has to be in front that nobody has declared."""
    origins = [site.origin(settings.environment, settings.port) for site in settings.registry.sites.values()]
    is_https = any(origin.startswith("https:") for origin in origins)
    if is_https and not settings.proxies:
        yield problem(
            "proxies",
            "Visitors come by https, which ends at something in front, and PORTOLAN_TRUSTED_PROXIES names nothing: all "
            "visitors count as one client, and are refused together.",
            "Set it to the addresses of what is in front.",
        )
    elif settings.proxies:
        yield well("proxies", f"believed: {', '.join(settings.proxies)}")
    else:
        yield well("proxies", "none is needed")


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())
