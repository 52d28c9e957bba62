"""The release workers of publishers that run as processes."""

from contextlib import suppress

import psutil

from portolan_dev.bench.memory import find_release_worker

from .processes import wait_until


def release_worker_of(publisher: int) -> int:
    """Return the process id of a publisher's release worker, once it has one."""
    found: list[int] = []

    def look() -> bool:
        with suppress(psutil.NoSuchProcess):  # another one of its children has just ended
            found.extend(filter(None, [find_release_worker(psutil.Process(publisher))]))
        return bool(found)

    wait_until(look)
    return found[0]


def has_ended(process: int) -> bool:
    """Return whether the process has ended. A zombie, whose exit code is yet to be read, counts as ended."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    return True
