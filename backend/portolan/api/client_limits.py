"""Count a client's requests to an operation in the cache. Addresses are only stored as keyed hashes."""

import time
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from ..domain.client_limits import BOUNDS, MINUTE, WINDOW_S, Bound, name_client, name_network, take_share
from ..leads.body import LARGEST_BODY
from ..observing.event import Event
from .problems import TOO_MANY_REQUESTS, ApiProblem

LIMIT_HIT: Final[Event[[str]]] = Event()
"""Sent when a client reaches a limit, with the operation."""
_MOST_DIGITS: Final = 19
"""Digits of a length that are read. More digits cannot make it smaller."""
_HEAVY: Final = 5 << 20
_PERIODS: Final = {WINDOW_S: "a minute", 3_600: "an hour", 86_400: "a day"}
_SALT: Final = "portolan.api.client_limits"


def client_of(request: HttpRequest) -> str:
    """Return the client of a request. The edge forwards the client's own address, also behind a proxy."""
    return name_client(request.META.get("REMOTE_ADDR", ""))


def require_share(request: HttpRequest, name: str, amount: int = 1) -> None:
    """Raise ``too-many-requests`` if the client is over the limit ``name`` of ``ClientLimits``."""
    bound, wait = _count(request, name, amount)
    if wait:
        who = "The network of this client" if bound.is_of_network else "This client"
        most = getattr(settings.CLIENT_LIMITS, name) * bound.times
        kind = TOO_MANY_REQUESTS
        detail = kind.detail.format(who=who, most=most, period=_PERIODS[bound.window_s], wait=wait)
        raise ApiProblem(kind.status, kind.code, detail, retry_after_s=wait)


def count_request(request: HttpRequest, name: str) -> int:
    """Count the request. Return the seconds to wait, or 0.

    A client waits if it or its network is over the limit ``name`` of ``ClientLimits``.
    """
    return _count(request, name, 1)[1]


def _count(request: HttpRequest, name: str, amount: int) -> tuple[Bound, int]:
    """Return the exceeded bound and the seconds to wait; 0 within all bounds."""
    limit: int = getattr(settings.CLIENT_LIMITS, name)
    address = request.META.get("REMOTE_ADDR", "")
    now = time.time()
    for bound in BOUNDS.get(name, (MINUTE,)):
        counted = name_network(address) if bound.is_of_network else name_client(address)
        hashed = salted_hmac(_SALT, counted, algorithm="sha256").hexdigest()[:32]
        counts = CacheCounts(f"{name}:{'network' if bound.is_of_network else 'client'}", bound.window_s)
        if wait := take_share(counts, hashed, limit * bound.times, now, bound.window_s, amount):
            LIMIT_HIT(name)
            return bound, wait
    return MINUTE, 0


def content_length(request: HttpRequest) -> int:
    """Return the declared length of the body, or 0."""
    declared = request.headers.get("Content-Length", "")
    return int(declared[:_MOST_DIGITS]) if declared.isdecimal() else 0


def weigh_body(request: HttpRequest) -> int:
    """Return the number of requests that a body counts as: one more for each 5 MiB.

    A body without a declared length counts as the largest.
    """
    is_declared = "Content-Length" in request.headers or "Transfer-Encoding" not in request.headers
    return 1 + min(content_length(request) if is_declared else LARGEST_BODY, LARGEST_BODY) // _HEAVY


class CacheCounts:
    """Counts of one limit in Django's cache, which processes may share."""

    def __init__(self, name: str, window_s: int = WINDOW_S) -> None:
        self._name = name
        self._window_s = window_s

    def add(self, client: str, window: int, more: int) -> int:
        key = self._key(client, window)
        cache.add(key, 0, 2 * self._window_s)
        try:
            return cache.incr(key, more)
        except ValueError:  # the cache has dropped the key meanwhile
            return max(more, 0)

    def read(self, client: str, window: int) -> int:
        count: int = cache.get(self._key(client, window), 0)
        return count

    def _key(self, client: str, window: int) -> str:
        return f"limit:{self._name}:{self._window_s}:{window}:{client}"
