"""Examine the health of this process's role: live pointer, database and queues. Needs no Django."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from ..builds.live import live_file, read_live
from ..builds.manifest import BuildError
from ..domain.health import Database, Health, Queue
from ..observing.role_board import current_board
from ..releases.database_errors import find_trouble
from ..releases.database_version import Migration, compare, known_migrations
from .database_check import read_checked
from .env import Env, env
from .folders import DATABASE, LEADS, find_unwritable, say_unwritable
from .look import Look
from .store_health import store_watch

Ask = Callable[[str, Sequence[Any]], Iterable[Sequence[Any]]]

_WAITING: Final[Mapping[str, tuple[str, str]]] = {
    "pendingChanges": ("SELECT COUNT(*), MIN(noted_at) FROM releases_pendingchange WHERE problem = ''", ""),
    "outbox": ("SELECT COUNT(*), MIN(next_at) FROM leads_delivery WHERE state = 'pending' AND next_at <= %s", "now"),
}


def examine_role(known: Health) -> Health:
    """Return `known` with the facts of a role with a database. A hanging check does not delay the result."""
    pointer, (asked, spool, bare) = pointer_look(), _looks()
    for look in (pointer, asked, spool, bare):
        look.begin()
    unwritable = find_unwritable(known.role)
    (release, age), (database, queues) = pointer.get(), asked.get()
    silent = (*known.silent, *current_board().find_silent(), *store_watch(known.role != "api").find_silent())
    return known._replace(
        release=release,
        pointer_age_s=age,
        database=database,
        queues={**queues, "spool": spool.get()},
        silent=tuple(dict.fromkeys(silent)),
        folders=tuple(say_unwritable(unwritable)),
        takes_leads=LEADS not in unwritable or (database == "fits" and DATABASE not in unwritable),
        refused=current_board().refusals(),
        bare=tuple(dict.fromkeys([*known.bare, *bare.get()])),
    )


@lru_cache(maxsize=1)
def pointer_look() -> Look[tuple[int | None, float | None]]:
    """Return the check that runs ``examine_pointer`` on this process's builds."""
    builds = env().builds_dir
    return Look(lambda: examine_pointer(builds), (None, None))


@lru_cache(maxsize=1)
def _looks() -> tuple[Look[tuple[Database, dict[str, Queue]]], Look[Queue], Look[list[str]]]:
    settings = env()
    away: tuple[Database, dict[str, Queue]] = ("away", {})
    return (
        Look(lambda: _examine_checked_database(settings), away),
        Look(lambda: count_spool(settings.leads_dir), Queue(0, None)),
        Look(lambda: find_bare(settings), []),
    )


def _examine_checked_database(settings: Env) -> tuple[Database, dict[str, Queue]]:
    database, queues = examine_database(settings.database, settings.registry.plugins)
    checked = read_checked(settings.var_dir, settings.database)
    return ("damaged" if checked and checked.damage else database), queues


def examine_pointer(builds: Path) -> tuple[int | None, float | None]:
    """Return the live release and the age of the pointer in seconds; None before the first publish."""
    with suppress(BuildError, OSError):
        live = read_live(builds)
        if live.builds:
            return live.installation.release, time.time() - live_file(builds).stat().st_mtime
    return None, None


def find_bare(settings: Env) -> list[str]:
    """Return the configured sites that the database records as live and that are not live.

    Empty if the database does not respond.
    """
    with suppress(Exception):  # errors differ by driver; ``examine_database`` reports them
        with connected(settings.database) as ask:
            recorded = [str(site) for (site,) in ask("SELECT site FROM releases_lastlive ORDER BY site", ())]
        live: Collection[str] = ()
        with suppress(BuildError):
            live = read_live(settings.builds_dir).builds
        return [site for site in recorded if site in settings.registry.sites and site not in live]
    return []


def examine_database(url: str, plugins: Sequence[str]) -> tuple[Database, dict[str, Queue]]:
    """Compare the migrations with this version and the plugins. Return the state and the queues."""
    try:
        with connected(url) as ask:
            applied = [Migration(*row) for row in ask("SELECT app, name FROM django_migrations", ())]
            unknown, missing = compare(applied, known_migrations(plugins))
            queues = {name: _count(ask, *question) for name, question in _WAITING.items()} if not missing else {}
    except Exception as error:  # of any driver
        trouble = find_trouble(error)
        if trouble and trouble.is_damaged:
            return "damaged", {}
        return ("older" if _lacks_tables(error) else "away"), {}
    return ("newer" if unknown else "older" if missing else "fits"), queues


def read_database_clock(url: str) -> datetime | None:
    """Return the database's time, or ``None`` for SQLite, which has no clock."""
    if urlsplit(url).scheme == "sqlite":
        return None
    with connected(url) as ask:
        ((now,),) = ask("SELECT clock_timestamp()", ())
        return _time(now)


def count_spool(leads: Path) -> Queue:
    """Return the leads that wait on this disk for the database."""
    waiting = sorted((leads / "spool").glob("*.json"))
    if not waiting:
        return Queue(0, None)
    since = waiting[0].name.partition("-")[0]
    return Queue(len(waiting), time.time() - int(since) / 1e9 if since.isdigit() else None)


def count_set_aside(leads: Path) -> int:
    """Return the number of leads on this disk that a working database rejected."""
    return sum(1 for _ in (leads / "spool").glob("*.bad"))


def say_set_aside(count: int, leads: Path) -> tuple[str, str]:
    """Return the problem and its fix."""
    return (
        f"{count} {'lead' if count == 1 else 'leads'} could not be stored, and {'is' if count == 1 else 'are'} in "
        f"{leads / 'spool'} (*.bad).",
        "See the log for the reason. To try a lead again, rename its file to *.json.",
    )


@contextmanager
def connected(url: str) -> Iterator[Ask]:
    """Yield a connection for a few queries. Raises the driver's errors within seconds."""
    if urlsplit(url).scheme == "sqlite":
        import sqlite3  # here, because the edge has no database

        path = quote(unquote(urlsplit(url).path[1:]))
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=2)) as file:
            yield lambda sql, values: file.execute(sql.replace("%s", "?"), values).fetchall()
        return
    import psycopg

    from ..releases.postgres_limits import LIMITS

    with psycopg.connect(url, **{**LIMITS, "autocommit": True}) as server:
        yield lambda sql, values: server.execute(sql.encode(), values).fetchall()


def _count(ask: Ask, sql: str, values: str) -> Queue:
    now = datetime.now(UTC)
    ((count, oldest),) = ask(sql, [now.isoformat(" ")] if values else [])
    return Queue(count, None if oldest is None else (now - _time(oldest)).total_seconds())


def _time(value: datetime | str) -> datetime:
    """Return a time in UTC. SQLite stores times as text in UTC without saying so."""
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _lacks_tables(error: Exception) -> bool:
    return "no such table" in str(error) or getattr(error, "sqlstate", "") == "42P01"
