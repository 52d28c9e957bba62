"""Measure a command's cost: wall time, CPU time and memory, with all its child processes (Linux)."""

import os
import resource
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from .memory import Memory

_SAMPLE_EVERY_S: Final = 0.05
_SHARES_EVERY: Final = 10
"""Number of samples between readings of the shares, which cost the kernel time."""


class Measured(NamedTuple):
    wall_s: float
    cpu_s: float
    rss_mb: float
    """Peak of all processes together. Shared memory counts for each."""
    own_mb: float
    """Peak of the first process without its children."""
    share_mb: float
    """Peak of all processes together, each with its part of shared memory (PSS). It is read twice a second, and 0 for
    shorter commands."""


def choose_cores(count: int | None) -> frozenset[int] | None:
    """Return ``count`` of this process's cores for the benchmark, or None for all.

    This process, which samples memory, moves to the others if possible. Raise ClickException if there are fewer.
    """
    if count is None:
        return None
    there = sorted(os.sched_getaffinity(0))
    if count > len(there):
        raise click.ClickException(f"This machine has {len(there)} cores, not {count}. Use a lower --cores.")
    os.sched_setaffinity(0, there[count:] or there)
    return frozenset(there[:count])


@contextmanager
def started_on(cores: frozenset[int] | None) -> Iterator[None]:
    """Run processes that are started inside on these cores, with all their children."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def measure(
    command: Sequence[str],
    environment: Mapping[str, str],
    cores: frozenset[int] | None = None,
    folder: Path | None = None,
    within_s: float | None = None,
) -> Measured:
    """Run a command and return its cost. Raise ClickException with its output if it fails or exceeds ``within_s``."""
    import psutil

    name = Path(command[0]).name
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with started_on(cores):
        process = subprocess.Popen(
            command, cwd=folder, env=dict(environment), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    with process:
        peak = _Peak(psutil.Process(process.pid))
        peak.start()
        try:
            output, _ = process.communicate(timeout=within_s)
        except subprocess.TimeoutExpired:
            _kill_all(process.pid)
            raise click.ClickException(
                f"`{name}` did not end within {within_s:,.0f} s. Nothing was measured."
            ) from None
        finally:
            wall = time.perf_counter() - started
            peak.end()
    if process.returncode:
        raise click.ClickException(f"`{name}` failed. Nothing was measured:\n{output.decode()[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(wall, cpu, peak.bytes / 1e6, peak.own_bytes / 1e6, peak.share)


def _kill_all(root: int) -> None:
    """Kill a process and all its children."""
    import psutil

    process = psutil.Process(root)
    for each in [*process.children(recursive=True), process]:
        with suppress(psutil.NoSuchProcess):
            each.kill()


class _Peak(threading.Thread):
    """Samples the memory of a process and its children."""

    def __init__(self, process: Any) -> None:
        super().__init__(daemon=True)
        self._process = process
        self._ended = threading.Event()
        self.bytes = self.own_bytes = 0
        self.share = 0.0

    def run(self) -> None:
        import psutil

        samples = 0
        while not self._ended.wait(_SAMPLE_EVERY_S):
            samples += 1
            try:
                processes = [self._process, *self._process.children(recursive=True)]
                sizes = [process.memory_info().rss for process in processes]
                self.bytes, self.own_bytes = max(self.bytes, sum(sizes)), max(self.own_bytes, sizes[0])
                if samples % _SHARES_EVERY == 0:
                    self.share = max(self.share, sum(Memory.of(process.pid).share for process in processes))
            except (psutil.Error, OSError):  # a process has just ended
                continue

    def end(self) -> None:
        self._ended.set()
        self.join()
