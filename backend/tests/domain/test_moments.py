import time
from datetime import UTC, datetime, timedelta

import pytest

from portolan.domain.moments import say_shown, stamp

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
PAST, SOON, LATER = NOW - timedelta(days=1), NOW + timedelta(days=8), NOW + timedelta(days=31)


@pytest.mark.parametrize(
    ("at", "zone", "said"),
    [
        ("2026-12-01T08:00Z", "Europe/Berlin", "2026-12-01 09:00:00 CET"),
        ("2026-07-01T07:00:05Z", "Europe/Berlin", "2026-07-01 09:00:05 CEST"),
        ("2026-12-31T20:30Z", "Asia/Dubai", "2027-01-01 00:30:00 +04"),
    ],
)
def test_a_moment_of_a_command_is_the_machines_and_names_its_zone(
    at: str, zone: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert stamp(at) == stamp(datetime.fromisoformat(at)) == said
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_moment_that_cannot_be_read_is_shown_as_it_is() -> None:
    assert stamp("") == ""
    assert stamp("yesterday") == "yesterday"


@pytest.mark.parametrize(
    ("since", "until", "said"),
    [
        (None, None, "now"),
        (PAST, None, "now"),
        (NOW, None, "now"),
        (SOON, None, "from 1 Dec 2026, 09:00"),
        (None, LATER, "until 24 Dec 2026, 09:00"),
        (PAST, LATER, "until 24 Dec 2026, 09:00"),
        (SOON, LATER, "from 1 Dec 2026, 09:00 until 24 Dec 2026, 09:00"),
        (None, PAST, "over"),
        (None, NOW, "over"),
    ],
)
def test_when_something_is_shown(since: datetime | None, until: datetime | None, said: str) -> None:
    assert say_shown(since, until, NOW, "UTC", lambda at, zone: f"{at.day} {at:%b %Y, %H:%M}") == said
