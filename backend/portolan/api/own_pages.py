"""Requests that only a site's own pages have any business to send."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest

from .problems import UNKNOWN_HOST, ProblemKind


def find_sending_site(request: HttpRequest, cross_origin: ProblemKind) -> str:
    """The site whose own page sends this. Raises UNKNOWN_HOST's problem for nobody's host, and ``cross_origin``'s for
    anybody else."""
    host = request.headers.get("Host", "")
    found = next(
        ((key, origin) for key, origin in settings.SITE_ORIGINS.items() if urlsplit(origin).netloc == host), None
    )
    if found is None:
        raise UNKNOWN_HOST.because()
    site, own_origin = found
    origin, fetch_site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    # Every browser names the origin of a POST; where it says besides how the two relate, that must fit too.
    if origin != own_origin or fetch_site not in (None, "same-origin"):
        raise cross_origin.because()
    return site
