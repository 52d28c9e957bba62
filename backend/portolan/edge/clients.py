"""The client's address and protocol: of the connection, or from a trusted proxy."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.types import Scope

_HEADER = b"x-forwarded-for"
_SCHEME_HEADER = b"x-forwarded-proto"
_SCHEMES = {b"http": "http", b"https": "https"}
_MOST_HOPS = 20
"""Most proxies of ours per request. Earlier addresses are not read, because a client can write any number of them."""


class Clients:
    """Find clients' addresses. ``proxies``: addresses or networks whose ``X-Forwarded-For`` is trusted."""

    def __init__(self, proxies: Iterable[str] = ()) -> None:
        self._proxies: list[IPv4Network | IPv6Network] = [ip_network(proxy, strict=False) for proxy in proxies]
        self._is_trusted = lru_cache(maxsize=4096)(self._look_up)

    def address(self, scope: Scope) -> str:
        """Return the nearest address that is not one of our proxies. Clients can invent the addresses before it."""
        client = scope.get("client")
        nearest = str(client[0]) if client else ""
        if not self._proxies or not self._is_trusted(nearest):
            return nearest
        hops = b",".join(value for name, value in scope["headers"] if name == _HEADER).rsplit(b",", _MOST_HOPS)
        for hop in (hop.strip().decode("latin-1") for hop in reversed(hops[-_MOST_HOPS:])):
            if not _is_address(hop):
                break
            nearest = hop
            if not self._is_trusted(hop):
                break
        return nearest

    def is_behind_proxy(self, scope: Scope) -> bool:
        """Return whether a trusted proxy sent the request, so that its other headers are trusted too."""
        client = scope.get("client")
        return bool(self._proxies and client and self._is_trusted(str(client[0])))

    def scheme(self, scope: Scope) -> str:
        """Return the client's protocol. TLS may end at one of our proxies."""
        if self.is_behind_proxy(scope):
            for name, value in scope["headers"]:
                if name == _SCHEME_HEADER:
                    return _SCHEMES.get(value.strip().lower(), str(scope["scheme"]))
        return str(scope["scheme"])

    def _look_up(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
