"""Which node gets which batch, and the fate of a batch if nodes are lost."""

import pytest

from portolan.publisher.cluster.dispatch import Dispatcher
from portolan.publisher.cluster.messages import Batch, FromDriver, Lost, Rendered, Room


class FakeNode:
    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.begun: list[int] = []

    def begin(self, batch: Batch) -> None:
        self.begun.append(batch.number)


class Cluster:
    """Nodes with a number of workers each, and the log."""

    def __init__(self, *workers: int) -> None:
        self.said: list[FromDriver] = []
        self.dispatcher: Dispatcher[FakeNode] = Dispatcher(self.said.append)
        self.nodes = [FakeNode(count) for count in workers]
        for node in self.nodes:
            self.dispatcher.join(node, 0)

    def ask(self, *numbers: int, now: float = 0) -> None:
        for number in numbers:
            self.dispatcher.add(Batch(number, "shared", b""), now)

    def answer(self, node: int, number: int, now: float = 0) -> None:
        self.dispatcher.finish(self.nodes[node], Rendered(number, b"", (), 0.1), now)

    def lose(self, node: int, is_suspect: bool = True) -> None:
        self.dispatcher.leave(self.nodes[node], 0, is_suspect)

    def join(self, workers: int) -> None:
        self.nodes.append(FakeNode(workers))
        self.dispatcher.join(self.nodes[-1], 0)

    @property
    def begun(self) -> list[list[int]]:
        return [node.begun for node in self.nodes]

    @property
    def rooms(self) -> list[int]:
        return [message.batches for message in self.said if isinstance(message, Room)]

    @property
    def lost(self) -> list[int]:
        return [message.number for message in self.said if isinstance(message, Lost)]


@pytest.mark.parametrize(
    ("workers", "begun"),
    [
        ((1,), [[1, 2]]),
        ((1, 1), [[1, 3], [2, 4]]),
        ((1, 3), [[1, 5], [2, 3, 4, 6, 7, 8]]),
        ((), []),
    ],
    ids=["one node", "two alike", "one of them large", "none yet"],
)
def test_nodes_have_one_batch_beside_each_that_is_rendered(workers: tuple[int, ...], begun: list[list[int]]) -> None:
    cluster = Cluster(*workers)
    cluster.ask(*range(1, 20))
    assert cluster.begun == begun


def test_an_answer_makes_room_for_the_next_batch() -> None:
    cluster = Cluster(1, 1)
    cluster.ask(1, 2, 3, 4, 5, 6)
    cluster.answer(1, 2)
    assert cluster.begun == [[1, 3], [2, 4, 5]]
    assert [message.number for message in cluster.said if isinstance(message, Rendered)] == [2]
    for node, number in ((1, 4), (1, 5), (0, 1), (0, 3)):
        cluster.answer(node, number)
    assert not cluster.dispatcher.is_idle
    cluster.answer(1, 6)
    assert cluster.dispatcher.is_idle


def test_the_publisher_is_told_how_much_room_there_is() -> None:
    cluster = Cluster(1, 4)
    cluster.lose(0)
    cluster.lose(1)
    assert cluster.rooms == [3, 12, 9, 0]


def test_batches_of_a_lost_node_go_to_another_before_all_others() -> None:
    cluster = Cluster(1, 1)
    cluster.ask(1, 2, 3, 4, 5)
    cluster.lose(0)
    cluster.answer(1, 2)
    cluster.answer(1, 4)
    assert cluster.begun[1] == [2, 4, 1, 3]
    assert cluster.lost == []


def test_a_batch_with_which_two_nodes_were_lost_is_given_back() -> None:
    cluster = Cluster(1, 1)
    cluster.ask(1, 2)
    cluster.lose(0)
    cluster.lose(1)
    assert cluster.lost == [1]  # the other one was lost for the first time
    cluster.join(1)
    assert cluster.begun[2] == [2]


def test_a_node_that_says_what_is_wrong_with_it_casts_no_doubt_on_its_batches() -> None:
    cluster = Cluster(1)
    cluster.ask(1)
    for _ in range(5):
        cluster.lose(-1, is_suspect=False)
        cluster.join(1)
    assert cluster.lost == []
    assert cluster.begun[-1] == [1]


def test_an_answer_that_comes_after_its_node_was_given_up_is_no_answer() -> None:
    cluster = Cluster(1, 1)
    cluster.ask(1)
    cluster.lose(0)
    cluster.answer(0, 1)
    cluster.answer(1, 1)
    assert [message.number for message in cluster.said if isinstance(message, Rendered)] == [1]


def test_a_node_that_is_silent_for_too_long_is_found() -> None:
    cluster = Cluster(1, 1)
    cluster.ask(1, 2, now=100)
    cluster.answer(0, 1, now=150)
    assert cluster.dispatcher.overdue(399, limit_s=300) == []
    assert cluster.dispatcher.overdue(401, limit_s=300) == [cluster.nodes[1]]
