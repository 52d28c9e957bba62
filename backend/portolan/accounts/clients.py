"""Identify clients for counting and displaying sign-ins. The edge sets the client's IP address in the request."""

from typing import Final

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from ..domain.client_limits import name_client
from ..observing.access_log import shorten

_SALT: Final = "portolan.accounts.client"


def key_of_client(request: HttpRequest) -> str:
    address = request.META.get("REMOTE_ADDR") or ""
    return salted_hmac(_SALT, name_client(address), algorithm="sha256").hexdigest()[:32]


def network_of(request: HttpRequest) -> str:
    """Return the client's network, shortened as in the access log."""
    return shorten(request.META.get("REMOTE_ADDR") or "")
