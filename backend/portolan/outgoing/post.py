"""One POST to the public internet, from code that is not asynchronous. No redirect is followed, no proxy is asked."""

import asyncio
import ssl
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import httpcore

from .network import FetchError, PublicNetwork, RefusedError
from .reasons import reason_of

LARGEST_ANSWER: Final = 64 << 10
"""Bytes that are read of an answer; what follows is left."""


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class TimedOut(FetchError):
    """Nobody knows whether what was sent has arrived."""


class Poster:
    """Sends bodies to https addresses. The parameters are for tests, whose hosts stand on the loopback."""

    def __init__(self, network: PublicNetwork | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._network = network or PublicNetwork()
        self._tls = tls

    def post(self, url: str, body: bytes, headers: Mapping[str, str], total_s: float) -> Answer:
        """Raises RefusedError for a host that is not public, TimedOut after ``total_s``, FetchError for what else fails.

        Their messages name the host and the kind of failure, and nothing of what was sent.
        """
        return asyncio.run(self._post(url, body, headers, total_s))

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str], total_s: float) -> Answer:
        host = httpcore.URL(url).host.decode()
        try:
            async with asyncio.timeout(total_s):
                return await self._send(url, body, headers)
        except TimeoutError:
            raise TimedOut(f"{host} did not answer within {total_s:g} s.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError) as error:
            raise FetchError(f"{host} cannot be reached ({type(error).__name__}{_colon(reason_of(error))}).") from None

    async def _send(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        if not url.startswith("https://"):
            raise RefusedError("Only https addresses are sent to.")
        sent = [(name.encode(), value.encode()) for name, value in {"user-agent": "Portolan", **headers}.items()]
        pool = httpcore.AsyncConnectionPool(
            ssl_context=self._tls or _usual_tls(), network_backend=self._network, max_keepalive_connections=0
        )
        async with pool, pool.stream("POST", url, headers=sent, content=body) as response:
            read = b""
            async for part in response.aiter_stream():
                read += part
                if len(read) > LARGEST_ANSWER:
                    break
            names = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            return Answer(response.status, names, read[:LARGEST_ANSWER])


@lru_cache(maxsize=1)
def _usual_tls() -> ssl.SSLContext:
    return httpcore.default_ssl_context()


def _colon(reason: str) -> str:
    return f": {reason}" if reason else ""
