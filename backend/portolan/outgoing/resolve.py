"""Resolve a host by the system's look-up without blocking."""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from threading import BoundedSemaphore, Thread
from typing import Final

MOST_AT_ONCE: Final = 32
"""Most concurrent names. Without a name server, the system waits half a minute for each."""

_asking = BoundedSemaphore(MOST_AT_ONCE)


async def resolve_host(host: str) -> list[str]:
    """Return all addresses of a host, IPv4 and IPv6. Raise OSError or UnicodeError.

    The system's look-up cannot be stopped. Other threads of the loop and the process's end do not wait for it.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()
    if not _asking.acquire(blocking=False):
        raise OSError(f"{MOST_AT_ONCE} names are being resolved, and no name server responds")

    def settle(answer: list[str] | Exception) -> None:
        if found.done():
            return
        if isinstance(answer, Exception):
            found.set_exception(answer)
        else:
            found.set_result(answer)

    def ask() -> None:
        try:
            answer: list[str] | Exception = look_up(host)
        except Exception as error:
            answer = error
        finally:
            _asking.release()
        with suppress(RuntimeError):  # the loop is closed, so the result is not needed
            loop.call_soon_threadsafe(settle, answer)

    Thread(target=ask, name=f"resolve-{host}", daemon=True).start()
    return await found


def look_up(host: str) -> list[str]:
    found = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def alternate_families(addresses: Sequence[str]) -> list[str]:
    """Return the addresses with IPv4 and IPv6 in turns, because a network may lack one of them.

    >>> alternate_families(["2001:db8::1", "2001:db8::2", "192.0.2.1"])
    ['2001:db8::1', '192.0.2.1', '2001:db8::2']
    """
    is_six = ":" in addresses[0]
    pairs = zip_longest(
        (each for each in addresses if (":" in each) == is_six), (each for each in addresses if (":" in each) != is_six)
    )
    return [each for each in chain.from_iterable(pairs) if each]
