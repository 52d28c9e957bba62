"""Who comes first where processors are short: visitors, then what an editor waits for, then what nobody waits for."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

PUBLISHING: Final = 5
"""Niceness of whoever publishes: beside busy edges a third of what they have, and everything as soon as they are not."""
_AUTOGROUP: Final = Path("/proc/self/autogroup")


def give_way(niceness: int) -> None:
    """Have this process, and what it starts, come after others.

    Linux shares the processor among sessions first ("autogroups") and looks at the priority of processes only within each. So
    the session of a process that has one of its own must ask for less too: without this, one of niceness 19 had a seventh of a
    core beside twenty busy processes, with it 0.5 %.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
    if sys.platform == "linux" and os.getsid(0) == os.getpid():
        with suppress(OSError):  # where the kernel has no autogroups
            _AUTOGROUP.write_text(str(niceness))
