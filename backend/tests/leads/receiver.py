"""Another company's server on the loopback, over TLS: it stores requests, and replies or fails as a test wants."""

import asyncio
import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import trustme

from portolan.outgoing.network import PublicNetwork
from portolan.outgoing.post import Poster

from ..edge.upstream import TLS_SHUTDOWN_S, running

CRM = "crm.test"


class Request(NamedTuple):
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Reply(NamedTuple):
    status: int = 200
    headers: Mapping[str, str] = {}
    body: bytes = b""
    after_s: float = 0
    """Pause before each reply."""


class Receiver:
    """``answer`` decides by request. ``taken`` has every request that was answered with 2xx, even if the client left."""

    def __init__(self, *names: str, port: int = 0) -> None:
        authority = trustme.CA()
        self.authority = authority.cert_pem.bytes()
        self.client_tls = ssl.create_default_context()
        authority.configure_trust(self.client_tls)
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        authority.issue_cert(*names or (CRM,)).configure_cert(self._tls)
        self.port = port
        self.requests: list[Request] = []
        self.taken: list[Request] = []
        self.answer: Callable[[Request], Reply] = lambda _: Reply()

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(
            self._serve, "127.0.0.1", self.port, ssl=self._tls, ssl_shutdown_timeout=TLS_SHUTDOWN_S
        )
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            request = Request(first.split()[1], headers, body)
            self.requests.append(request)
            reply = self.answer(request)
            await asyncio.sleep(reply.after_s)
            if 200 <= reply.status < 300:
                self.taken.append(request)
            sent = {"Content-Length": str(len(reply.body)), "Connection": "close", **reply.headers}
            lines = [f"HTTP/1.1 {reply.status} X", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
            writer.write("\r\n".join(lines).encode("latin-1") + reply.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, asyncio.CancelledError):
            pass  # the client has gone
        finally:
            writer.close()

    def poster(self) -> Poster:
        """Return a poster that reaches this server by any name."""
        return Poster(PublicNetwork(_loopback, bool, self.port), self.client_tls)


async def _loopback(_host: str) -> list[str]:
    return ["127.0.0.1"]


@contextmanager
def receiving(*names: str) -> Iterator[Receiver]:
    receiver = Receiver(*names)
    with running(receiver):  # type: ignore[arg-type]
        yield receiver
