"""Read a process's memory from the kernel (Linux)."""

import re
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

_RELEASE_WORKER: Final = "portolan.commands.release_worker"


class Memory(NamedTuple):
    """In MB."""

    peak: float
    resident: float
    share: float
    """With a part of shared memory (PSS), so that shares can be added up."""

    @classmethod
    def of(cls, process: int) -> Self:
        status = (Path("/proc") / str(process) / "status").read_text()
        shares = (Path("/proc") / str(process) / "smaps_rollup").read_text()
        return cls(_read(status, "VmHWM"), _read(status, "VmRSS"), _read(shares, "Pss"))

    def __str__(self) -> str:
        return f"{self.resident:,.0f} MB (at most {self.peak:,.0f}, its share {self.share:,.0f})"


def find_release_worker(publisher: Any) -> int | None:
    """Return the process id of a publisher's release worker. ``publisher``: psutil's process."""
    return next((child.pid for child in publisher.children() if _RELEASE_WORKER in child.cmdline()), None)


def _read(fields: str, name: str) -> float:
    found = re.search(rf"(?m)^{name}:\s+(\d+) kB$", fields)
    return int(found[1]) * 1024 / 1e6 if found else 0.0
