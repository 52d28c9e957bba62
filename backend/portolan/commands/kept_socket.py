"""Let the supervisor keep a server's listening socket during a restart, so that requests wait for the new process.

Uses systemd's protocol (sd_notify(3), sd_listen_fds(3)). Has no effect under other supervisors.
"""

import os
import socket
from contextlib import suppress
from typing import Final

from ..observing.supervisor import notify

_NAME: Final = "portolan-server"
_FIRST: Final = 3
"""Number of the first inherited file."""
_VARIABLES: Final = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")


def can_keep() -> bool:
    """Return whether a supervisor accepts notifications of this process."""
    return bool(os.environ.get("NOTIFY_SOCKET"))


def is_kept(host: str, port: int) -> bool:
    """Return whether the previous process left its socket of this address."""
    return any(_listens_at(number, host, port) for number in _passed_on())


def take_kept(host: str, port: int) -> socket.socket | None:
    """Return the kept socket of this address once, or None. Close a kept socket of another address."""
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
    """Give the socket to the supervisor. It must be listening already, or systemd drops it."""
    notify(f"FDSTORE=1\nFDNAME={_NAME}", listening)


def forget() -> None:
    """Remove the socket from the supervisor. New connections are then refused at once."""
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
