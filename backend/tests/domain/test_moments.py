from datetime import UTC, datetime, timedelta

import pytest

from portolan.domain.moments import say_shown, stamp

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
PAST, SOON, LATER = NOW - timedelta(days=1), NOW + timedelta(days=8), NOW + timedelta(days=31)


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-12-01T08:00:00Z", "2026-12-01 08:00:00 UTC"),
        ("2026-07-01T09:00:05.9+02:00", "2026-07-01 07:00:05 UTC"),
        ("2027-01-01T00:30:00+04:00", "2026-12-31 20:30:00 UTC"),
    ],
)
def test_a_moment_of_a_command_is_in_utc_and_says_so(at: str, said: str) -> None:
    assert stamp(at) == stamp(datetime.fromisoformat(at)) == said


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
