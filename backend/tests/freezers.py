"""The freezers of publishers that run as processes."""

import time
from contextlib import suppress

import psutil

from portolan_dev.bench.memory import find_freezer


def freezer_of(publisher: int) -> int:
    """Process id of a publisher's freezer, once it has one."""
    deadline = time.monotonic() + 60
    while True:
        with suppress(psutil.NoSuchProcess):  # another one of its children has just ended
            if found := find_freezer(psutil.Process(publisher)):
                return found
        assert time.monotonic() < deadline, "the publisher has no freezer"
        time.sleep(0.02)


def has_ended(process: int) -> bool:
    """Also where nobody has asked for its exit code yet: then only its number is left."""
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(process).status() == psutil.STATUS_ZOMBIE
    return True
