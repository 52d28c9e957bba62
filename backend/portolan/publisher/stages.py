"""Duration of each stage of a publish. Nested stages are not counted twice."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

SNAPSHOT: Final = "freeze"
PLAN: Final = "plan"
RENDER: Final = "render"
CHECKS: Final = "gate"
STORE: Final = "store"
SWITCH: Final = "switch"
STAGES: Final = (SNAPSHOT, PLAN, RENDER, CHECKS, STORE, SWITCH)
"""In the order of a publish."""


class Span(NamedTuple):
    """One run of a stage."""

    stage: str
    began: float
    """Seconds since the epoch."""
    seconds: float


class Timing:
    """Times of one publish.

    Several runs of a stage, as in a second attempt, are added up.
    """

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
            self.add(name, whole - within)  # without nested stages
            self.spans.append(Span(name, self._epoch + began, whole))

    def add(self, name: str, seconds: float) -> None:
        """Add time of a stage that runs in many small parts."""
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds

    def milliseconds(self) -> dict[str, float]:
        """Return milliseconds by stage, for stages that ran."""
        return {name: round(self._seconds[name] * 1000, 1) for name in STAGES if name in self._seconds}
