from datetime import datetime

import pytest

from portolan.retention.rules import run_safety_check


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T12:00:00+00:00")


@pytest.mark.parametrize(
    ("count", "total", "last", "fails_check"),
    [
        (0, 0, None, False),
        (0, 500, at("2025-01-01"), False),  # nothing is at stake
        (10, 10, None, False),  # few enough, without a stored clock
        (11, 54, None, True),
        (11, 55, None, False),  # a fifth
        (100, 5000, at("2026-04-01"), False),
        (1, 5000, at("2026-03-01"), True),
        (1, 5000, at("2026-03-31"), False),
        (1, 5000, at("2027-06-01"), False),  # it ran ahead and was set right
    ],
)
def test_when_a_person_is_asked(count: int, total: int, last: datetime | None, fails_check: bool) -> None:
    assert bool(run_safety_check(count, total, at("2026-05-01"), last)) == fails_check
