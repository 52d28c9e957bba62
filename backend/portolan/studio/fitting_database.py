"""Refuse writes if the database belongs to another version or is being upgraded."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from ..domain.content_api import INTAKE_PATH
from ..domain.plain_forms import FORM_PATH
from ..releases.connection import require_fitting_database

_READS: Final = ("GET", "HEAD", "OPTIONS")
_LEADS: Final = (INTAKE_PATH, FORM_PATH)
"""These paths handle it themselves: leads wait in the local queue."""


class RefuseWrongDatabase:
    """Django middleware. ``without_database`` shows its errors."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in _READS and request.path not in _LEADS:
            require_fitting_database(settings.UPGRADE_LOCK)
        return self._get_response(request)
