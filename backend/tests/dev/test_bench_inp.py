"""The report of ``portolan bench-inp`` about its times. Only a real run tests its work with a browser."""

import pytest

from portolan_dev.commands.bench_inp import JOURNEYS, p75


@pytest.mark.parametrize(
    ("durations", "expected"),
    [([40], 40), ([16, 16, 16, 400], 112), ([16, 24, 32, 40, 48], 40), ([48, 40, 32, 24, 16], 40)],
)
def test_three_of_four_are_at_most_this(durations: list[float], expected: float) -> None:
    assert p75(durations) == expected


def test_each_step_is_told_under_its_own_name() -> None:
    paths = [journey.path for journey in JOURNEYS]
    assert len(set(paths)) == len(paths)
