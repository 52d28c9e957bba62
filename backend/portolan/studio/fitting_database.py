"""What is sent to a studio or an API of one version while the database is of another, or is being upgraded, is refused
before anything of it is written.
"""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from ..domain.content_api import INTAKE_PATH
from ..domain.plain_forms import FORM_PATH
from ..releases.connection import require_fitting_database

_READS: Final = ("GET", "HEAD", "OPTIONS")
_LEADS: Final = (INTAKE_PATH, FORM_PATH)
"""They see to it themselves: leads wait in the spool."""


class RefuseWrongDatabase:
    """Django middleware. What it raises, ``without_database`` shows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in _READS and request.path not in _LEADS:
            require_fitting_database(settings.UPGRADE_LOCK)
        return self._get_response(request)
