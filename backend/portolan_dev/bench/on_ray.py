"""Compare full publishes on a Ray cluster of this machine with those of the local pool, in turns."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, NamedTuple

import click

from .installation import Installation
from .measured import started_on
from .ray_nodes import ENVIRONMENT, RayNodes, ray_nodes
from .staying_publisher import StayingPublisher, staying_publisher

_ACTOR: Final = "ray::NodeRenderer"


class Cost(NamedTuple):
    """Cost of one publish, in seconds."""

    wall: float
    publisher: float
    """CPU time of the publisher, with driver and local pool if used."""
    rendering: float
    """CPU time of our actors and their render workers."""
    ray: float
    """CPU time of all other processes of the cluster: servers, schedulers and agents."""

    @property
    def cpu(self) -> float:
        return self.publisher + self.rendering + self.ray


class InTurns(NamedTuple):
    local: Cost
    on_ray: Cost

    @property
    def share(self) -> float:
        """Return pages per CPU second on Ray as a share of the local pool's."""
        return self.local.cpu / self.on_ray.cpu

    @property
    def bare_share(self) -> float:
        """Return the share without Ray's own processes."""
        return self.local.cpu / (self.on_ray.cpu - self.on_ray.ray)


class Beside(NamedTuple):
    first: InTurns
    """With the start of everything except the cluster."""
    warm: list[InTurns]
    """With publishers that keep running."""
    files: int


def measure_beside(installation: Installation, nodes: int, cpus: int, runs: int) -> Beside:
    """Return the costs. Raise ClickException if a file differs."""
    with ExitStack() as stack:
        local = stack.enter_context(_Turns.begin(installation, {}, None))
        files = installation.files
        stack.enter_context(started_on(installation.cores))
        cluster = stack.enter_context(ray_nodes(nodes, cpus))
        variables = {**ENVIRONMENT, "PORTOLAN_RAY_ADDRESS": cluster.address, "PORTOLAN_RAY_FROM_PAGES": "1"}
        first = local.publish()
        made_here = files()
        on_ray = stack.enter_context(_Turns.begin(installation, variables, cluster))
        turns = InTurns(first, on_ray.publish())
        if differing := made_here.symmetric_difference(files()):
            raise click.ClickException(f"{len(differing)} files differ. Nothing was measured: {min(differing)}")
        return Beside(turns, [InTurns(local.publish(), on_ray.publish()) for _ in range(runs)], len(made_here))


class _Turns:
    """Publishes of one publisher, with their costs."""

    def __init__(self, publisher: StayingPublisher, cluster: RayNodes | None) -> None:
        self._publisher = publisher
        self._cluster = cluster

    @classmethod
    @contextmanager
    def begin(
        cls, installation: Installation, variables: dict[str, str], cluster: RayNodes | None
    ) -> Iterator["_Turns"]:
        """Start a publisher in its own folder."""
        installation.begin_build()
        with started_on(installation.cores), staying_publisher({**installation.variables(), **variables}) as publisher:
            yield cls(publisher, cluster)

    def publish(self) -> Cost:
        before = self._used()
        wall = self._publisher.publish()
        after = self._used()
        return Cost(wall, *(late - early for early, late in zip(before, after, strict=True)))

    def _used(self) -> tuple[float, float, float]:
        """Return the CPU time of the publisher, of our actors and of Ray."""
        own, _ = _read(self._publisher.process.pid)
        return (own, *(_read(self._cluster.process.pid)[::-1] if self._cluster else (0.0, 0.0)))


def _read(root: int) -> tuple[float, float]:
    """Return the CPU time of a process and its children: of those that are not actors, and of actors with theirs.

    The time of ended processes is that of their parents' ``children`` fields.
    """
    import psutil

    others = actors = 0.0
    ours: set[int] = set()
    process = psutil.Process(root)
    for each in [process, *process.children(recursive=True)]:  # parents come first
        with suppress(psutil.NoSuchProcess):
            times: Any = each.cpu_times()
            if each.ppid() in ours or "".join(each.cmdline()).startswith(_ACTOR):
                ours.add(each.pid)
                actors += times.user + times.system
            else:
                others += times.user + times.system + times.children_user + times.children_system
    return others, actors
