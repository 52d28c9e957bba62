"""Limit each client's connections, and close those of slow readers.

The server only limits incoming requests. A thread therefore checks the state of the process's sockets every second.
"""

import contextlib
import fcntl
import os
import socket
import stat
import struct
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from ipaddress import ip_address, ip_network
from typing import Final, NamedTuple

from ..domain.client_limits import name_client

LOOK_EVERY_S: Final = 1
_REST: Final = 10
"""Factor of the pause after a check to the check's duration.

Checking thousands of connections takes a tenth of a second of CPU time.
"""
_ACKED_AT: Final = 120
"""Offset of ``tcpi_bytes_acked`` in ``struct tcp_info`` (Linux 4.1 and later)."""
_UNSENT: Final = 0x5411
"""``SIOCOUTQ``: bytes that the client has not acknowledged yet."""

_BUSY: Final = (
    b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b"
)
_STATUSES: Final = {429: b"429 Too Many Requests", 503: b"503 Service Unavailable"}
_SENTENCE: Final = b"Too many open connections. Close some, or try again in a moment.\n"


class Bounds(NamedTuple):
    of_client: int = 512
    """Connections of one client: an IPv4 address or an IPv6 network, which may be a whole office."""
    of_all: int = 3_584
    grace_s: float = 30
    """Seconds after which a client that reads less than ``least`` is disconnected."""
    least: int = 1_000
    """Bytes per second."""


class Connection(NamedTuple):
    number: int
    """The socket's inode, which is unique among open sockets."""
    client: str
    """Empty for a proxy of ours, which has no limit and must limit slow clients itself."""
    unsent: int
    acked: int


class Reading(NamedTuple):
    """A client that is still reading: start of the watched period, and bytes read by then."""

    since: float
    acked: int


class ConnectionRules:
    """Choose the connections to close."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._first_seen: dict[int, float] = {}
        self._readings: dict[int, Reading] = {}

    def choose(self, connections: Iterable[Connection], now: float) -> dict[int, int]:
        """Return the connections to close, with the status to send if no reply has begun.

        Status 0: close without a reply.
        """
        known = {connection.number: connection for connection in connections}
        self._first_seen = {number: self._first_seen.get(number, now) for number in known}
        self._readings = {
            number: self._follow(connection, now) for number, connection in known.items() if connection.unsent
        }
        closed = {number: 0 for number, reading in self._readings.items() if now > reading.since + self._bounds.grace_s}
        counts = Counter(connection.client for number, connection in known.items() if number not in closed)
        total = counts.total()
        for number in sorted(known.keys() - closed.keys(), key=lambda number: (self._first_seen[number], number))[::-1]:
            client = known[number].client
            if not client:
                continue
            if counts[client] > self._bounds.of_client:
                closed[number] = 429
            elif total > self._bounds.of_all and counts[client] * 2 >= max(counts.values()):
                closed[number] = 503  # a client with the most connections
            else:
                continue
            counts[client] -= 1
            total -= 1
        return closed

    def _follow(self, connection: Connection, now: float) -> Reading:
        """Start a new period when the client has read enough, so that fast reading does not allow a long pause later."""
        before = self._readings.get(connection.number)
        if before and connection.acked - before.acked < self._bounds.grace_s * self._bounds.least:
            return before
        return Reading(now, connection.acked)


class ConnectionWatch:
    """Watches the connections that this process has accepted on ``port``."""

    def __init__(
        self,
        port: int,
        proxies: Iterable[str] = (),
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``proxies``: addresses or networks without a limit."""
        self._port = port
        self._proxies = [ip_network(proxy, strict=False) for proxy in proxies]
        self._rules = ConnectionRules(bounds or Bounds())
        self._clock = clock

    def start(self) -> None:
        """Check until the process ends. Does nothing on systems other than Linux."""
        if sys.platform.startswith("linux"):
            threading.Thread(target=self._keep_looking, name="connections", daemon=True).start()

    def look(self) -> None:
        places: dict[int, int] = {}
        connections: dict[int, Connection] = {}
        for place in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208
            with _borrow(place) as borrowed:
                if borrowed and (found := self._describe(*borrowed)):
                    places[found.number], connections[found.number] = place, found
        for number, status in self._rules.choose(connections.values(), self._clock()).items():
            with _hold(places[number], number) as held:
                if held:  # otherwise the number belongs to another socket now
                    _close(held, 0 if connections[number].acked else status)

    def _keep_looking(self) -> None:
        pause, took = threading.Event(), 0.0
        while not pause.wait(max(LOOK_EVERY_S, took * _REST)):
            began = time.monotonic()
            with contextlib.suppress(OSError):  # no free file descriptor now; the next check may find one
                self.look()
            took = time.monotonic() - began

    def _describe(self, number: int, each: socket.socket) -> Connection | None:
        """Return the connection, or ``None`` if it was not accepted on the port."""
        try:
            if each.getsockname()[1] != self._port or each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                return None
            address = str(each.getpeername()[0])
            known = each.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _ACKED_AT + 8)
            (acked,) = struct.unpack_from("=Q", known, _ACKED_AT)
            (unsent,) = struct.unpack("=i", fcntl.ioctl(each.fileno(), _UNSENT, bytes(4)))
        except (OSError, struct.error):  # closed meanwhile
            return None
        client = name_client(address)
        if self._proxies and client and any(ip_address(client) in network for network in self._proxies):
            client = ""
        return Connection(number, client, unsent, acked)


@contextlib.contextmanager
def _borrow(place: int) -> Iterator[tuple[int, socket.socket] | None]:
    """Yield the inode and the TCP socket at a file descriptor, to read its state. Its owner may close it meanwhile.

    Opens and closes no descriptor. Closing any descriptor of a file, even a duplicate, releases all POSIX locks of the
    process on that file. SQLite's files are among the descriptors checked: without their locks, two processes could
    write at once, and committed data would be lost.
    """
    try:
        status = os.fstat(place)
        each = socket.socket(fileno=place) if stat.S_ISSOCK(status.st_mode) else None
    except OSError:  # closed meanwhile
        each = None
    if each is None:
        yield None
        return
    try:
        is_tcp = each.family in (socket.AF_INET, socket.AF_INET6) and each.type == socket.SOCK_STREAM
        yield (status.st_ino, each) if is_tcp else None
    finally:
        each.detach()


@contextlib.contextmanager
def _hold(place: int, number: int) -> Iterator[socket.socket | None]:
    """Yield a duplicate of the socket with this inode, or None if the descriptor is another file now."""
    try:
        if os.fstat(place).st_ino != number:
            yield None
            return
        handle = os.dup(place)
    except OSError:
        yield None
        return
    status = os.fstat(handle)
    if not stat.S_ISSOCK(status.st_mode):
        # Replaced by another file meanwhile. Keep the handle open, because closing it could release that file's locks.
        yield None
        return
    with socket.socket(fileno=handle) as each:
        yield each if status.st_ino == number else None


def _close(each: socket.socket, status: int) -> None:
    """Shut the connection down in both directions for the whole process. Code that waits for it is notified."""
    with contextlib.suppress(OSError):
        if status:
            each.send(_BUSY % (_STATUSES[status], len(_SENTENCE), _SENTENCE), socket.MSG_DONTWAIT)
        else:  # the kernel must not keep unread bytes
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        each.shutdown(socket.SHUT_RDWR)
