"""Lengths and ages of queues, read from the database and the disk on request."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

Execute = Callable[[str, Sequence[Any]], Iterable[Sequence[Any]]]


class Gauge(NamedTuple):
    """A value that is read on request."""

    name: str
    help: str
    labels: dict[str, str]
    value: float


PENDING: Final = "portolan_pending_changes"
PENDING_AGE: Final = "portolan_pending_age_seconds"
REFUSED: Final = "portolan_refused_changes"
NEWEST_RELEASE: Final = "portolan_newest_release"
OUTBOX: Final = "portolan_outbox_leads"
OUTBOX_AGE: Final = "portolan_outbox_age_seconds"
SPOOL: Final = "portolan_spool_leads"
SPOOL_AGE: Final = "portolan_spool_age_seconds"
LIVE_RELEASE: Final = "portolan_live_release"
DATABASE_UP: Final = "portolan_database_up"
DAMAGED: Final = "portolan_damaged_files"
SCRUB_AGE: Final = "portolan_scrub_age_seconds"


def ask_database(execute: Execute, now: datetime) -> Iterator[Gauge]:
    """Yield the gauges of the database. Raises the database's errors."""
    for number, oldest in execute("SELECT count(*), min(noted_at) FROM releases_pendingchange WHERE problem = ''", ()):
        yield Gauge(PENDING, "Changes that are in no release yet.", {}, number)
        yield Gauge(PENDING_AGE, "Age of the oldest of these changes.", {}, _age(oldest, now))
    for (number,) in execute("SELECT count(*) FROM releases_pendingchange WHERE problem <> ''", ()):
        yield Gauge(REFUSED, "Changes that every release has to leave out.", {}, number)
    for (newest,) in execute("SELECT max(number) FROM releases_release", ()):
        yield Gauge(NEWEST_RELEASE, "Number of the newest release.", {}, newest or 0)
    for destination, state, number in execute(
        "SELECT destination, state, count(*) FROM leads_delivery WHERE state <> 'delivered' GROUP BY destination, "
        "state",
        (),
    ):
        labels = {"destination": destination, "state": state}
        yield Gauge(OUTBOX, "Undelivered leads, by state.", labels, number)
    for destination, oldest in execute(
        "SELECT d.destination, min(l.created_at) FROM leads_delivery d JOIN leads_lead l ON l.id = d.lead_id "
        "WHERE d.state = 'pending' GROUP BY d.destination",
        (),
    ):
        age = _age(oldest, now)
        yield Gauge(
            OUTBOX_AGE, "Age of the oldest lead that waits for its delivery.", {"destination": destination}, age
        )


def ask_spool(folder: Path, now: datetime) -> Iterator[Gauge]:
    """Yield the gauges of leads that wait for the database."""
    times = [file.stat().st_mtime for file in folder.glob("*.json")] if folder.is_dir() else []
    yield Gauge(SPOOL, "Leads that wait in the spool for the database.", {}, len(times))
    yield Gauge(
        SPOOL_AGE, "Age of the oldest of these leads.", {}, max(0.0, now.timestamp() - min(times)) if times else 0
    )


def ask_live(releases: Mapping[str, int]) -> Iterator[Gauge]:
    for site, release in releases.items():
        yield Gauge(LIVE_RELEASE, "The release whose content each site shows.", {"site": site}, release)


def ask_damage(files: int, manifests: int, passed: str, now: datetime) -> Iterator[Gauge]:
    """Yield the number of damaged files, and the age of the scrub's last round."""
    yield Gauge(DAMAGED, "Stored files that are damaged.", {"kind": "file"}, files)
    yield Gauge(DAMAGED, "Stored files that are damaged.", {"kind": "manifest"}, manifests)
    if passed:
        yield Gauge(SCRUB_AGE, "Since the end of the last full round of the scrub.", {}, _age(passed, now))


def _age(moment: datetime | str | None, now: datetime) -> float:
    if moment is None:
        return 0
    found = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return max(0.0, (now - (found if found.tzinfo else found.replace(tzinfo=UTC))).total_seconds())
