"""Who is signed in to the studio is the author of what is edited there."""

from collections.abc import Callable

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse

from ..releases.author import acting_as


class NameAuthors:
    """Django middleware. Reads no session: whoever notes a change asks for the name."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting_as(lambda: name_of(request.user)):
            return self._get_response(request)


def name_of(user: User | AnonymousUser) -> str:
    """As colleagues know them: the full name, else the one they sign in with."""
    return "" if user.is_anonymous else user.get_full_name() or user.get_username()
