from datetime import UTC, datetime, timedelta

import pytest

from portolan.domain.moments import say_shown, say_time

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
PAST, SOON, LATER = NOW - timedelta(days=1), NOW + timedelta(days=8), NOW + timedelta(days=31)


@pytest.mark.parametrize(
    ("at", "zone", "said"),
    [
        ("2026-12-01T08:00Z", "Europe/Berlin", "1 Dec 2026, 09:00"),
        ("2026-07-01T07:00:05Z", "Europe/Berlin", "1 Jul 2026, 09:00:05"),
        ("2026-12-31T20:30Z", "Asia/Dubai", "1 Jan 2027, 00:30"),
    ],
)
def test_a_time_is_that_of_the_clocks_there(at: str, zone: str, said: str) -> None:
    assert say_time(datetime.fromisoformat(at), zone) == said


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
    assert say_shown(since, until, NOW, "UTC") == said
