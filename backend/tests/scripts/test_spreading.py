"""How tests are spread over workers."""

from types import SimpleNamespace

import pytest

from testing.spreading import ROOT, Spreading, longest_first, unit_of

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


class Node:
    """A worker, as the main process sees it."""

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.shutting_down = False
        self.given: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.given += indices

    def shutdown(self) -> None:
        self.shutting_down = True


@pytest.mark.parametrize("start", [TOGETHER, FREE])
def test_a_test_that_ends_its_worker_has_failed_and_is_given_to_no_other(start: str) -> None:
    """Mostly a hanging test ends a worker, and running it again takes as long. The rest of its file goes on."""
    config = SimpleNamespace(getvalue=lambda name: ["2*popen"], option=SimpleNamespace(loadscopereorder=False))
    spreading = Spreading(config)
    dies, other, next_one = (Node(name) for name in ("gw0", "gw1", "gw2"))
    tests = [f"{start}{number}" for number in range(3)]
    for node in (dies, other):
        spreading.add_node(node)
        spreading.add_node_collection(node, [*tests, "backend/tests/conftest.py::else"])
    spreading.schedule()
    spreading.mark_test_complete(dies, dies.given[0])
    died_in = dies.given[1]
    assert spreading.remove_node(dies) == spreading.collection[died_in]
    spreading.add_node(next_one)
    spreading.add_node_collection(next_one, spreading.collection)
    spreading.schedule()
    assert died_in not in other.given + next_one.given
    assert {*dies.given[:2], *other.given, *next_one.given} == {*range(4)}


def test_who_comes_after_the_only_worker_has_all_that_is_left_and_begins() -> None:
    """A worker waits with its last test until the main process confirms that it is the last."""
    config = SimpleNamespace(getvalue=lambda name: ["1*popen"], option=SimpleNamespace(loadscopereorder=False))
    spreading = Spreading(config)
    dies, next_one = Node("gw0"), Node("gw1")
    spreading.add_node(dies)
    spreading.add_node_collection(dies, [f"{FREE}{number}" for number in range(3)])
    spreading.schedule()
    assert dies.given == [0, 1]
    assert spreading.remove_node(dies) == f"{FREE}0"
    spreading.add_node(next_one)
    spreading.add_node_collection(next_one, spreading.collection)
    spreading.schedule()
    assert sorted(next_one.given) == [1, 2]
    for index in next_one.given:
        spreading.mark_test_complete(next_one, index)
    assert next_one.shutting_down
    assert spreading.tests_finished
