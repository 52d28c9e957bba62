"""End a child process when its parent ends, even if the parent was killed."""

import ctypes
import os
import signal
import sys
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent: int, number: int = signal.SIGTERM) -> None:
    """Let the kernel send this process a signal when the process ``parent`` ends. Linux only; elsewhere do nothing."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        raise SystemExit("The parent process of this one has ended. Nothing was done.")
