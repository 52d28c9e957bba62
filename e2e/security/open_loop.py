"""Visitors who come when they come: so many a second, however long others are waiting. How long each waits is counted from when they
came, so a server that stands still is felt by all who come meanwhile. In an event loop on raw connections, for it shares the processors
with the server.
"""

import asyncio
import re
from collections import Counter, deque
from typing import Any, Final, NamedTuple

_CONNECTIONS: Final = 64
"""Kept open, as those of a proxy. Who finds none free waits for one."""
_BETWEEN_LOOKS_S: Final = 0.002
_LENGTH: Final = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_END_OF_HEAD: Final = b"\r\n\r\n"


class Stream(NamedTuple):
    port: int
    host: str
    a_second: int
    lasts_s: float
    path: str = "/"


class Waits(NamedTuple):
    """How long each was waiting, in seconds, the shortest first, and how many got which answer."""

    seconds: list[float]
    answers: dict[str, int]

    def percentile(self, share: float) -> float:
        return self.seconds[min(len(self.seconds) - 1, int(len(self.seconds) * share))]


class OpenLoop:
    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        head = f"GET {stream.path} HTTP/1.1\r\nHost: {stream.host}\r\nAccept-Encoding: br\r\n\r\n"
        self.request = head.encode()
        self.free: list[_Connection] = []
        self.seconds: list[float] = []
        self.answers: Counter[str] = Counter()
        self._came: deque[float] = deque()
        """When those came who wait for a connection."""

    async def run(self) -> Waits:
        loop = asyncio.get_running_loop()
        for _ in range(_CONNECTIONS):
            await self.connect()
        began, wanted = loop.time(), int(self.stream.a_second * self.stream.lasts_s)
        for number in range(wanted):
            due = began + number / self.stream.a_second
            while loop.time() < due:
                await asyncio.sleep(_BETWEEN_LOOKS_S)
            self._came.append(due)
            self.send()
        until = loop.time() + 20
        while self.answers.total() < wanted and loop.time() < until:
            await asyncio.sleep(_BETWEEN_LOOKS_S)
        unanswered = wanted - self.answers.total()
        return Waits(sorted(self.seconds), {**self.answers, **({"none": unanswered} if unanswered else {})})

    async def connect(self) -> None:
        await asyncio.get_running_loop().create_connection(lambda: _Connection(self), "127.0.0.1", self.stream.port)

    def send(self) -> None:
        while self.free and self._came:
            self.free.pop().ask(self._came.popleft())

    def note(self, status: str, waited_s: float) -> None:
        self.answers[status] += 1
        self.seconds.append(waited_s)


class _Connection(asyncio.Protocol):
    def __init__(self, owner: OpenLoop) -> None:
        self._owner = owner
        self._loop = asyncio.get_running_loop()
        self._came: float | None = None
        self._answer = bytearray()
        self._size = 0
        """Of the answer, head and body; 0 where the head is not whole yet."""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._owner.free.append(self)

    def ask(self, came: float) -> None:
        self._came, self._size = came, 0
        self._answer.clear()
        self._transport.write(self._owner.request)

    def data_received(self, data: bytes) -> None:
        self._answer += data
        if not self._size:
            head, end, _ = self._answer.partition(_END_OF_HEAD)
            if not end:
                return
            length = _LENGTH.search(head)
            assert length
            self._size = len(head) + len(end) + int(length[1])
        if len(self._answer) >= self._size:
            self._finish(self._answer[9:12].decode())
            self._owner.free.append(self)
            self._owner.send()

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._owner.free:
            self._owner.free.remove(self)
        self._finish("connection lost")
        self._again = self._loop.create_task(self._owner.connect())

    def _finish(self, status: str) -> None:
        if self._came is not None:
            self._owner.note(status, self._loop.time() - self._came)
            self._came = None


def come(stream: Stream, said: Any) -> None:
    """In a process of its own; ``said`` gets the waits."""
    said.put(asyncio.run(OpenLoop(stream).run()))
