"""The stored clock, and how long a safety check lasts."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from portolan.retention.guard import (
    Overdue,
    Rule,
    find_trusted_time,
    list_failed_checks,
    look,
    note_failed_check,
    note_seen,
)
from portolan.studio.home.notices import list_notices

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
YEAR = timedelta(days=365)


def rule(count: int, total: int, subject: str = "leads") -> Rule:
    return Rule(subject, lambda: count, lambda: total, lambda: count)


@pytest.mark.postgres
def test_the_time_rises_and_never_falls() -> None:
    for now, seen in ((NOW, NOW), (NOW + timedelta(days=1), NOW + timedelta(days=1)), (NOW, NOW + timedelta(days=1))):
        note_seen("leads", now, is_confirmed=False)
        assert find_trusted_time("leads") == seen


@pytest.mark.postgres
def test_a_jump_that_erased_nothing_is_not_believed_later() -> None:
    """The clock runs ahead while all data is in time. Data that becomes overdue by it still needs a confirmation."""
    note_seen("leads", NOW, is_confirmed=False)
    note_seen("leads", NOW + YEAR, is_confirmed=False)
    assert find_trusted_time("leads") == NOW
    assert look(rule(1, 5000), NOW + YEAR).failed_check


def test_a_person_s_yes_is_believed() -> None:
    note_seen("leads", NOW, is_confirmed=False)
    note_seen("leads", NOW + YEAR, is_confirmed=True)
    assert not look(rule(1, 5000), NOW + YEAR).failed_check


def test_a_rule_that_is_new_goes_by_what_the_others_have_seen() -> None:
    note_seen("leads", NOW, is_confirmed=False)
    assert look(rule(1, 5000, "sign-ins"), NOW + YEAR).failed_check
    assert not look(rule(1, 5000, "sign-ins"), NOW).failed_check


def test_a_yes_to_one_rule_is_none_to_the_others() -> None:
    for subject in ("leads", "deleted pages"):
        note_seen(subject, NOW, is_confirmed=False)
    note_seen("deleted pages", NOW + YEAR, is_confirmed=True)
    assert look(rule(1, 5000), NOW + YEAR).failed_check


def test_a_failed_check_is_on_the_dashboard_until_it_is_confirmed(sites: object, admin_client: Client) -> None:
    for subject, count, total in (("leads", 20, 21), ("consent records", 3, 3)):
        note_failed_check(rule(count, total, subject), Overdue(count, f"{count} of {total} would be removed at once"))
    page = admin_client.get(reverse("wagtailadmin_home"), headers={"Host": "studio.localhost"}).content.decode()
    assert "20 leads" in page
    assert "20 of 21 would be removed at once" in page
    assert "portolan retention remove consent-records" in page
    note_seen("leads", NOW, is_confirmed=True)
    assert [each.subject for each in list_failed_checks()] == ["consent records"]
    assert [each.command for each in list_notices() if each.command] == ["portolan retention remove consent-records"]
