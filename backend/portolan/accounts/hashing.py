"""Hash passwords one at a time in a thread with low priority.

Each hash needs a processor for about a third of a second, and visitors' pages must not wait for it.
"""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

_NICENESS: Final = 15


class PatientHasher(PBKDF2PasswordHasher):
    """Django's hasher, one at a time. Unknown names are hashed too, so they take as long as known names."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with _lock:
            thread = _thread()
        return thread.submit(super().encode, password, salt, iterations).result()


@cache
def _thread() -> ThreadPoolExecutor:
    """Return the thread. It is created at first use, so in the serving process and not before a fork."""
    return ThreadPoolExecutor(1, thread_name_prefix="passwords", initializer=_lower_priority)


_lock: Final = threading.Lock()


def _lower_priority() -> None:
    """Lower this thread's priority. Only on Linux: elsewhere it would affect the whole process."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
