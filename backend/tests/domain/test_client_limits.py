from collections import Counter
from itertools import pairwise

import pytest

from portolan.domain.client_limits import WINDOW_S, name_client, name_network, take_share, wait_s


@pytest.mark.parametrize(
    ("address", "client", "network"),
    [
        ("203.0.113.7", "203.0.113.7", "203.0.113.0"),
        ("::ffff:203.0.113.7", "203.0.113.7", "203.0.113.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", "2001:db8:1::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::", "2001:db8:1::"),
        ("fe80::1%eth0", "fe80::", "fe80::"),
        ("", "", ""),
        ("unix:", "", ""),
    ],
)
def test_a_client_is_an_address_or_a_network_of_ipv6(address: str, client: str, network: str) -> None:
    assert (name_client(address), name_network(address)) == (client, network)


@pytest.mark.parametrize(
    ("limit", "before", "now", "into_s", "wait"),
    [
        (10, 0, 0, 0, 0),
        (10, 0, 9, 59, 0),
        (10, 0, 10, 30, 36),  # 30 s of this window, and 6 s of the next until one of ten has left it
        (10, 10, 0, 0, 6),
        (10, 10, 0, 6, 0),
        (10, 10, 4, 30, 0),
        (10, 10, 5, 30, 6),
        (1, 1, 0, 0, 60),
        (1, 0, 1, 0, 120),
    ],
)
def test_the_wait_is_as_long_as_it_has_to_be(limit: int, before: int, now: int, into_s: float, wait: int) -> None:
    assert wait_s(limit, before, now, into_s) == wait


class Counted:
    """Counts in memory."""

    def __init__(self) -> None:
        self.by_window: Counter[tuple[str, int]] = Counter()

    def add(self, client: str, window: int, more: int) -> int:
        self.by_window[client, window] += more
        return self.by_window[client, window]

    def read(self, client: str, window: int) -> int:
        return self.by_window[client, window]


def test_what_is_within_the_limit_is_counted_and_what_is_refused_is_not() -> None:
    counts = Counted()
    assert [take_share(counts, "a", 2, 1000.0) for _ in range(4)] == [0, 0, 50, 50]
    assert counts.by_window["a", 16] == 2
    assert take_share(counts, "b", 2, 1000.0) == 0, "each client has a share of its own"
    assert [take_share(counts, "a", 2, now) for now in (1020.0, 1049.0, 1050.0)] == [30, 1, 0]
    assert counts.by_window == {("a", 16): 2, ("a", 17): 1, ("b", 16): 1}


def test_a_longer_window_is_counted_like_a_minute() -> None:
    counts = Counted()
    waits = [take_share(counts, "a", 2, 7200.0, window_s=3600) for _ in range(3)]
    assert waits == [0, 0, 5400]
    assert take_share(counts, "a", 2, 7200.0 + 5400, window_s=3600) == 0


def test_what_is_large_takes_several_shares_and_never_more_than_there_are() -> None:
    counts = Counted()
    assert [take_share(counts, "a", 10, 1000.0, amount=4) for _ in range(3)] == [0, 0, 35]
    assert take_share(counts, "b", 10, 1000.0, amount=30) == 0
    assert counts.by_window == {("a", 16): 8, ("b", 16): 10}


def test_without_a_limit_nothing_is_counted() -> None:
    counts = Counted()
    assert take_share(counts, "a", 0, 1000.0) == 0
    assert not counts.by_window


@pytest.mark.parametrize("limit", [1, 2, 10, 60])
def test_a_client_that_waits_as_told_is_let_in(limit: int) -> None:
    counts: dict[int, int] = {}
    clock = 12.5
    for _ in range(5 * limit):
        window, into_s = divmod(clock, WINDOW_S)
        told = wait_s(limit, counts.get(int(window) - 1, 0), counts.get(int(window), 0), into_s)
        clock += told
        window, into_s = divmod(clock, WINDOW_S)
        assert wait_s(limit, counts.get(int(window) - 1, 0), counts.get(int(window), 0), into_s) == 0
        counts[int(window)] = counts.get(int(window), 0) + 1


@pytest.mark.parametrize("start_s", [0, 31, 59.5])
def test_the_end_of_a_minute_is_no_second_helping(start_s: float) -> None:
    counts: dict[int, int] = {}
    admitted = []
    for tick in range(1200):
        clock = start_s + tick / 2
        window, into_s = divmod(clock, WINDOW_S)
        if wait_s(10, counts.get(int(window) - 1, 0), counts.get(int(window), 0), into_s) == 0:
            counts[int(window)] = counts.get(int(window), 0) + 1
            admitted.append(clock - start_s)
    assert admitted[:10] == [tick / 2 for tick in range(10)]  # all at once
    assert all(later - earlier >= 5 for earlier, later in pairwise(admitted[9:]))  # then one by one
    assert 85 <= len(admitted) <= 110  # of ten minutes
