"""Name servers as a setting names them."""

from ipaddress import ip_address
from typing import Final, NamedTuple

DNS_PORT: Final = 53


class NameServer(NamedTuple):
    address: str
    port: int


def read_name_server(text: str) -> NameServer:
    """``192.0.2.1``, ``192.0.2.1:5353``, ``2001:db8::1`` or ``[2001:db8::1]:5353``. Raises ValueError for anything else."""
    address, colon, port = text.rpartition(":")
    if not colon or (":" in address and not address.endswith("]")):  # no port: all of it is the address
        address, port = text, str(DNS_PORT)
    address = address.removeprefix("[").removesuffix("]")
    ip_address(address)
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{text!r} names no port between 1 and 65535")
    return NameServer(address, int(port))
