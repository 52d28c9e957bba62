"""Counts what one client asks of one operation, in the cache. Addresses are kept as keyed hashes alone."""

import time
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from ..domain.client_limits import WINDOW_S, name_client, wait_s
from .problems import TOO_MANY_REQUESTS, ApiProblem

_SALT: Final = "portolan.api.client_limits"


def client_of(request: HttpRequest) -> str:
    """Whom a request is counted by: the edge passes the client's own address on, also from behind a proxy."""
    return name_client(request.META.get("REMOTE_ADDR", ""))


def require_share(request: HttpRequest, name: str) -> None:
    """Raises the problem ``too-many-requests`` where the client is over the limit ``name`` of ``ClientLimits``."""
    wait = count_request(request, name)
    if wait:
        most = getattr(settings.CLIENT_LIMITS, name)
        kind = TOO_MANY_REQUESTS
        raise ApiProblem(kind.status, kind.code, kind.detail.format(most=most, wait=wait), retry_after_s=wait)


def count_request(request: HttpRequest, name: str) -> int:
    """Seconds to wait where the client is over the limit ``name`` of ``ClientLimits``; else 0, and it is counted.

    What is refused is not counted: who waits as told is let in.
    """
    limit: int = getattr(settings.CLIENT_LIMITS, name)
    if not limit:
        return 0
    window, into_s = divmod(time.time(), WINDOW_S)
    client = salted_hmac(_SALT, client_of(request), algorithm="sha256").hexdigest()[:32]
    key, key_before = (f"limit:{name}:{int(number)}:{client}" for number in (window, window - 1))
    cache.add(key, 0, 2 * WINDOW_S)
    try:
        count = cache.incr(key)  # first, so that of many at once none is overlooked
    except ValueError:  # thrown out of the cache meanwhile
        return 0
    wait = wait_s(limit, cache.get(key_before, 0), count - 1, into_s)
    if wait:
        cache.incr(key, -1)
    return wait
