"""How tests are spread over workers."""

import pytest

from testing.spreading import ROOT, longest_first, unit_of

ALONE = "backend/tests/test_ninth_site.py"
TOGETHER = f"{ALONE}::"
FREE = "backend/tests/domain/test_routes.py::"


def test_tests_of_a_file_that_asks_for_one_worker_are_one_unit() -> None:
    assert (ROOT / ALONE).exists()
    assert unit_of(f"{TOGETHER}one") == unit_of(f"{TOGETHER}other") == ALONE
    assert unit_of(f"{FREE}one") == f"{FREE}one"


@pytest.mark.parametrize(
    ("seconds", "order"),
    [
        pytest.param({ALONE: 5, FREE[:-2]: 8}, "alone free", id="a unit counts whole, a test by its share"),
        pytest.param({ALONE: 5, FREE[:-2]: 12}, "free alone", id="the longest first"),
        pytest.param({ALONE: 1, FREE[:-2]: 1}, "free alone", id="short ones stay where they were"),
        pytest.param({ALONE: 1}, "free alone", id="unknown ones come early"),
    ],
)
def test_what_takes_longest_comes_first(seconds: dict[str, float], order: str) -> None:
    names = {"free": [f"{FREE}1", f"{FREE}2"], "alone": [f"{TOGETHER}1", f"{TOGETHER}2"]}
    expected = [node_id for name in order.split() for node_id in names[name]]
    assert longest_first([*names["free"], *names["alone"]], seconds) == expected
