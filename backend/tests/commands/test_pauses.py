"""The pause before an ended process is restarted."""

from portolan.commands.pauses import PAUSES_S, Pauses


def test_pauses_grow_until_what_ended_has_run_for_a_while() -> None:
    now = 0.0
    pauses = Pauses((0, 1, 2, 5), clock=lambda: now)
    found = []
    for ran in (1, 1, 1, 1, 61, 1):
        pauses.begin()
        now += ran
        found.append(pauses.next())
    assert found == [1, 2, 5, 5, 0, 1]


def test_ten_crashes_within_a_minute_cost_a_second_each_at_most() -> None:
    pauses = Pauses(clock=lambda: 0)
    found = [pauses.next() for _ in range(20)]
    assert max(found[:10]) <= 1
    assert found == sorted(found)
    assert found[-1] == PAUSES_S[-1] >= 30
