from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.test import RequestFactory
from pytest_django import Settings

from portolan.api import client_limits
from portolan.api.client_limits import count_request
from portolan.domain.client_limits import ClientLimits


@pytest.fixture(autouse=True)
def limits(settings: Settings) -> Iterator[None]:
    settings.CLIENT_LIMITS = ClientLimits(email=10, views=0, leads=1, lead_flood=2)
    cache.clear()
    yield
    cache.clear()


def ask(address: str, name: str = "email") -> int:
    return count_request(RequestFactory().get("/", REMOTE_ADDR=address), name)


def test_the_eleventh_of_ten_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1_000_000 * 60.0 + 30
    monkeypatch.setattr(client_limits.time, "time", lambda: clock)
    assert [ask("203.0.113.7") for _ in range(12)] == [0] * 10 + [36, 36]
    assert ask("203.0.113.8") == 0
    clock += 36
    assert ask("203.0.113.7") == 0
    assert ask("203.0.113.7") == 6


def test_limits_do_not_count_each_others_requests() -> None:
    assert [ask("203.0.113.7", "leads") for _ in range(2)][1] > 0
    assert ask("203.0.113.7", "lead_flood") == 0


def test_leads_are_limited_by_the_minute_the_hour_and_the_day(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=5, lead_flood=0)
    clock, served = 1_000_000 * 86_400.0, []
    monkeypatch.setattr(client_limits.time, "time", lambda: clock)
    for _ in range(24 * 60):
        served.append(sum(not ask("203.0.113.7", "leads") for _ in range(7)))
        clock += 60
    assert max(served) == 5
    assert sum(served[:60]) == 30
    assert sum(served) == 100


def test_many_addresses_of_one_network_have_four_shares_together(settings: Settings) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=5, lead_flood=0)
    for network in ("198.51.100.{}", "2001:db8:1:{:x}::1"):
        assert sum(not ask(network.format(1 + n % 50), "leads") for n in range(100)) == 20
    assert ask("198.51.101.1", "leads") == 0


def test_records_of_choices_are_limited_by_the_day_too(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CLIENT_LIMITS = ClientLimits(email=0, views=0, leads=0, lead_flood=0, consent=2)
    clock, taken = 1_000_000 * 86_400.0, 0
    monkeypatch.setattr(client_limits.time, "time", lambda: clock)
    for _ in range(6 * 60):
        taken += sum(not ask("203.0.113.7", "consent") for _ in range(3))
        clock += 60
    assert taken == 200


def test_zero_is_no_limit() -> None:
    assert not any(ask("203.0.113.7", "views") for _ in range(200))


def test_of_many_at_once_no_more_get_through() -> None:
    with ThreadPoolExecutor(20) as pool:
        waits = list(pool.map(lambda _: ask("203.0.113.7"), range(200)))
    assert waits.count(0) == 10


def test_who_has_a_network_of_ipv6_is_one_client() -> None:
    waits = [ask(f"2001:db8:1:2::{number:x}") for number in range(11)]
    assert waits[:10] == [0] * 10
    assert waits[10] > 0


def test_no_address_is_kept() -> None:
    ask("203.0.113.7")
    assert cache._cache  # type: ignore[attr-defined]
    assert "203.0.113.7" not in repr(cache._cache)  # type: ignore[attr-defined]
