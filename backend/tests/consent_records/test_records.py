"""Records are added, read, and deleted at the end of their time. Runs on SQLite, and on PostgreSQL where the tests have
one.
"""

from datetime import date, datetime, timedelta, timezone
from io import BytesIO
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils.timezone import now

from portolan.consent_records.csv_export import COLUMNS, export_records
from portolan.consent_records.models import ConsentRecord, OnlyAdded
from portolan.consent_records.recording import record_choice
from portolan.domain.months import subtract_months
from portolan.schemas.consent import ConsentChoice

pytestmark = pytest.mark.django_db


def test_a_record_has_these_fields_and_none_that_leads_to_a_person(choice: ConsentChoice) -> None:
    record_choice("de", choice)
    record = ConsentRecord.objects.get()
    assert {field.name for field in ConsentRecord._meta.get_fields()} == {
        "id", "made_at", "site", "policy_version", "text_hash", "ad_storage", "analytics_storage", "method",
    }  # fmt: skip
    assert (record.site, record.policy_version, record.method) == ("de", "2026-11-01", "settings")
    assert (record.ad_storage, record.analytics_storage) == (False, True)
    assert record.id.version == 4
    assert record.made_at.microsecond == 0
    assert now() - record.made_at < timedelta(seconds=10)


def test_two_alike_are_two(choice: ConsentChoice) -> None:
    record_choice("de", choice)
    record_choice("de", choice)
    assert ConsentRecord.objects.count() == 2


@pytest.mark.postgres
def test_nobody_changes_or_deletes_one_through_the_models(choice: ConsentChoice) -> None:
    record_choice("de", choice)
    record = ConsentRecord.objects.get()
    record.ad_storage = True
    attempts = (
        record.save,
        record.delete,
        ConsentRecord.objects.all().delete,
        lambda: ConsentRecord.objects.update(ad_storage=True),
        lambda: ConsentRecord.objects.bulk_update([record], ["ad_storage"]),
        lambda: ConsentRecord.objects.update_or_create({"ad_storage": True}, pk=record.pk),
    )
    for attempt in attempts:
        with pytest.raises(OnlyAdded):
            attempt()
    assert ConsentRecord.objects.get().ad_storage is False


@pytest.mark.postgres
def test_the_database_refuses_changes_too(choice: ConsentChoice) -> None:
    record_choice("de", choice)
    with (
        pytest.raises(DatabaseError, match="only ever added"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("UPDATE consent_records_consentrecord SET site = 'en'")
    assert ConsentRecord.objects.get().site == "de"


def add(site: str, made_at: datetime) -> ConsentRecord:
    return ConsentRecord.objects.create(
        site=site,
        made_at=made_at,
        policy_version="1",
        text_hash="0" * 32,
        ad_storage=True,
        analytics_storage=False,
        method="accept",
    )


def at(day: str, hour: int = 12) -> datetime:
    return datetime.fromisoformat(f"{day}T{hour:02}:00:00+00:00")


@pytest.mark.postgres
def test_what_is_too_old_is_removed_and_nothing_else() -> None:
    add("en", at("2023-11-21", 11))
    kept = [add("en", at("2023-11-21", 12)), add("de", at("2026-01-01"))]
    assert ConsentRecord.objects.all().purge(subtract_months(at("2026-11-21"), 36)) == 1
    assert set(ConsentRecord.objects.values_list("pk", flat=True)) == {record.pk for record in kept}


@pytest.mark.parametrize(
    ("now", "months", "then"),
    [
        ("2026-11-21", 36, "2023-11-21"),
        ("2028-02-29", 12, "2027-02-28"),
        ("2026-01-31", 2, "2025-11-30"),
        ("2026-12-01", 12, "2025-12-01"),
        ("2026-05-31", 1, "2026-04-30"),
    ],
)
def test_so_many_months_before(now: str, months: int, then: str) -> None:
    assert subtract_months(at(now), months) == at(then)


@pytest.mark.postgres
def test_the_export_is_csv_the_oldest_first() -> None:
    newer, older = add("de", at("2026-11-02")), add("en", at("2026-11-01"))
    out = BytesIO()
    assert export_records(out) == 2
    header, first, second = out.getvalue().decode("utf-8-sig").splitlines()
    assert header == ",".join(COLUMNS)
    assert first == f"{older.pk},2026-11-01T12:00:00Z,en,1,{'0' * 32},granted,denied,accept"
    assert UUID(second.split(",")[0]) == newer.pk


def test_the_export_can_be_narrowed() -> None:
    for site, day in (("de", "2026-10-31"), ("de", "2026-11-01"), ("en", "2026-11-01")):
        add(site, at(day, 0))
    assert export_records(BytesIO(), site="de") == 2
    assert export_records(BytesIO(), since=date(2026, 11, 1)) == 2
    assert export_records(BytesIO(), "de", date(2026, 11, 1)) == 1


@pytest.mark.postgres
def test_times_in_the_export_are_utc() -> None:
    add("en", datetime(2026, 11, 1, 2, tzinfo=timezone(timedelta(hours=4))))
    out = BytesIO()
    export_records(out)
    assert "2026-10-31T22:00:00Z" in out.getvalue().decode()
