"""Check quickly whether a cluster is reachable; Ray itself tries for minutes."""

import socket
from typing import Final
from urllib.parse import urlsplit

_WITHIN_S: Final = 3


def is_reachable(address: str) -> bool:
    """Return True if the cluster is reachable.

    ``address``: ``host:port`` or ``ray://host:port``.
    """
    parts = urlsplit(address if "//" in address else f"//{address}")
    try:
        with socket.create_connection((parts.hostname or "", parts.port or 0), _WITHIN_S):
            return True
    except OSError:
        return False
