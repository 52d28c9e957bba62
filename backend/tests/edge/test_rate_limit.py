import pytest

from portolan.edge import limits
from portolan.edge.limits import RateLimit


def told(limit: RateLimit, address: str, now: float) -> int:
    """Return the seconds that the client must wait, or 0 if it may pass."""
    refusal = limit.refusal(address, now)
    return int(dict(refusal.start["headers"])[b"retry-after"]) if refusal else 0


@pytest.mark.parametrize("start", [0.0, 31.0, 59.5])
def test_who_waits_as_told_is_let_in(start: float) -> None:
    limit = RateLimit(10)
    assert [told(limit, "203.0.113.7", start) for _ in range(10)] == [0] * 10
    wait = told(limit, "203.0.113.7", start)
    assert 66 <= start % 60 + wait < 67
    assert told(limit, "203.0.113.7", start + wait - 1) == 1
    assert told(limit, "203.0.113.7", start + wait) == 0


def test_the_end_of_a_minute_is_no_second_helping() -> None:
    limit = RateLimit(10)
    assert [told(limit, "203.0.113.7", 59.9) for _ in range(10)] == [0] * 10
    assert told(limit, "203.0.113.7", 60.1) > 0
    assert told(limit, "203.0.113.7", 66.1) == 0


def test_who_has_not_asked_for_two_minutes_begins_anew() -> None:
    limit = RateLimit(2)
    for now in (30.0, 30.0, 155.0, 155.0):
        assert told(limit, "203.0.113.7", now) == 0


def test_a_flood_of_addresses_takes_a_bounded_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST_CLIENTS", 100)
    limit = RateLimit(1)
    for number in range(1000):
        limit.refusal(f"10.0.{number >> 8}.{number & 255}", 5.0 + number / 10)
    assert sum(map(len, limit._counts._windows.values())) <= 202


def test_zero_is_no_limit() -> None:
    limit = RateLimit(0)
    assert not any(told(limit, "203.0.113.7", 1.0) for _ in range(100))
