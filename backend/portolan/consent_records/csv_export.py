"""Write the consent records as CSV, the oldest first, as proof for an authority."""

from datetime import UTC, date, datetime, time
from itertools import chain
from typing import BinaryIO, Final

from ..domain.csv_files import write_csv
from .models import ConsentRecord

COLUMNS: Final = (
    "id", "time", "site", "policy_version", "text_hash", "ad_storage", "analytics_storage", "method",
)  # fmt: skip
_AT_ONCE: Final = 2000


def export_records(out: BinaryIO, site: str | None = None, since: date | None = None) -> int:
    """Write the records of all sites or of one, since the start of a day (UTC). Return their number."""
    records = ConsentRecord.objects.order_by("made_at", "id")
    if site is not None:
        records = records.filter(site=site)
    if since is not None:
        records = records.filter(made_at__gte=datetime.combine(since, time.min, UTC))
    count = -1  # the first row has the names of the columns
    for line in write_csv(chain([COLUMNS], (_row(record) for record in records.iterator(_AT_ONCE)))):
        out.write(line.encode())
        count += 1
    return count


def _row(record: ConsentRecord) -> list[str]:
    purposes = ("granted" if value else "denied" for value in (record.ad_storage, record.analytics_storage))
    made_at = record.made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return [str(record.id), made_at, record.site, record.policy_version, record.text_hash, *purposes, record.method]
