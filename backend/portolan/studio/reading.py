"""Django middleware: caches repeated reads within a request that changes nothing (``content.once``)."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

from ..content.once import read_once

_CHANGE_NOTHING: Final = ("GET", "HEAD")


class ReadOnce:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in _CHANGE_NOTHING:
            return self._get_response(request)
        with read_once():
            return self._get_response(request)
