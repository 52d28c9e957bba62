"""Limits how many connections one client may hold open, and how slowly it may read an answer. The server limits
incoming requests, but neither slow readers nor the number of connections. So a thread checks the process's own sockets
every second; the kernel knows the state of each.
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
"""The pause after a check is at least this many times as long as the check: thousands of connections take a tenth of a
second, and others need the processor too."""
_ACKED_AT: Final = 120
"""Offset of ``tcpi_bytes_acked`` in Linux's ``struct tcp_info``; it stands there since 4.1."""
_UNSENT: Final = 0x5411
"""``SIOCOUTQ``: bytes that the other side has not taken yet."""

_BUSY: Final = (
    b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b"
)
_STATUSES: Final = {429: b"429 Too Many Requests", 503: b"503 Service Unavailable"}
_SENTENCE: Final = b"Too many connections are open. Close some, or come again in a moment.\n"


class Bounds(NamedTuple):
    of_client: int = 512
    """Connections of one client: an IPv4 address or an IPv6 network. One address may stand for a whole office."""
    of_all: int = 3_584
    grace_s: float = 30
    """A client that takes less than ``least`` for this long is cut off."""
    least: int = 1_000
    """Bytes a second."""


class Connection(NamedTuple):
    number: int
    """The socket's inode: no two that are open have the same."""
    client: str
    """Empty if it is a proxy of ours: proxies are not limited, they have to stop slow clients by themselves."""
    unsent: int
    acked: int


class Reading(NamedTuple):
    """A client that has not taken all of its answer: since when it is watched, and how much it had taken by then."""

    since: float
    acked: int


class ConnectionRules:
    """Which connections are to be closed. Knows nothing of sockets."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._first_seen: dict[int, float] = {}
        self._readings: dict[int, Reading] = {}

    def choose(self, connections: Iterable[Connection], now: float) -> dict[int, int]:
        """Connections to close, by number, with the status to answer if nothing has been answered yet; 0: close without
        an answer."""
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
                closed[number] = 503  # one of those who hold the most
            else:
                continue
            counts[client] -= 1
            total -= 1
        return closed

    def _follow(self, connection: Connection, now: float) -> Reading:
        """Starts a new period whenever the client has taken enough, so that reading fast first does not allow a long
        pause later."""
        before = self._readings.get(connection.number)
        if before and connection.acked - before.acked < self._bounds.grace_s * self._bounds.least:
            return before
        return Reading(now, connection.acked)


class ConnectionWatch:
    """Looks after the connections that this process has accepted on ``port``."""

    def __init__(
        self,
        port: int,
        proxies: Iterable[str] = (),
        bounds: Bounds | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``proxies``: addresses or networks that are not counted as clients."""
        self._port = port
        self._proxies = [ip_network(proxy, strict=False) for proxy in proxies]
        self._rules = ConnectionRules(bounds or Bounds())
        self._clock = clock

    def start(self) -> None:
        """Check from now on, as long as the process lives. Does nothing on systems other than Linux."""
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
                if held:  # else its number belongs to another socket by now
                    _close(held, 0 if connections[number].acked else status)

    def _keep_looking(self) -> None:
        pause, took = threading.Event(), 0.0
        while not pause.wait(max(LOOK_EVERY_S, took * _REST)):
            began = time.monotonic()
            with contextlib.suppress(OSError):  # no free file descriptor at the moment; the next check may find one
                self.look()
            took = time.monotonic() - began

    def _describe(self, number: int, each: socket.socket) -> Connection | None:
        """None if it is not a connection that was accepted on the port."""
        try:
            if each.getsockname()[1] != self._port or each.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                return None
            address = str(each.getpeername()[0])
            known = each.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _ACKED_AT + 8)
            (acked,) = struct.unpack_from("=Q", known, _ACKED_AT)
            (unsent,) = struct.unpack("=i", fcntl.ioctl(each.fileno(), _UNSENT, bytes(4)))
        except (OSError, struct.error):  # it is gone already
            return None
        client = name_client(address)
        if self._proxies and client and any(ip_address(client) in network for network in self._proxies):
            client = ""
        return Connection(number, client, unsent, acked)


@contextlib.contextmanager
def _borrow(place: int) -> Iterator[tuple[int, socket.socket] | None]:
    """The TCP socket at a file descriptor, with its inode, to read its state. Its owner may close it meanwhile.

    Nothing is opened or closed for this. A process that closes any descriptor of a file, even a duplicate, loses all
    its POSIX locks on that file. SQLite's database files are among the descriptors checked: without its locks two
    processes could write at once, and committed data would be lost.
    """
    try:
        status = os.fstat(place)
        each = socket.socket(fileno=place) if stat.S_ISSOCK(status.st_mode) else None
    except OSError:  # it is closed by now
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
    """A duplicate descriptor of the socket with this inode, so that it stays the same one meanwhile; None if the number
    belongs to another file by now.
    """
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
        # Replaced just now by another file. The handle stays open, because closing it could release that file's locks.
        yield None
        return
    with socket.socket(fileno=handle) as each:
        yield each if status.st_ino == number else None


def _close(each: socket.socket, status: int) -> None:
    """Shuts the connection down in both directions, for all of this process; code that waits on it notices."""
    with contextlib.suppress(OSError):
        if status:
            each.send(_BUSY % (_STATUSES[status], len(_SENTENCE), _SENTENCE), socket.MSG_DONTWAIT)
        else:  # the kernel need not keep what the client does not take
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        each.shutdown(socket.SHUT_RDWR)
