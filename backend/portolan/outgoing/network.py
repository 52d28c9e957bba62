"""Connect to the public internet only: check a host's address, then connect to this same address."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import httpcore

from ..domain.public_addresses import is_public_address
from .resolve import alternate_families, resolve_host

CONNECT_S: Final = 2
"""Seconds to resolve a host and connect."""
NEXT_AFTER_S: Final = 0.25
"""Seconds until the next address is tried in parallel (RFC 8305, 5)."""

Resolve = Callable[[str], Awaitable[list[str]]]


class FetchError(Exception):
    """The request failed. The message is for the log."""


class RefusedError(FetchError):
    """The request breaks a rule about its host, type, size or duration."""


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to the checked address. A name is resolved once, so that a second result changes nothing."""

    def __init__(
        self,
        resolve: Resolve = resolve_host,
        is_allowed: Callable[[str], bool] = is_public_address,
        port: int | None = None,
    ) -> None:
        """The parameters are for tests with hosts on loopback. ``port`` replaces any other."""
        self._resolve = resolve
        self._is_allowed = is_allowed
        self._port = port
        self._connect = httpcore.AnyIOBackend().connect_tcp

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            async with asyncio.timeout(CONNECT_S):
                addresses = await self._find(host)
                connect = partial(
                    self._connect,
                    port=self._port or port,
                    timeout=timeout,
                    local_address=local_address,
                    socket_options=socket_options,
                )
                stream = await _first(connect, alternate_families(addresses))
        except TimeoutError:
            raise FetchError(f"{host} did not resolve or accept a connection within {CONNECT_S} s.") from None
        if stream is None:
            raise FetchError(f"{host} accepts no connection at {', '.join(addresses)}.")
        return stream

    async def _find(self, host: str) -> list[str]:
        try:
            addresses = await self._resolve(host)
        except (OSError, UnicodeError) as error:
            raise FetchError(f"{host} does not resolve ({error}).") from error
        # A single private address is enough to reject the name, because its other addresses are not trustworthy either.
        refused = [address for address in addresses if not self._is_allowed(address)]
        if refused or not addresses:
            raise RefusedError(f"{host} resolves to {refused or 'no address'}, which is not a public address.")
        return addresses


async def _first(
    connect: Callable[[str], Awaitable[httpcore.AsyncNetworkStream]], addresses: Sequence[str]
) -> httpcore.AsyncNetworkStream | None:
    """Return the first connection that is established, or ``None`` if no address accepts one."""
    left = list(reversed(addresses))
    tries: set[asyncio.Future[httpcore.AsyncNetworkStream]] = set()
    try:
        while left or tries:
            if left:
                tries.add(asyncio.ensure_future(connect(left.pop())))
            done, tries = await asyncio.wait(
                tries, timeout=NEXT_AFTER_S if left else None, return_when=asyncio.FIRST_COMPLETED
            )
            made = [each.result() for each in done if _has_connected(each)]
            for spare in made[1:]:
                await spare.aclose()
            if made:
                return made[0]
    finally:
        for each in tries:
            each.cancel()
        await asyncio.gather(*tries, return_exceptions=True)
    return None


def _has_connected(one: "asyncio.Future[httpcore.AsyncNetworkStream]") -> bool:
    error = one.exception()
    if error and not isinstance(error, httpcore.ConnectError | httpcore.ConnectTimeout):
        raise error
    return error is None
