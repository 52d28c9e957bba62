"""Read the setting for a name server."""

from ipaddress import ip_address
from typing import Final, NamedTuple

DNS_PORT: Final = 53


class NameServer(NamedTuple):
    address: str
    port: int


def read_name_server(text: str) -> NameServer:
    """Read ``192.0.2.1``, ``192.0.2.1:5353``, ``2001:db8::1`` or ``[2001:db8::1]:5353``. Raise ValueError."""
    address, colon, port = text.rpartition(":")
    if not colon or (":" in address and not address.endswith("]")):  # without a port
        address, port = text, str(DNS_PORT)
    address = address.removeprefix("[").removesuffix("]")
    ip_address(address)
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{text!r} does not end in a port between 1 and 65535")
    return NameServer(address, int(port))
