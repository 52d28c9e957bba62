"""How often sites are checked for a release while all editors are away."""

from datetime import timedelta

from portolan.delivery_status.rounds import GIVEN_UP_AFTER, pause_before_next


def test_pauses_grow_and_end() -> None:
    for age_s, pause_s in [(0, 2), (8, 2), (20, 5), (400, 100), (2_400, 600), (80_000, 600), (86_400, None)]:
        pause = pause_before_next(timedelta(seconds=age_s))
        assert pause == (None if pause_s is None else timedelta(seconds=pause_s)), age_s


def test_a_release_costs_a_bounded_number_of_questions() -> None:
    age, asked = timedelta(), 0
    while age < GIVEN_UP_AFTER:
        pause = pause_before_next(age)
        assert pause
        age, asked = age + pause, asked + 1
    assert asked < 200
