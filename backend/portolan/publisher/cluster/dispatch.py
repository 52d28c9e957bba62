"""Which node gets which batch, and what becomes of batches whose node is lost. Pure: knows neither Ray nor a clock."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from .messages import Batch, FromDriver, Lost, Rendered, Room

_AHEAD: Final = 2
"""Batches under way for each render worker: one that it renders, one that waits beside it."""
_MOST_LOSSES: Final = 2
"""So many nodes may be lost with a batch before it is taken apart."""


class Node(Protocol):
    """Has to be hashable by identity."""

    @property
    def workers(self) -> int:
        """Render workers, each of which has one batch at a time."""
        ...

    def begin(self, batch: Batch) -> None: ...


NodeT = TypeVar("NodeT", bound=Node)


@dataclass(slots=True)
class _Given:
    batch: Batch
    began: float
    losses: int = 0


@dataclass(slots=True)
class Dispatcher(Generic[NodeT]):
    """Batches go to the node that has the fewest for its size."""

    say: Callable[[FromDriver], None]
    _waiting: deque[_Given] = field(default_factory=deque)
    _nodes: dict[NodeT, dict[int, _Given]] = field(default_factory=dict)

    @property
    def nodes(self) -> list[NodeT]:
        return list(self._nodes)

    @property
    def is_idle(self) -> bool:
        return not self._waiting and not any(self._nodes.values())

    def join(self, node: NodeT, now: float) -> None:
        self._nodes[node] = {}
        self._tell_room()
        self._assign(now)

    def add(self, batch: Batch, now: float) -> None:
        self._waiting.append(_Given(batch, now))
        self._assign(now)

    def finish(self, node: NodeT, rendered: Rendered, now: float) -> None:
        """Not where the node was given up meanwhile: then another one has the batch."""
        if self._nodes.get(node, {}).pop(rendered.number, None):
            self.say(rendered)
            self._assign(now)

    def leave(self, node: NodeT, now: float, is_suspect: bool = True) -> bool:
        """The node is lost: its batches go to others, but for those with which so many were lost. ``is_suspect``: whether
        the batches may be to blame. False where it had left already."""
        given = self._nodes.pop(node, None)
        if given is None:
            return False
        for each in reversed(given.values()):
            each.losses += is_suspect
            if each.losses >= _MOST_LOSSES:
                self.say(Lost(each.batch.number))
            else:
                self._waiting.appendleft(each)
        self._tell_room()
        self._assign(now)
        return True

    def overdue(self, now: float, limit_s: float) -> list[NodeT]:
        """Nodes that have been silent about a batch for too long."""
        return [
            node for node, given in self._nodes.items() if any(now - each.began > limit_s for each in given.values())
        ]

    def _assign(self, now: float) -> None:
        while self._waiting and self._nodes:
            node = min(self._nodes, key=lambda candidate: len(self._nodes[candidate]) / candidate.workers)
            if len(self._nodes[node]) >= node.workers * _AHEAD:
                return
            given = self._waiting.popleft()
            given.began = now
            self._nodes[node][given.batch.number] = given
            node.begin(given.batch)

    def _tell_room(self) -> None:
        """One more than nodes take, so that the next is here when one has ended."""
        self.say(Room(sum(node.workers * _AHEAD + 1 for node in self._nodes)))
