"""Set the signed-in editor as the author of changes in the studio."""

import re
from collections.abc import Callable
from typing import Final

from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_noop

from ..releases.author import acting_as

_BY_ITSELF: Final = {
    "publisher": gettext_noop("automatically, by date or schedule"),
    "upgrade": gettext_noop("a new version of the product"),
    "build": gettext_noop("the command line"),
    "seed": gettext_noop("the demo's content"),
}
"""Authors of releases without edits by people."""
_WITH_OTHERS: Final = re.compile(r"(?P<name>.+) and (?P<count>\d+) others")
"""The text of ``releases.author.name_authors`` in a release, in English."""


class NameAuthors:
    """Django middleware. It reads the name only when a change is recorded, so most requests do not load the session."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with acting_as(lambda: name_of(request.user)):
            return self._get_response(request)


def name_of(user: User | AnonymousUser) -> str:
    """The editor's full name, else the user name."""
    return "" if user.is_anonymous else user.get_full_name() or user.get_username()


def name_person(author: str) -> str:
    """Return the author of a release in the reader's language."""
    if not is_person(author):
        return gettext(_BY_ITSELF[author])
    others = _WITH_OTHERS.fullmatch(author)
    return gettext("{name} and {count} others").format(**others.groupdict()) if others else author


def is_person(author: str) -> bool:
    return author not in _BY_ITSELF
