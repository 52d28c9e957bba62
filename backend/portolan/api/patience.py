"""How long what visitors send waits for SQLite's lock for writing: as long as for a connection to PostgreSQL. Editors' saves
and commands wait longer, because they would have to be done again; and so do counts, for which nobody waits.
"""

from collections.abc import Callable
from typing import Final

from django.db import Error, connection
from django.http import HttpRequest, HttpResponse

from ..domain.consent import CONSENT_PATH
from ..domain.content_api import INTAKE_PATH
from ..domain.plain_forms import FORM_PATH
from ..releases.postgres_limits import LONGEST_WAIT_S

_SENT_BY_VISITORS: Final = (INTAKE_PATH, FORM_PATH, CONSENT_PATH)


class WaitNotLong:
    """Django middleware. After that time a lead goes into the spool, and a choice about cookies is refused with 503."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method == "POST" and request.path in _SENT_BY_VISITORS and connection.vendor == "sqlite":
            _limit_waiting()
        return self._get_response(request)


def _limit_waiting() -> None:
    """The connection is closed at the end of the request."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {LONGEST_WAIT_S * 1000:.0f}")
    except Error:
        return  # whoever needs the database finds out, and says so
