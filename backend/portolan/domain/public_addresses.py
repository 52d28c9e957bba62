"""Decide which network addresses are public. We connect to no others on behalf of a visitor."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

_NOT_PUBLIC: Final = tuple(
    ip_network(network)
    for network in (
        "64:ff9b::/96",  # NAT64: any IPv4 address, including private ones
        "64:ff9b:1::/48",  # NAT64 of the local network
        "2002::/16",  # 6to4: the same
        "2001::/32",  # Teredo: the same
        "::/96",  # IPv4-compatible: the same
        "fec0::/10",  # site-local, which became private networks
        "192.88.99.0/24",  # 6to4 relays
        "192.0.0.0/24",  # IETF protocol assignments
    )
)
"""Networks that reach private addresses although ``is_global`` accepts them in some versions of Python."""


def is_public_address(text: str) -> bool:
    """Return whether this is an address of the public internet. Pass the resolved address, never a host name.

    >>> is_public_address("93.184.215.14"), is_public_address("10.0.0.1"), is_public_address("::ffff:127.0.0.1")
    (True, False, False)
    """
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    if not address.is_global or address.is_multicast or address.is_reserved:
        return False
    return not any(address in network for network in _NOT_PUBLIC)
