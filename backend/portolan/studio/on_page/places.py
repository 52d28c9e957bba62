"""Exchange the positions of editors in a page's form, by the ping of Wagtail's editing sessions."""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.datastructures import MultiValueDict
from wagtail.admin.views import editing_sessions

from ..models import EditingPlace

FIELD: Final = "at"
_PLACE: Final = re.compile(r"[\w-]{1,64}")
"""A field's name or a block's ID."""

_Ping = Callable[..., HttpResponse]


def connect() -> None:
    """Patch the ping. Call it before Wagtail's URLs are loaded, which import the view."""
    if not hasattr(editing_sessions.ping, "says_places"):
        editing_sessions.ping = _with_places(editing_sessions.ping)


def _with_places(ping: _Ping) -> _Ping:
    @wraps(ping)
    def answer(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        answered = ping(request, *args, **named)
        if answered.status_code != 200:
            return answered
        said = json.loads(answered.content)
        _note(said["session_id"], request.POST)
        others = said["other_sessions"]
        places = dict(
            EditingPlace.objects.filter(session__in=[other["session_id"] for other in others]).values_list(
                "session", "at"
            )
        )
        for other in others:
            other["at"] = places.get(other["session_id"])
        return JsonResponse(said)

    answer.says_places = True  # type: ignore[attr-defined]
    return answer


def _note(session: int, sent: "MultiValueDict[str, str]") -> None:
    at = sent.get(FIELD)
    if at is None or not _PLACE.fullmatch(at):
        return
    known = EditingPlace.objects.filter(session=session)
    if not known.filter(at=at).exists():
        EditingPlace.objects.update_or_create(session_id=session, defaults={"at": at})
