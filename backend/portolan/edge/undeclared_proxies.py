"""Notices that requests are passed on by a proxy which the settings do not name. All its visitors then count as one client: they
share its limits, and are refused together.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address
from typing import Final

from starlette.types import Scope

from .clients import Clients

_WINDOW: Final = 100
"""Requests among which those of a public address have to be the most: anybody can write the header once."""
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
        """Whether one has passed something on within the last minutes."""
        return self._clock() < self._found_at + _KNOWN_S

    def note(self, scope: Scope, *, is_forwarded: bool) -> None:
        """Count a request. ``is_forwarded``: a header says that it was passed on."""
        self._requests += 1
        client = scope.get("client")
        if is_forwarded and client and not self._clients.is_behind_proxy(scope):
            address = str(client[0])
            self._forwarded[address] += 1
            if _is_inside(address):  # no visitor comes from there
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
                "Requests are passed on by %s, which PORTOLAN_TRUSTED_PROXIES does not name: all its visitors count as one "
                "client, and are refused together. Name there the addresses of what stands in front.",
                address,
            )
            self._found_at = self._clock()


def _is_inside(address: str) -> bool:
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    return not (getattr(found, "ipv4_mapped", None) or found).is_global
