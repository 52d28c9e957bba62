"""Records as CSV, the oldest first: what somebody who asks for proof is given."""

import csv
from datetime import UTC, date, datetime, time
from typing import Final, TextIO

from .models import ConsentRecord

COLUMNS: Final = (
    "id", "time", "site", "policy_version", "text_hash", "ad_storage", "analytics_storage", "method",
)  # fmt: skip
_AT_ONCE: Final = 2000


def write_csv(out: TextIO, site: str | None = None, since: date | None = None) -> int:
    """Writes the records of all sites or of one, from the beginning of a day (UTC) on; returns how many."""
    records = ConsentRecord.objects.order_by("made_at", "id")
    if site is not None:
        records = records.filter(site=site)
    if since is not None:
        records = records.filter(made_at__gte=datetime.combine(since, time.min, UTC))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for record in records.iterator(_AT_ONCE):
        writer.writerow(_row(record))
        count += 1
    return count


def _row(record: ConsentRecord) -> list[str]:
    purposes = ("granted" if value else "denied" for value in (record.ad_storage, record.analytics_storage))
    made_at = record.made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return [str(record.id), made_at, record.site, record.policy_version, record.text_hash, *purposes, record.method]
