"""Priorities: visitors, then work that an editor waits for, then background."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

PUBLISHING: Final = 5
"""Niceness of publishers: a third of the time of busy edges, and all of it once they are idle."""
_AUTOGROUP: Final = Path("/proc/self/autogroup")


def give_way(niceness: int) -> None:
    """Lower the priority of this process and its children.

    Linux shares the processor among sessions first ("autogroups"), and uses process priorities only within a session.
    So a session leader must lower its session's priority too. Otherwise a process of niceness 19 gets a seventh of a
    core next to twenty busy processes, instead of 0.5 %.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
    if sys.platform == "linux" and os.getsid(0) == os.getpid():
        with suppress(OSError):  # the kernel may have no autogroups
            _AUTOGROUP.write_text(str(niceness))
