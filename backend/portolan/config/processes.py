"""Makes a child process end when its parent ends, even if the parent was killed."""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent: int, number: int = signal.SIGTERM) -> None:
    """Have the kernel send this process a signal when the process ``parent`` ends. Linux only; elsewhere it does nothing."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        raise SystemExit("The process that started this one has ended already, so nothing was done.")
