"""Connections to the public internet alone: a host's address is checked, and that very address is connected to."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

import httpcore

from ..domain.public_addresses import is_public_address

CONNECT_S: Final = 2

Resolve = Callable[[str], Awaitable[list[str]]]


class FetchError(Exception):
    """What was asked for cannot be had. The message is for the operator's log."""


class RefusedError(FetchError):
    """It breaks a rule: where its host stands, what it is, how large it is or how long it takes."""


async def resolve_host(host: str) -> list[str]:
    """All addresses of a host, IPv4 and IPv6."""
    found = await asyncio.get_running_loop().getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class PublicNetwork(httpcore.AsyncNetworkBackend):
    """Connects to the very address that was checked: a name is resolved once, so that a second answer changes nothing."""

    def __init__(
        self,
        resolve: Resolve = resolve_host,
        is_allowed: Callable[[str], bool] = is_public_address,
        port: int | None = None,
    ) -> None:
        """The parameters are for tests, whose hosts stand on the loopback; ``port`` in place of any other."""
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
        async with asyncio.timeout(CONNECT_S):
            try:
                addresses = await self._resolve(host)
            except (OSError, UnicodeError) as error:
                raise FetchError(f"{host} has no address ({error}).") from error
            # One private address among them is enough: a name that answers so is not to be trusted with the others.
            refused = [address for address in addresses if not self._is_allowed(address)]
            if refused or not addresses:
                raise RefusedError(f"{host} resolves to {refused or 'nothing'}, which is not the public internet.")
            for address in addresses:
                try:
                    return await self._connect(address, self._port or port, timeout, local_address, socket_options)
                except (httpcore.ConnectError, httpcore.ConnectTimeout):
                    continue
        raise FetchError(f"{host} takes no connection at {', '.join(addresses)}.")
