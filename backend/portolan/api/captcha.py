"""Create challenges of the embedded captcha for a site's forms. Not part of the content API, but with its rules.

Challenges are not stored. A signature proves their origin and validity.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone

from ..leads.captcha.open import open_altcha
from .own_pages import find_site_of_host
from .problems import METHOD_NOT_ALLOWED, UNKNOWN_HOST, UNKNOWN_ROUTE

_METHODS: Final = ("GET", "HEAD")


def make_challenge(request: HttpRequest) -> HttpResponse:
    """Return an ALTCHA v2 challenge for the site of the request's host, or 404 with another provider."""
    if request.method not in _METHODS:
        refusal = METHOD_NOT_ALLOWED.response(path=request.path, allowed=", ".join(_METHODS))
        refusal["Allow"] = ", ".join(_METHODS)
        return refusal
    if settings.SITES_REGISTRY.captcha.provider != "altcha":
        return UNKNOWN_ROUTE.response(path=request.path)
    site = find_site_of_host(request)
    if site is None:
        return UNKNOWN_HOST.response()
    response = JsonResponse(open_altcha().make_challenge(site, timezone.now()))
    response["Cache-Control"] = "no-store"
    return response
