"""Check requests that only a site's own pages may send."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest

from ..builds.hosts import host_of, name_host
from .problems import UNKNOWN_HOST, ProblemKind

_WITHHELD: Final = "null"
_SAME: Final = "same-origin"


def find_site_of_host(request: HttpRequest) -> str | None:
    """Return the site of the request's host, or None."""
    host = name_host(request.headers.get("Host", ""), request.scheme or "http")
    return next((key for key, origin in settings.SITE_ORIGINS.items() if host_of(origin) == host), None)


def find_sending_site(request: HttpRequest, cross_origin: ProblemKind) -> str:
    """Return the site whose page sends this request.

    Raise UNKNOWN_HOST if the host is not a site's, and ``cross_origin`` for other senders.
    """
    site = find_site_of_host(request)
    if site is None:
        raise UNKNOWN_HOST.because()
    origin, fetch_site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    # Browsers send the Origin of a POST, or "null" if they may send no Referer. If Sec-Fetch-Site is sent, it must match
    # too: no page can set it, and it is "cross-site" if the sender's origin is unknown.
    is_own = origin == settings.SITE_ORIGINS[site] or (origin == _WITHHELD and fetch_site is not None)
    if not is_own or fetch_site not in (None, _SAME):
        raise cross_origin.because()
    return site
