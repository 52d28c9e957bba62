"""How long the next try waits."""

import pytest

from portolan.domain.sign_in_limits import SignInLimit, Whose, name_account, wait_s

LIMIT = SignInLimit(Whose.NAME_FROM_CLIENT, 3, 100)


@pytest.mark.parametrize(
    ("failed_at", "now", "expected"),
    [
        ([], 1000, 0),
        ([999, 998], 1000, 0),
        ([999, 998, 950], 1000, 50),
        ([999, 998, 950, 940, 930], 1000, 50),  # the third newest has to leave the window, however many there are
        ([999, 998, 900.5], 1000, 1),
        ([999, 998, 900], 1000, 0),
        ([999, 998, 950], 1049.2, 1),
        ([999, 998, 950], 1050, 0),
        ([1010, 1010, 1010], 1000, 110),  # another machine's clock is ahead
    ],
)
def test_the_next_try_waits_until_enough_failures_are_long_ago(failed_at, now, expected):
    assert wait_s(LIMIT, failed_at, now) == expected


@pytest.mark.parametrize(("typed", "name"), [(" Ada ", "ada"), ("ADA", "ada"), ("x" * 400, "x" * 150), ("", "")])
def test_a_name_is_counted_however_it_is_written(typed, name):
    assert name_account(typed) == name
