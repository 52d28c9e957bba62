"""Passwords are hashed one after the other, by a thread that everybody else comes before: each takes a processor for a third of a
second, and pages that visitors wait for are not to wait for that."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

_NICENESS: Final = 15


class PatientHasher(PBKDF2PasswordHasher):
    """Django's own, in turn. Unknown names are hashed too, so they wait as long as known ones."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        with _one_makes_it:
            thread = _thread()
        return thread.submit(super().encode, password, salt, iterations).result()


@cache
def _thread() -> ThreadPoolExecutor:
    """Made when it is first needed: in the process that serves, not in the one it was forked from."""
    return ThreadPoolExecutor(1, thread_name_prefix="passwords", initializer=_let_others_go_first)


_one_makes_it: Final = threading.Lock()


def _let_others_go_first() -> None:
    """On Linux that is of one thread alone; elsewhere it would be the whole process."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
