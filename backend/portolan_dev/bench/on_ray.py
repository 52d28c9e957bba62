"""Publishes on a Ray cluster of this machine beside publishes by the local pool, and what each costs."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from .installation import Installation
from .measured import Measured, started_on
from .ray_nodes import ENVIRONMENT, RayNodes, ray_nodes

_SAMPLE_EVERY_S: Final = 0.25
_ACTOR: Final = "ray::NodeRenderer"


class OnRay(NamedTuple):
    """One publish on the cluster."""

    publisher: Measured
    """With the process that speaks to the cluster."""
    rendering_s: float
    """Processor time of our actors and their render workers."""
    ray_s: float
    """Of all other processes of the cluster: its servers, schedulers and agents."""

    @property
    def cpu_s(self) -> float:
        return self.publisher.cpu_s + self.rendering_s + self.ray_s


@contextmanager
def cluster_of(installation: Installation, nodes: int, cpus: int) -> Iterator[RayNodes]:
    """Its processes run where publishers do."""
    with started_on(installation.cores), ray_nodes(nodes, cpus) as cluster:
        yield cluster


def publish_on_ray(installation: Installation, cluster: RayNodes, *arguments: str) -> OnRay:
    """A first publish, into an empty folder, of which the cluster renders every page."""
    variables = {**ENVIRONMENT, "PORTOLAN_RAY_ADDRESS": cluster.address, "PORTOLAN_RAY_FROM_PAGES": "1"}
    with installation.having(variables):
        sampler = _Sampler(cluster.process.pid)
        sampler.start()
        try:
            measured = installation.publish_cold(*arguments)
        finally:
            sampler.end()
    return OnRay(measured, *sampler.seconds())


class _Sampler(threading.Thread):
    """Notes the processor time of all processes of a cluster. What one that ends has used since the last look is not
    counted: actors end when they have long been idle."""

    def __init__(self, process: int) -> None:
        import psutil

        super().__init__(daemon=True)
        self._root = psutil.Process(process)
        self._ended = threading.Event()
        self._is_ours: dict[int, bool] = {}
        self._last: dict[int, float] = {}
        self._look()
        self._first = dict(self._last)

    def run(self) -> None:
        while not self._ended.wait(_SAMPLE_EVERY_S):
            self._look()

    def end(self) -> None:
        self._ended.set()
        self.join()
        self._look()

    def seconds(self) -> tuple[float, float]:
        """Of our actors and what they started, and of all others."""
        used = {id: seconds - self._first.get(id, 0.0) for id, seconds in self._last.items()}
        ours = sum(seconds for id, seconds in used.items() if self._is_ours[id])
        return ours, sum(used.values()) - ours

    def _look(self) -> None:
        import psutil

        with suppress(psutil.NoSuchProcess):
            for process in [self._root, *self._root.children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    times: Any = process.cpu_times()
                    self._last[process.pid] = times.user + times.system
                    # A worker of Ray becomes an actor, and takes its name, after it was started.
                    self._is_ours[process.pid] = (
                        self._is_ours.get(process.pid, False)
                        or self._is_ours.get(process.ppid(), False)
                        or "".join(process.cmdline()).startswith(_ACTOR)
                    )
