"""Send one POST to the public internet from synchronous code, without redirects and proxies."""

import asyncio
import ssl
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import httpcore

from .network import FetchError, PublicNetwork, RefusedError
from .reasons import reason_of

LARGEST_ANSWER: Final = 64 << 10
"""Bytes that are read of a reply by default. The rest is ignored."""


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class TimedOut(FetchError):
    """The request may or may not have arrived."""


class Poster:
    """Sends bodies to https URLs. The parameters are for tests with hosts on loopback."""

    def __init__(self, network: PublicNetwork | None = None, tls: ssl.SSLContext | None = None) -> None:
        self._network = network or PublicNetwork()
        self._tls = tls

    def post(
        self, url: str, body: bytes, headers: Mapping[str, str], total_s: float, largest: int = LARGEST_ANSWER
    ) -> Answer:
        """Return the reply. Raise RefusedError for a private host, TimedOut after ``total_s``, else FetchError.

        ``largest``: bytes that are read of the reply. Messages have the host and the kind of failure, and no data of the request.
        """
        return asyncio.run(self._post(url, body, headers, total_s, largest))

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str], total_s: float, largest: int) -> Answer:
        host = httpcore.URL(url).host.decode()
        try:
            async with asyncio.timeout(total_s):
                return await self._send(url, body, headers, largest)
        except TimeoutError:
            raise TimedOut(f"{host} did not respond within {total_s:g} s.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError) as error:
            raise FetchError(f"{host} cannot be reached ({type(error).__name__}{_colon(reason_of(error))}).") from None

    async def _send(self, url: str, body: bytes, headers: Mapping[str, str], largest: int) -> Answer:
        if not url.startswith("https://"):
            raise RefusedError("Only https URLs are allowed.")
        sent = [(name.encode(), value.encode()) for name, value in {"user-agent": "Portolan", **headers}.items()]
        pool = httpcore.AsyncConnectionPool(
            ssl_context=self._tls or _usual_tls(), network_backend=self._network, max_keepalive_connections=0
        )
        async with pool, pool.stream("POST", url, headers=sent, content=body) as response:
            read = b""
            async for part in response.aiter_stream():
                read += part
                if len(read) > largest:
                    break
            names = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
            return Answer(response.status, names, read[:largest])


@lru_cache(maxsize=1)
def _usual_tls() -> ssl.SSLContext:
    return httpcore.default_ssl_context()


def _colon(reason: str) -> str:
    return f": {reason}" if reason else ""
