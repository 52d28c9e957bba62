"""Assign batches to nodes, and reassign batches of lost nodes.

Pure code without Ray or a clock.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from .messages import Batch, FromDriver, Lost, Rendered, Room

_AHEAD: Final = 2
"""Batches for each render worker: one in work, one in waiting."""
_MOST_LOSSES: Final = 2
"""Nodes that may be lost with a batch before it is split."""


class Node(Protocol):
    """A node, hashable by identity."""

    @property
    def workers(self) -> int:
        """Number of render workers, each with one batch at a time."""
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
    """Gives each batch to the node with the fewest for its size."""

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
        """Report a rendered batch, unless its node was given up.

        Another node then has the batch.
        """
        if self._nodes.get(node, {}).pop(rendered.number, None):
            self.say(rendered)
            self._assign(now)

    def leave(self, node: NodeT, now: float, is_suspect: bool = True) -> bool:
        """Reassign the batches of a lost node. Return False if it was lost before.

        ``is_suspect``: the batches may be the cause. A batch that was lost too often is reported as lost.
        """
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
        """Return nodes that have been silent about a batch for too long."""
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
        """Announce one batch more than nodes take, to have the next one ready."""
        self.say(Room(sum(node.workers * _AHEAD + 1 for node in self._nodes)))
