"""CORS: the origins whose pages may use the API, always without credentials.

Public reads allow any page by ``*``, so that one cached reply fits every origin. Writes, and replies about a person, are
only for our own sites: these replies name the origin and add it to ``Vary``.
"""

from collections.abc import Iterable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from ..domain.content_api import INTEGRATION_PREFIX

REQUEST_HEADERS: Final = (
    "Accept-Language",
    "Api-Version",
    "Content-Type",
    "Country-Code",
    "Cross-Origin-Resource-Policy",
    "Email-Validation",
    "Idempotency-Key",
    "If-None-Match",
    "Integration",
    "Page-Key",
)
"""Request headers of the specification for which a browser sends a preflight."""
EXPOSED_HEADERS: Final = ("Api-Version", "Content-Language", "ETag", "Retry-After")
_REMEMBERED_S: Final = 7200


class Cors:
    """``origins``: of our sites in this environment."""

    def __init__(self, origins: Iterable[str]) -> None:
        self._origins = frozenset(origins)

    def answer_preflight(self, request: HttpRequest, allowed: str) -> HttpResponse:
        """Return the reply to a browser's preflight (WHATWG Fetch)."""
        response = HttpResponse(status=204)
        del response["Content-Type"]
        response["Allow"] = allowed
        response["Cache-Control"] = "no-store"
        if "Access-Control-Request-Method" in request.headers:
            response["Access-Control-Allow-Methods"] = allowed
            response["Access-Control-Allow-Headers"] = ", ".join(REQUEST_HEADERS)
            response["Access-Control-Max-Age"] = str(_REMEMBERED_S)
        return response

    def add_headers(self, request: HttpRequest, response: HttpResponse) -> None:
        """Add the headers without which browsers hide a reply from the page. Errors need them too."""
        response["Access-Control-Expose-Headers"] = ", ".join(EXPOSED_HEADERS)
        if not request.path.startswith(INTEGRATION_PREFIX):
            response["Access-Control-Allow-Origin"] = "*"
            return
        patch_vary_headers(response, ("Origin",))
        origin = request.headers.get("Origin", "")
        if origin in self._origins:
            response["Access-Control-Allow-Origin"] = origin
