"""What is kept of the clock, and how long a doubt is said."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from portolan.retention.check import doubt, list_doubts, note_doubt, note_seen, read_seen
from portolan.studio.home.notices import list_notices

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)
YEAR = timedelta(days=365)


def test_the_time_rises_and_never_falls() -> None:
    for now, seen in ((NOW, NOW), (NOW + timedelta(days=1), NOW + timedelta(days=1)), (NOW, NOW + timedelta(days=1))):
        note_seen("leads", now, is_confirmed=False)
        assert read_seen("leads") == seen


def test_a_jump_that_erased_nothing_is_not_believed_later() -> None:
    """The clock runs ahead while nothing is overdue: what becomes overdue by it must still be asked about."""
    note_seen("leads", NOW, is_confirmed=False)
    note_seen("leads", NOW + YEAR, is_confirmed=False)
    assert read_seen("leads") == NOW
    assert doubt("leads", 1, 5000, NOW + YEAR)


def test_a_person_s_yes_is_believed() -> None:
    note_seen("leads", NOW, is_confirmed=False)
    note_seen("leads", NOW + YEAR, is_confirmed=True)
    assert not doubt("leads", 1, 5000, NOW + YEAR)


def test_a_doubt_is_said_on_the_first_screen_until_somebody_says_yes(sites: object, admin_client: Client) -> None:
    note_doubt("leads", 20, "they are 20 of all 21")
    note_doubt("consent records", 3, "they are 3 of all 3")
    page = admin_client.get(reverse("wagtailadmin_home"), headers={"Host": "studio.localhost"}).content.decode()
    assert "20 leads" in page
    assert "they are 20 of all 21" in page
    assert "portolan consent purge" in page
    note_seen("leads", NOW, is_confirmed=True)
    assert [each.subject for each in list_doubts()] == ["consent records"]
    assert [each.command for each in list_notices() if each.command] == ["portolan consent purge"]
