"""The socket that a server listens on, kept by who supervises it while the server starts again: requests wait for the new process
instead of failing. By systemd's protocol (sd_notify(3), sd_listen_fds(3)); where nobody keeps it, nothing happens.
"""

import os
import socket
from contextlib import suppress
from typing import Final

from ..observing.supervisor import notify

_NAME: Final = "portolan-server"
_FIRST: Final = 3
"""The number of the first file that is passed on."""
_VARIABLES: Final = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


def can_keep() -> bool:
    """Whether somebody supervises this process who takes what it says."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def is_kept(host: str, port: int) -> bool:
    """Whether the process before this one has left its socket of this address."""
    return any(_listens_at(number, host, port) for number in _passed_on())


def take_kept(host: str, port: int) -> socket.socket | None:
    """That socket, once. One of another address is closed, and kept no more."""
    numbers = _passed_on()
    for name in _VARIABLES:
        os.environ.pop(name, None)
    taken: socket.socket | None = None
    for number in numbers:
        if taken is None and _listens_at(number, host, port):
            taken = socket.socket(fileno=number)
        else:
            os.close(number)
    if numbers and taken is None:
        forget()
    return taken


def keep(listening: socket.socket) -> None:
    """Leave it to the next process. It has to listen already: one that does not is dropped."""
    notify(f"FDSTORE=1\nFDNAME={_NAME}", listening)


def forget() -> None:
    """Whoever connects from now on is refused, and told so at once."""
    notify(f"FDSTOREREMOVE=1\nFDNAME={_NAME}")


def _passed_on() -> list[int]:
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    names = os.environ.get("LISTEN_FDNAMES", "").split(":")
    return [_FIRST + number for number, name in enumerate(names) if name == _NAME]


def _listens_at(number: int, host: str, port: int) -> bool:
    with suppress(OSError), socket.socket(fileno=os.dup(number)) as passed_on:
        return passed_on.getsockname()[:2] == (host, port)
    return False
