"""Wake the publisher and the delivery: a byte on a datagram socket, or PostgreSQL's NOTIFY for other machines.

A lost wake-up costs seconds but never content, because changes are in the database.
"""

import fcntl
import logging
import os
import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from .postgres_wake import PostgresListener

_LONGEST_ADDRESS: Final = 100
"""Bytes of a socket's path that every kernel accepts (Linux 108, macOS 104)."""


_log = logging.getLogger(__name__)

PUBLISHER_CHANNEL: Final = "portolan_publisher"
LEADS_CHANNEL: Final = "portolan_leads"
"""Names of PostgreSQL's channels and of the connections that listen."""


class AlreadyListening(RuntimeError):
    """Another process is listening on the socket."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"Another publisher already listens at {path}. Two would freeze and build the same changes: stop one of them."
        )


def socket_of(path: Path, group: str) -> Path:
    """Return the socket of a group's publisher; the main group, whose name is empty, uses ``path`` itself."""
    return path.with_name(f"{path.stem}.{group}{path.suffix}") if group else path


def wake(path: Path) -> bool:
    """Wake the listeners at ``path`` and at its groups' sockets (``socket_of``). Return whether one received it.

    Never blocks or raises, because edits must succeed while publishers are stopped.
    """
    return sum(_wake(each) for each in _sockets(path)) > 0


def wake_others(path: Path, own: Path) -> None:
    """Wake all listeners except the one at ``own``."""
    for each in _sockets(path):
        if each != own:
            _wake(each)


def _sockets(path: Path) -> list[Path]:
    return [path, *path.parent.glob(f"{path.stem}.*{path.suffix}")]


def _wake(path: Path) -> bool:
    try:
        with _address(path) as address, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.setblocking(False)
            sender.sendto(b"!", address)
    except OSError:  # no listener, or a busy one with waiting wake-ups
        return False
    return True


def is_listening(path: Path) -> bool:
    """Return whether a process listens at ``path`` or at a group's socket."""
    for each in _sockets(path):
        with _address(each) as address:
            if _answers(address):
                return True
    return False


class WakeListener:
    """The receiving end. ``with WakeListener(path) as listener: listener.wait(timeout)``."""

    def __init__(self, path: Path, database: str = "", channel: str = "") -> None:
        """``database``: its URL. With PostgreSQL, notifications on ``channel`` also wake."""
        self.path = path
        self._socket: socket.socket | None = None
        self._is_bound = False
        self._told: PostgresListener | None = None
        if channel and urlsplit(database).scheme != "sqlite":
            from . import postgres_wake  # loads the driver, which SQLite installations do not have

            self._told = postgres_wake.PostgresListener(database, channel)

    def __enter__(self) -> Self:
        try:
            self._socket = self._bind()
        except OSError as error:  # on a full or read-only disk, polling finds the work
            _log.error(
                "The socket %s cannot be created (%s). This process polls instead of being woken.",
                self.path,
                error.strerror,
            )
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        return self

    def _bind(self) -> socket.socket:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Hold the lock. Otherwise, if two processes start at once, one would remove the other's new socket.
        with _address(self.path) as address, _alone(self.path.parent):
            if _answers(address):
                raise AlreadyListening(self.path)
            self.path.unlink(missing_ok=True)  # left over from a killed process
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                listener.bind(address)
            except OSError:
                listener.close()
                raise
        self.path.chmod(0o600)
        self._is_bound = True
        return listener

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._told is not None:
            self._told.close()
        if self._socket is not None:
            # Remove the name first. Other processes leave it alone while this one still responds.
            if self._is_bound:
                self.path.unlink(missing_ok=True)
            self._socket.close()
            self._socket = None

    def fileno(self) -> int:
        """Return the file number for a caller's own ``select``."""
        if self._socket is None:
            raise RuntimeError("The listener is not open: use it in a with statement.")
        return self._socket.fileno()

    def wait(self, timeout: float | None) -> bool:
        """Wait for a wake-up, at most ``timeout`` seconds (None: for ever). Return False after the timeout.

        Several wake-ups since the last call count as one.
        """
        ends_at = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._told is not None and self._told.open():
                return True
            told = self._told.fileno() if self._told else None
            left = None if ends_at is None else max(0, ends_at - time.monotonic())
            readable, _, _ = select.select([self.fileno(), *([] if told is None else [told])], [], [], left)
            if self.fileno() in readable:
                self._drain()
                return True
            if told in readable and self._told and self._told.drain():
                return True
            if not readable:
                return False

    def _drain(self) -> None:
        if self._socket is None:
            return
        try:
            while True:
                self._socket.recv(16)
        except BlockingIOError:
            return


def _answers(address: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(address)
        except OSError:
            return False
        return True


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder itself. The kernel releases it when the process ends."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


@contextmanager
def _address(path: Path) -> Iterator[str]:
    """Yield an address for ``path`` that the kernel accepts. Long paths go through the folder's descriptor (Linux)."""
    if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
