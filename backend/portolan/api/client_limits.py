"""Counts what one client asks of one operation, in the cache. Addresses are kept as keyed hashes alone."""

import time
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from ..domain.client_limits import WINDOW_S, name_client, take_share
from ..observing.event import Event
from .problems import TOO_MANY_REQUESTS, ApiProblem

LIMIT_HIT: Final[Event[[str]]] = Event()
"""A client has asked too much: of which operation."""
_SALT: Final = "portolan.api.client_limits"


def client_of(request: HttpRequest) -> str:
    """The client that a request is counted for. The edge passes on the client's own address, also from behind a
    proxy."""
    return name_client(request.META.get("REMOTE_ADDR", ""))


def require_share(request: HttpRequest, name: str) -> None:
    """Raises the problem ``too-many-requests`` if the client is over the limit ``name`` of ``ClientLimits``."""
    wait = count_request(request, name)
    if wait:
        most = getattr(settings.CLIENT_LIMITS, name)
        kind = TOO_MANY_REQUESTS
        raise ApiProblem(kind.status, kind.code, kind.detail.format(most=most, wait=wait), retry_after_s=wait)


def count_request(request: HttpRequest, name: str) -> int:
    """Counts the request and returns 0; if the client is over the limit ``name`` of ``ClientLimits``, returns the
    seconds to wait."""
    limit: int = getattr(settings.CLIENT_LIMITS, name)
    if not limit:
        return 0
    client = salted_hmac(_SALT, client_of(request), algorithm="sha256").hexdigest()[:32]
    wait = take_share(CacheCounts(name), client, limit, time.time())
    if wait:
        LIMIT_HIT(name)
    return wait


class CacheCounts:
    """Counts of one limit in Django's cache, which several processes may share."""

    def __init__(self, name: str) -> None:
        self._name = name

    def add(self, client: str, window: int, more: int) -> int:
        key = self._key(client, window)
        cache.add(key, 0, 2 * WINDOW_S)
        try:
            return cache.incr(key, more)
        except ValueError:  # the cache has dropped it meanwhile
            return max(more, 0)

    def read(self, client: str, window: int) -> int:
        count: int = cache.get(self._key(client, window), 0)
        return count

    def _key(self, client: str, window: int) -> str:
        return f"limit:{self._name}:{window}:{client}"
