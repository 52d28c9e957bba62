"""How often one client may ask, as a rule over counts. The windows slide, so that the limit does not start again at
each full minute."""

import math
from ipaddress import IPv6Address, ip_address
from typing import Final, NamedTuple, Protocol

WINDOW_S: Final = 60
_IPV6_PREFIX_BITS: Final = 64
"""The IPv6 network of one connection: its owner can use any address in it."""


class ClientLimits(NamedTuple):
    """Requests a minute of one client, by what is asked; 0: no limit."""

    email: int
    views: int
    leads: int
    """More are stored all the same, and flagged."""
    lead_flood: int
    """More are refused."""
    consent: int = 0
    """Choices about cookies; more are not recorded."""
    misses: int = 0
    """Replies of the content API that are not ready and have to be made."""


PUBLIC_LIMITS: Final = ClientLimits(email=10, views=60, leads=5, lead_flood=60, consent=10, misses=240)
LOCAL_LIMITS: Final = ClientLimits(email=1000, views=1000, leads=1000, lead_flood=1000, consent=1000, misses=1000)
"""One person's own machine: everything there comes from one address."""


def name_client(address: str) -> str:
    """What a client is counted by: its IPv4 address, or its network of IPv6. Empty for what is no address."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> (128 - _IPV6_PREFIX_BITS) << (128 - _IPV6_PREFIX_BITS)))
    return str(found)


class Counts(Protocol):
    """Where requests are counted, by client and window. What is older than the window before is forgotten."""

    def add(self, client: str, window: int, more: int) -> int:
        """The count afterwards. Safe for many at once where many may count at once."""
        ...

    def read(self, client: str, window: int) -> int: ...


def take_share(counts: Counts, client: str, limit: int, now: float) -> int:
    """Seconds to wait if a client is over its limit; else 0, and its request is counted. ``limit`` 0: no limit. Refused
    requests are not counted, so a client that waits as told is served.
    """
    if not limit:
        return 0
    place, into_s = divmod(now, WINDOW_S)
    window = int(place)
    count = counts.add(client, window, 1)  # counted first, so that none of many simultaneous requests is missed
    wait = wait_s(limit, counts.read(client, window - 1), count - 1, into_s)
    if wait:
        counts.add(client, window, -1)
    return wait


def wait_s(limit: int, before: int, count: int, into_s: float) -> int:
    """Seconds to wait until one more request is within ``limit``; 0 where it is now.

    ``before`` requests were made in the window before, ``count`` in this one, which is ``into_s`` old. Requests of the
    window before count by the part of it that a window ending now would still contain.
    """
    if before * (1 - into_s / WINDOW_S) + count + 1 <= limit:
        return 0
    if count + 1 <= limit:  # as soon as enough of the window before has slid out
        return math.ceil(WINDOW_S * (1 - (limit - count - 1) / before) - into_s) or 1
    return math.ceil(WINDOW_S - into_s + WINDOW_S * (1 - (limit - 1) / count)) or 1
