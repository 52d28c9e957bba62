"""Limit and measure the CPU time of processes by Linux's control groups."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_ROOT: Final = Path("/sys/fs/cgroup")
_OWN: Final = Path("/proc/self/cgroup")
_PERIOD_US: Final = 20_000


class NoControlGroups(Exception):
    """This machine or user cannot limit processes."""


class CpuQuota:
    """A limit of ``share`` of one core. Processes are added by their ids, with their later children."""

    def __init__(self, name: str, share: float) -> None:
        quota = int(share * _PERIOD_US)
        self._old = (_ROOT / "cpu" / "cpu.shares").exists()
        name = f"portolan-{os.getpid()}-{name}"
        self._folders = [_ROOT / part / name for part in ("cpu", "cpuacct")] if self._old else [_ROOT / name]
        try:
            if not self._old:
                (_ROOT / "cgroup.subtree_control").write_text("+cpu")
            for folder in self._folders:
                folder.mkdir()
            if self._old:
                (self._folders[0] / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
                (self._folders[0] / "cpu.cfs_quota_us").write_text(str(quota))
            else:
                (self._folders[0] / "cpu.max").write_text(f"{quota} {_PERIOD_US}")
        except OSError as error:
            raise NoControlGroups(f"{error.strerror}: {error.filename}") from error

    @property
    def members(self) -> Path:
        """Return the file for ids of processes to limit."""
        return self._folders[0] / "cgroup.procs"

    def put(self, pid: int) -> None:
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def used_s(self) -> float:
        """Return the CPU seconds of all processes in the group."""
        if self._old:
            return int((self._folders[1] / "cpuacct.usage").read_text()) / 1e9
        stat = dict(line.split() for line in (self._folders[0] / "cpu.stat").read_text().splitlines())
        return int(stat["usage_usec"]) / 1e6

    def remove(self) -> None:
        """Remove the group after its processes have ended."""
        deadline = time.monotonic() + 5
        for folder in self._folders:
            while folder.exists() and time.monotonic() < deadline:
                with contextlib.suppress(OSError):  # the last process has not ended yet
                    folder.rmdir()
                time.sleep(0.01)


def read_limit() -> float | None:
    """Return the number of cores that control groups allow this process, or None.

    In a container it is the container's limit.
    """
    limits: list[float] = []
    for line in _OWN.read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "cpu" or controllers.startswith("cpu,"):
            limits += _limits(_ROOT / controllers, path, "cpu.cfs_quota_us", "cpu.cfs_period_us")
        elif not controllers:
            limits += _limits(_ROOT, path, "cpu.max")
    return min(limits, default=None)


def _limits(root: Path, path: str, *files: str) -> Iterator[float]:
    """Yield the limits of a group and its parents. Version 1 has two files, version 2 one with both numbers."""
    for group in [path, *map(str, Path(path).parents)]:
        with contextlib.suppress(OSError):
            folder = root / group.lstrip("/")
            quota, period = " ".join((folder / file).read_text() for file in files).split()
            if quota not in ("max", "-1"):
                yield int(quota) / int(period)


@contextlib.contextmanager
def cpu_quota(name: str, share: float) -> Iterator[CpuQuota]:
    quota = CpuQuota(name, share)
    try:
        yield quota
    finally:
        quota.remove()
