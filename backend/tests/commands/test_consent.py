from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from django.utils.timezone import now

from portolan.commands.consent import command
from portolan.consent_records.models import ConsentRecord
from portolan.domain.months import subtract_months
from portolan.retention.guard import list_failed_checks, note_seen

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def records() -> None:
    for site, months in (("de", 0), ("en", 35), ("en", 37)):
        ConsentRecord.objects.create(
            site=site,
            made_at=subtract_months(now(), months),
            policy_version="1",
            text_hash="0" * 32,
            ad_storage=False,
            analytics_storage=False,
            method="reject",
        )


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_export_writes_to_standard_output() -> None:
    lines = run("export").stdout.splitlines()
    assert lines[0].startswith("\ufeffid,time,site,")
    assert [line.split(",")[2] for line in lines[1:]] == ["en", "en", "de"]


def test_export_writes_to_a_file_what_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "records.csv"
    result = run("export", "--site", "de", "--since", f"{datetime.now(UTC):%Y-%m-%d}", str(file))
    assert result.stderr == f"Wrote 1 record to {file}.\n"
    assert len(file.read_text().splitlines()) == 2


def test_export_names_the_sites_there_are() -> None:
    result = run("export", "--site", "xx")
    assert result.exit_code == 2
    assert "no site 'xx'. Sites: en, uk, de" in result.stderr


def test_purge_removes_what_is_older_than_three_years() -> None:
    assert "Removed 1 record from before " in run("purge").stdout
    assert ConsentRecord.objects.count() == 2


def test_purge_can_be_told_another_time() -> None:
    assert "Removed 2 records" in run("purge", "--months", "12").stdout
    assert run("purge", "--months", "0").exit_code == 2


def test_purge_removes_nothing_where_the_clock_may_be_wrong_until_somebody_says_yes() -> None:
    note_seen("consent records", now() - timedelta(days=400), is_confirmed=True)
    refused = run("purge")
    assert refused.exit_code == 1
    assert "would be removed: the clock shows" in refused.stderr
    assert ConsentRecord.objects.count() == 3
    assert [(each.subject, each.overdue) for each in list_failed_checks()] == [("consent records", 1)]
    assert run("purge", "--yes").exit_code == 0
    assert ConsentRecord.objects.count() == 2
    assert list_failed_checks() == []


def test_purge_asks_before_it_removes_many() -> None:
    ConsentRecord.objects.bulk_create(
        ConsentRecord(
            site="en",
            made_at=subtract_months(now(), 40),
            policy_version="1",
            text_hash="0" * 32,
            ad_storage=False,
            analytics_storage=False,
            method="reject",
        )
        for _ in range(10)
    )
    assert "11 of 13 would be removed at once" in run("purge").stderr
    assert ConsentRecord.objects.count() == 13
