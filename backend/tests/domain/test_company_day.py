"""The company's days begin at its own midnight, in any time zone of the machine."""

from datetime import UTC, date, datetime

import pytest

from portolan.domain.company_day import company_day, next_day_at


@pytest.mark.parametrize(
    ("now", "zone", "day", "next_day"),
    [
        (datetime(2026, 11, 23, 12, tzinfo=UTC), "UTC", date(2026, 11, 23), datetime(2026, 11, 24, tzinfo=UTC)),
        (
            datetime(2026, 12, 31, 23, 30, tzinfo=UTC),
            "Europe/Berlin",
            date(2027, 1, 1),
            datetime(2027, 1, 1, 23, tzinfo=UTC),
        ),
        (
            datetime(2027, 1, 1, 3, tzinfo=UTC),
            "America/Chicago",
            date(2026, 12, 31),
            datetime(2027, 1, 1, 6, tzinfo=UTC),
        ),
        # the day the clocks go forward has 23 hours, the one they go back has 25
        (
            datetime(2027, 3, 27, 23, 30, tzinfo=UTC),
            "Europe/Berlin",
            date(2027, 3, 28),
            datetime(2027, 3, 28, 22, tzinfo=UTC),
        ),
        (
            datetime(2027, 10, 30, 22, 30, tzinfo=UTC),
            "Europe/Berlin",
            date(2027, 10, 31),
            datetime(2027, 10, 31, 23, tzinfo=UTC),
        ),
        # midnight itself belongs to the new day
        (datetime(2027, 1, 1, 23, tzinfo=UTC), "Europe/Berlin", date(2027, 1, 2), datetime(2027, 1, 2, 23, tzinfo=UTC)),
    ],
)
def test_the_day_and_when_the_next_one_begins(now: datetime, zone: str, day: date, next_day: datetime) -> None:
    assert company_day(now, zone) == day
    assert next_day_at(now, zone) == next_day
