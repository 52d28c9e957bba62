"""Detect a proxy that PORTOLAN_TRUSTED_PROXIES does not name. All its visitors count as one client and share its limits."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from starlette.types import Scope

from .clients import Clients

_WINDOW: Final = 100
"""Number of requests of which most must come from one public address, because any client can send the header once."""
_KNOWN_S: Final = 600

_log = logging.getLogger(__name__)


class UndeclaredProxies:
    def __init__(self, clients: Clients, clock: Callable[[], float] = time.monotonic) -> None:
        self._clients = clients
        self._clock = clock
        self._requests = 0
        self._forwarded: Counter[str] = Counter()
        self._found_at = float("-inf")

    def is_found(self) -> bool:
        """Return whether such a proxy has forwarded a request within the last minutes."""
        return self._clock() < self._found_at + _KNOWN_S

    def note(self, scope: Scope, *, is_forwarded: bool) -> None:
        """Count a request. ``is_forwarded``: a header says that it was forwarded."""
        self._requests += 1
        client = scope.get("client")
        if is_forwarded and client and not self._clients.is_behind_proxy(scope):
            address = str(client[0])
            self._forwarded[address] += 1
            if _is_inside(address):  # visitors never have such an address
                self._find(address)
        if self._requests >= _WINDOW:
            for address, count in self._forwarded.most_common(1):
                if count * 2 > self._requests:
                    self._find(address)
            self._requests = 0
            self._forwarded.clear()

    def _find(self, address: str) -> None:
        if not self.is_found():
            _log.error(
                "%s forwards requests, but is missing in PORTOLAN_TRUSTED_PROXIES: all its visitors count as one "
                "client, and share its limits. Add the proxy's addresses to it.",
                address,
            )
            self._found_at = self._clock()


def _is_inside(address: str) -> bool:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return not (getattr(found, "ipv4_mapped", None) or found).is_global
