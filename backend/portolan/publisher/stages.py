"""How long each stage of a publish takes. What other stages need in between is not counted twice."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

FREEZE: Final = "freeze"
PLAN: Final = "plan"
RENDER: Final = "render"
GATE: Final = "gate"
STORE: Final = "store"
SWITCH: Final = "switch"
STAGES: Final = (FREEZE, PLAN, RENDER, GATE, STORE, SWITCH)
"""In the order in which a publish goes through them."""


class Span(NamedTuple):
    """One time that a stage was gone through."""

    stage: str
    began: float
    """Seconds since the epoch."""
    seconds: float


class Timing:
    """Of one publish. A stage that is gone through several times, as in a second try, counts as a whole."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter, now: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._epoch = now() - clock()
        self._seconds: dict[str, float] = {}
        self.spans: list[Span] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        began = self._clock()
        before = sum(self._seconds.values())
        try:
            yield
        finally:
            whole = self._clock() - began
            within = sum(self._seconds.values()) - before
            self.add(name, whole - within)  # what was counted meanwhile belongs to stages within this one
            self.spans.append(Span(name, self._epoch + began, whole))

    def add(self, name: str, seconds: float) -> None:
        """For work that is done in many small parts between others'."""
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds

    def milliseconds(self) -> dict[str, float]:
        """By stage, without those that were not gone through."""
        return {name: round(self._seconds[name] * 1000, 1) for name in STAGES if name in self._seconds}
