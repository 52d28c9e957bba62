"""Other hosts on the loopback, over TLS, well-behaved or hostile as a test wants, and listeners that count."""

import asyncio
import errno
import socket
import ssl
import threading
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

import trustme

from ..processes import LIMIT_S, wait_until

TAGS: Final = "tags.test"
SCRIPT: Final = b"window.tagged = true;" + b"/* padding */" * 100
OK: Final = b"HTTP/1.1 200 OK\r\n"
LOOPBACKS: Final = ("127.0.0.1", "127.0.0.2", "::1")

TLS_SHUTDOWN_S: Final = 0.01
"""A TLS connection closes when both ends have sent their close, or after this time. A loop that stops earlier leaves it
open.
"""

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


def typed(kind: str, body: bytes, *more: str) -> Answer:
    """A whole answer."""
    lines = [f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close", *more]

    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(OK + "\r\n".join([*lines, "", ""]).encode("latin-1") + body)

    return send


def head_only(*lines: str, status: str = "200 OK") -> Answer:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write("\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode("latin-1"))

    return send


def in_parts(parts: Callable[[], AsyncIterator[bytes]], *lines: str) -> Answer:
    """A body of unknown length, until the reader goes away."""

    async def send(writer: asyncio.StreamWriter) -> None:
        head = ["Content-Type: text/javascript", "Transfer-Encoding: chunked", *lines, "", ""]
        writer.write(OK + "\r\n".join(head).encode())
        async for part in parts():
            writer.write(b"%x\r\n%b\r\n" % (len(part), part))
            await writer.drain()
            await asyncio.sleep(0)
            if writer.transport.is_closing():  # the reader has gone, and some drains do not report it
                return
        writer.write(b"0\r\n\r\n")

    return send


async def endless() -> AsyncIterator[bytes]:
    while True:
        yield b"x" * 65536


async def drip() -> AsyncIterator[bytes]:
    while True:
        yield b"x"
        await asyncio.sleep(0.05)


async def bomb() -> AsyncIterator[bytes]:
    """Send gzip of ever more zeros: a thousandth of its unpacked size."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    while True:
        yield packer.compress(bytes(1 << 20)) or packer.flush(zlib.Z_SYNC_FLUSH)


class Upstream:
    """A host. ``answers`` by path. All requests are stored."""

    def __init__(self, names: tuple[str, ...] = (TAGS,)) -> None:
        authority = trustme.CA()
        self.answers: dict[str, Answer] = {"/tag.js": typed("text/javascript", SCRIPT)}
        self.heads: list[bytes] = []
        self.names: list[str | None] = []
        """Server names in clients' TLS handshakes."""
        self.client_tls = ssl.create_default_context()
        authority.configure_trust(self.client_tls)
        self.authority: bytes = authority.cert_pem.bytes()
        """The certificate that clients have to trust."""
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(*names).configure_cert(self._tls)
        self._tls.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self.port = 0

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(
            self._serve, "127.0.0.1", 0, ssl=self._tls, ssl_shutdown_timeout=TLS_SHUTDOWN_S
        )
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.heads.append(head)
            path = head.split(b" ", 2)[1].decode().partition("?")[0]
            await self.answers.get(path, head_only("Content-Length: 0", status="404 Not Found"))(writer)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            pass  # the client has gone, as it should with an endless answer
        finally:
            writer.transport.abort() if writer.is_closing() else writer.close()


class Canaries:
    """Listeners on loopback addresses that must stay without requests."""

    def __init__(self) -> None:
        self.clients: list[object] = []
        """Their IP addresses, in the order of their connections."""
        self._own: list[object] = []
        self.tried: list[str] = []
        """IP addresses of all connection attempts, with or without a listener."""
        self.port = 0

    async def start(self) -> list[asyncio.Server]:
        """Listen on a port that is free on all addresses. One that is free on the first may be in use on another."""
        while True:
            servers: list[asyncio.Server] = []
            try:
                for address in LOOPBACKS:
                    servers.append(await asyncio.start_server(self._count, address, self.port))
                    self.port = servers[0].sockets[0].getsockname()[1]
                return servers
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                for server in servers:
                    server.close()
                self.port = 0

    def find_others(self) -> list[object]:
        """Return the clients, except those that this method connects. Earlier ones are accepted first."""
        for address in LOOPBACKS:
            with socket.create_connection((address, self.port)) as last:
                self._own.append(last.getsockname()[:2])
                wait_until(lambda: self._own[-1] in self.clients)
        return [client for client in self.clients if client not in self._own]

    async def _count(self, _reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.clients.append(writer.get_extra_info("peername")[:2])
        writer.close()


@contextmanager
def running(*hosts: Upstream | Canaries) -> Iterator[None]:
    """Run the hosts in a separate thread, so that tests may use loops as they like."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    servers = []
    try:
        for host in hosts:
            started = asyncio.run_coroutine_threadsafe(host.start(), loop).result(LIMIT_S)
            servers += started if isinstance(started, list) else [started]
        yield
    finally:

        async def stop() -> None:
            for server in servers:
                server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            # By then each closed connection is finished, and the loop has reported it.
            await asyncio.sleep(2 * TLS_SHUTDOWN_S)
            for _ in range(3):
                await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(stop(), loop).result(LIMIT_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(LIMIT_S)
        loop.close()
