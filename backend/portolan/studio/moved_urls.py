"""Redirects from screens' former URLs, because bookmarks and e-mails link to them."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse

_MOVED: Final[tuple[tuple[str, str, dict[str, str]], ...]] = (
    ("releases/life/", "studio_version_history", {}),
    ("releases/life/<int:number>/enter-again/", "studio_restore_version", {}),
    ("releases/<int:number>/take-back/", "studio_revert", {}),
    ("changes/<int:id>/take-back/", "studio_change_set_revert", {}),
    ("help/first-screen/", "studio_handbook_page", {"slug": "dashboard"}),
)
"""Each former URL, with the name and fixed arguments of the screen's URL."""


def follow_moved(request: HttpRequest, to: str, fixed: dict[str, Any], **given: Any) -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    url = reverse(to, kwargs={**fixed, **given})
    return redirect(f"{url}?{query}" if query else url, permanent=True, preserve_request=True)


URLS: Final[list[URLPattern]] = [path(old, follow_moved, {"to": to, "fixed": fixed}) for old, to, fixed in _MOVED]
