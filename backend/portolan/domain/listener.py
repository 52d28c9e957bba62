"""Read the setting for the address on which a process serves its metrics."""

from ipaddress import ip_address
from typing import NamedTuple


class Listener(NamedTuple):
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return ip_address(self.host).is_loopback


def read_listener(text: str) -> Listener:
    """Read ``127.0.0.1:9464`` or ``[::1]:9464``. Raise ValueError."""
    host, _, port = text.rpartition(":")
    try:
        found = Listener(str(ip_address(host.strip("[]"))), int(port))
    except ValueError:
        raise ValueError("write an address and a port, such as 127.0.0.1:9464") from None
    if not 0 < found.port < 65536:
        raise ValueError("a port is a number from 1 to 65535")
    return found
