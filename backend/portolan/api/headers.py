"""What every API reply has in common: version, language, caching. Nothing below looks at these headers itself."""

import hashlib
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from ..domain.languages import choose_site_by_language
from .problems import CONTENT_TYPE, problem_of_status, problem_response

PREFIX: Final = "/api/"
API_VERSION: Final = "v5"
FALLBACK_SITE: Final = "ae"
"""The specification's own default for ``Accept-Language``."""
_REVALIDATE: Final = "public, max-age=0, must-revalidate"


class ApiHeaders:
    """Django middleware around everything under ``/api/``; other paths pass untouched.

    Sets ``request.site_key``, so that an operation knows whose content to read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        registry = settings.SITES_REGISTRY
        self._languages = {key: site.language for key, site in registry.sites.items()}
        self._hosts = {urlsplit(origin).netloc: key for key, origin in settings.SITE_ORIGINS.items()}
        self._fallback = FALLBACK_SITE if FALLBACK_SITE in registry.sites else registry.default_site.key

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return self._get_response(request)
        is_head = request.method == "HEAD"
        site = self._choose_site(request)
        request.site_key = site  # type: ignore[attr-defined]
        response = self._answer(request)
        if response.status_code >= 400 and response.get("Content-Type") != CONTENT_TYPE:
            response = problem_of_status(request, response)
        response["Api-Version"] = API_VERSION
        response["Content-Language"] = self._languages[site]
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
        patch_vary_headers(response, ("Accept-Language", "Api-Version"))
        response = _with_validators(request, response)
        if is_head:
            response.content = b""  # its length stays said
        return response

    def _choose_site(self, request: HttpRequest) -> str:
        chosen = choose_site_by_language(request.headers.get("Accept-Language", ""), self._languages)
        return chosen or self._hosts.get(request.headers.get("Host", "")) or self._fallback

    def _answer(self, request: HttpRequest) -> HttpResponse:
        version = request.headers.get("Api-Version", API_VERSION)
        if version != API_VERSION:
            return problem_response(
                400,
                "unsupported-version",
                f"There is no version {version!r}: send Api-Version: {API_VERSION} or nothing.",
            )
        if request.method == "HEAD":
            request.method = "GET"  # answered alike, but for the body
        return self._get_response(request)


def _with_validators(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """ETag and Cache-Control on what was read, and 304 where the caller has it already."""
    if request.method != "GET" or response.status_code != 200 or response.streaming:
        return response
    tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = tag
    response.setdefault("Cache-Control", _REVALIDATE)
    if _knows(request.headers.get("If-None-Match", ""), tag):
        unchanged = HttpResponse(status=304)
        for name in (
            "ETag",
            "Cache-Control",
            "Vary",
            "Content-Language",
            "Api-Version",
            "Cross-Origin-Resource-Policy",
        ):
            unchanged[name] = response[name]
        del unchanged["Content-Type"]
        return unchanged
    return response


def _knows(condition: str, tag: str) -> bool:
    known = [part.strip().removeprefix("W/") for part in condition.split(",")]
    return "*" in known or tag in known
