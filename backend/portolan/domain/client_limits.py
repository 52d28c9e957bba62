"""Limit the requests of each client. The windows slide, so that a limit does not start again at each full minute."""

import math
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final, NamedTuple, Protocol

WINDOW_S: Final = 60
_IPV6_PREFIX_BITS: Final = 64
"""The IPv6 network of one connection: its owner can use any address in it."""
_NETWORK_BITS: Final = (24, 48)
"""Prefix lengths of IPv4 and IPv6: the smallest networks that providers route, so the smallest of one owner."""


class ClientLimits(NamedTuple):
    """Requests per minute of one client, by kind; 0: no limit."""

    email: int
    views: int
    leads: int
    """Further leads are stored in quarantine."""
    lead_flood: int
    """Further leads are refused. A form of more than 5 MiB counts once more for each 5 MiB."""
    consent: int = 0
    """Cookie choices; further ones are not recorded."""
    misses: int = 0
    """Replies of the content API that are not cached and must be built."""


PUBLIC_LIMITS: Final = ClientLimits(email=10, views=60, leads=5, lead_flood=60, consent=10, misses=240)
LOCAL_LIMITS: Final = ClientLimits(email=1000, views=1000, leads=1000, lead_flood=1000, consent=1000, misses=1000)
"""For one person's own machine, where all requests come from one address."""


class Bound(NamedTuple):
    """The part of a limit that may be used in a window."""

    window_s: int
    times: int
    """Factor on the limit of a minute."""
    is_of_network: bool = False
    """True if all clients of one network share the bound."""


MINUTE: Final = Bound(WINDOW_S, 1)
LASTING: Final = tuple(
    Bound(window_s, times * together, is_of_network)
    for window_s, times in ((WINDOW_S, 1), (3_600, 6), (86_400, 20))
    for together, is_of_network in ((1, False), (4, True))
)
"""Bounds for requests that cost people time or space. The narrowest come first, so that a client over its own limit
uses nothing of its network's."""
DAILY: Final = (MINUTE, Bound(86_400, 100), Bound(86_400, 400, True))
"""Bounds for records that a whole network of visitors behind one address may cause."""
BOUNDS: Final[Mapping[str, tuple[Bound, ...]]] = {"leads": LASTING, "lead_flood": LASTING, "consent": DAILY}
"""Bounds by limit; all other limits apply to a minute."""


def name_client(address: str) -> str:
    """Return the name to count a client by: its IPv4 address or its IPv6 network. Empty if `address` is not an address."""
    return _name(address, 32, _IPV6_PREFIX_BITS)


def name_network(address: str) -> str:
    """Return the network of a client, whose owner may have many addresses. Empty if `address` is not an address."""
    return _name(address, *_NETWORK_BITS)


def _name(address: str, bits_of_ipv4: int, bits_of_ipv6: int) -> str:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    found = (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
    bits = bits_of_ipv6 if found.version == 6 else bits_of_ipv4
    return str(ip_network(f"{found}/{bits}", strict=False).network_address)


class Counts(Protocol):
    """Store counts of requests by client and window. Counts older than the previous window may be dropped."""

    def add(self, client: str, window: int, more: int) -> int:
        """Return the count afterwards. Safe to call from several threads."""
        ...

    def read(self, client: str, window: int) -> int: ...


def take_share(counts: Counts, client: str, limit: int, now: float, window_s: int = WINDOW_S, amount: int = 1) -> int:
    """Return the seconds to wait if a client is over its limit; else 0, and count its request as ``amount``.

    ``limit`` 0: no limit. Refused requests are not counted, so a client that waits as told is served.
    """
    if not limit:
        return 0
    amount = min(amount, limit)
    place, into_s = divmod(now, window_s)
    window = int(place)
    count = counts.add(client, window, amount)  # counted first, so that no simultaneous request is missed
    wait = wait_s(limit, counts.read(client, window - 1), count - amount, into_s, window_s, amount)
    if wait:
        counts.add(client, window, -amount)
    return wait


def wait_s(limit: int, before: int, count: int, into_s: float, window_s: int = WINDOW_S, amount: int = 1) -> int:
    """Return the seconds to wait until ``amount`` more is within ``limit``; 0 if it is now.

    ``before`` was counted in the previous window, ``count`` in this one, which is ``into_s`` old. The previous window
    counts by the part of it that a window ending now would still contain.
    """
    if before * (1 - into_s / window_s) + count + amount <= limit:
        return 0
    if count + amount <= limit:  # as soon as enough of the previous window has passed
        return math.ceil(window_s * (1 - (limit - count - amount) / before) - into_s) or 1
    return math.ceil(window_s - into_s + window_s * (1 - (limit - amount) / count)) or 1
