"""Clients that send or read as slowly as they can, from many addresses of the loopback, and one who only wants a page."""

import asyncio
import socket
import time
from collections import Counter
from typing import Any, Final, NamedTuple

from ..faults import LONGEST_WAIT_S

_AGAIN_AFTER_S: Final = 10
_ESTABLISHED: Final = 1


class Crowd(NamedTuple):
    bodies: int
    readers: int
    addresses: int
    """Of the loopback, among which they are spread."""
    lasts_s: float
    a_second: int = 430
    """Connections: so that thousands stand within ten seconds, and what they cost is not what opening them costs."""


class SlowClients:
    """All in one event loop: run it in a process of its own where others' times are measured."""

    def __init__(self, port: int, host: str, large: str, crowd: Crowd) -> None:
        self._port = port
        self._host, self._large, self._crowd = host, large, crowd
        self._until = 0.0
        self.answers: Counter[str] = Counter()
        """What slow bodies were answered, by status; ``cut off``: readers."""
        self.begun = 0

    async def run(self) -> None:
        self._until = asyncio.get_running_loop().time() + self._crowd.lasts_s
        kinds = ["reader"] * self._crowd.readers + ["body"] * self._crowd.bodies
        tasks = [asyncio.create_task(self._attack(kind, number)) for number, kind in enumerate(kinds)]
        await asyncio.sleep(self._crowd.lasts_s)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _attack(self, kind: str, number: int) -> None:
        await asyncio.sleep(number / self._crowd.a_second)
        self.begun += 1
        while True:
            with socket.socket() as each:
                each.setblocking(False)
                try:
                    await self._connect(each, number)
                    await (self._send(each) if kind == "body" else self._read(each))
                except OSError:
                    self.answers["cut off" if kind == "reader" else "closed"] += 1
            await asyncio.sleep(_AGAIN_AFTER_S)

    async def _connect(self, each: socket.socket, number: int) -> None:
        high, low = divmod(number % self._crowd.addresses, 250)
        each.bind((f"127.0.{high + 1}.{low + 1}", 0))
        each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await asyncio.get_running_loop().sock_connect(each, ("127.0.0.1", self._port))

    async def _send(self, each: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        head = f"POST /admin/login/ HTTP/1.1\r\nHost: {self._host}\r\nContent-Length: 60000\r\n\r\n"
        await loop.sock_sendall(each, head.encode())
        while True:
            try:
                async with asyncio.timeout(
                    5
                ):  # `wait_for` may lose that it is cancelled, and this would go on for ever
                    answer = await loop.sock_recv(each, 4000)
            except TimeoutError:
                await loop.sock_sendall(each, b"x")
            else:
                self.answers[answer[9:12].decode() or "closed"] += 1
                return

    async def _read(self, each: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        host = self._host.removeprefix("studio.")
        await loop.sock_sendall(each, f"GET {self._large} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        while (
            await loop.sock_recv(each, 1) and each.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED
        ):
            await asyncio.sleep(1)
        raise ConnectionResetError  # what came before could be read for long


class Visitor(NamedTuple):
    """Return the waiting time for a page over a new connection."""

    status: int
    waited_s: float


async def visit(port: int, host: str, request: bytes = b"") -> Visitor:
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.9.9", 0))
    try:
        writer.write(request or f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), LONGEST_WAIT_S)
    finally:
        writer.close()
    return Visitor(int(answer[9:12]), time.monotonic() - began)


def percentile(waits: list[Visitor], share: float) -> float:
    ordered = sorted(each.waited_s for each in waits)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def attack(port: int, host: str, large: str, crowd: Crowd, said: Any) -> None:
    """In a process of its own; ``said`` gets the answers."""
    clients = SlowClients(port, host, large, crowd)
    asyncio.run(clients.run())
    said.put(dict(clients.answers))
