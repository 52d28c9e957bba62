"""Passwords are hashed one after the other, by a thread that everybody else comes before. Thirty clients that guess passwords
otherwise take the processors from the pages that visitors wait for."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final

from django.contrib.auth.hashers import PBKDF2PasswordHasher

_NICENESS: Final = 15
MOST_WAITING: Final = 8
"""Sign-ins that wait for their turn, about three seconds in all. More are asked to come back."""

_waiting = 0
_lock = threading.Lock()


class PatientHasher(PBKDF2PasswordHasher):
    """Django's own, in turn. Unknown names are hashed too, so they wait as long as known ones."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        global _waiting
        with _lock:
            _waiting += 1
        try:
            return _thread().submit(super().encode, password, salt, iterations).result()
        finally:
            with _lock:
                _waiting -= 1


def is_crowded() -> bool:
    """Whether so many wait that another one should come back later."""
    return _waiting >= MOST_WAITING


@cache
def _thread() -> ThreadPoolExecutor:
    """Made when it is first needed: in the process that serves, not in the one it was forked from."""
    return ThreadPoolExecutor(1, thread_name_prefix="passwords", initializer=_let_others_go_first)


def _let_others_go_first() -> None:
    """On Linux that is of one thread alone; elsewhere it would be the whole process."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
