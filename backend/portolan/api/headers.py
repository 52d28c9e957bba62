"""Set the headers of every API reply: version, language, ``Vary``, caching."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from ..builds.hosts import build_hosts, name_host
from ..domain.content_api import API_PREFIX, API_VERSION, CONTENT_HEADER, LARGEST_HEADERS, READS, SITE_IN_SCOPE
from ..domain.languages import SiteLanguages
from .cors import Cors
from .problems import CONTENT_TYPE, HEADERS_TOO_LARGE, UNSUPPORTED_VERSION, problem_of_status

_REVALIDATE: Final = "public, max-age=0, must-revalidate"
_COMMON_VARY: Final = ("Accept-Language", "Api-Version")
_VARY: Final[Mapping[str, tuple[str, ...]]] = {
    f"{API_PREFIX[1:]}{read.path.replace('{', '<').replace('}', '>')}": read.headers for read in READS
}
"""Request headers on which a route depends, by Django's name of the route."""


class ApiHeaders:
    """Django middleware for ``/api/``. Sets ``request.site_key``, the site whose content an operation reads."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        registry = settings.SITES_REGISTRY
        self._languages = {key: site.language for key, site in registry.sites.items()}
        self._sites = SiteLanguages(self._languages)
        self._hosts = build_hosts(registry, settings.ENVIRONMENT, settings.PORT).hosts
        self._cors = Cors(settings.SITE_ORIGINS.values())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(API_PREFIX):
            return self._get_response(request)
        is_head = request.method == "HEAD"
        site = self._choose_site(request)
        request.site_key = site  # type: ignore[attr-defined]
        response = self._answer(request)
        if response.status_code == 405:
            response["Allow"] = allowed = _allowed(response["Allow"])
            if request.method == "OPTIONS":
                response = self._cors.answer_preflight(request, allowed)
        if response.status_code >= 400 and response.get("Content-Type") != CONTENT_TYPE:
            response = problem_of_status(request, response)
        response["Api-Version"] = API_VERSION
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
        if not response.has_header("Content-Language"):  # replies that are equal for all sites set their own language
            response["Content-Language"] = self._languages[site]
            patch_vary_headers(response, ("Accept-Language",))
        patch_vary_headers(response, ("Api-Version", *_route_vary(request)))
        self._cors.add_headers(request, response)
        response = _with_validators(request, response)
        if mark := getattr(request, "content_mark", None):
            response[CONTENT_HEADER] = mark
        if is_head:
            response.content = b""  # the Content-Length stays
        return response

    def _choose_site(self, request: HttpRequest) -> str:
        """Return the site that the edge has chosen and used for its cache. Without an edge, choose by the same rule."""
        chosen: str | None = getattr(request, "scope", {}).get(SITE_IN_SCOPE)
        if chosen in self._languages:
            return chosen
        host = name_host(request.headers.get("Host", ""), request.scheme or "http")
        return self._sites.choose(request.headers.get("Accept-Language", ""), self._hosts.get(host))

    def _answer(self, request: HttpRequest) -> HttpResponse:
        size = sum(len(name) + len(value) for name, value in request.headers.items())
        if size > LARGEST_HEADERS:
            return HEADERS_TOO_LARGE.response(most=LARGEST_HEADERS, size=size)
        version = request.headers.get("Api-Version", API_VERSION)
        if version != API_VERSION:
            return UNSUPPORTED_VERSION.response(version=version, supported=API_VERSION)
        if request.method == "HEAD":
            request.method = "GET"  # the same reply without the body
        return self._get_response(request)


def _allowed(methods: str) -> str:
    """Return the methods of a route, with those that every route has."""
    names = {name.strip() for name in methods.split(",")} | {"OPTIONS"}
    return ", ".join(sorted(names | {"HEAD"} if "GET" in names else names))


def _route_vary(request: HttpRequest) -> tuple[str, ...]:
    route = request.resolver_match and request.resolver_match.route
    return _VARY.get(route or "", ())


def _with_validators(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add ETag and Cache-Control to a read, or return 304 if the client's copy is current."""
    if request.method != "GET" or response.status_code != 200 or response.streaming:
        return response
    response.setdefault("Cache-Control", _REVALIDATE)
    if "no-store" in response["Cache-Control"]:
        return response
    tag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = tag
    if not _knows(request.headers.get("If-None-Match", ""), tag):
        return response
    unchanged = HttpResponse(status=304)
    for name, value in response.items():
        unchanged[name] = value
    del unchanged["Content-Type"]
    return unchanged


def _knows(condition: str, tag: str) -> bool:
    known = [part.strip().removeprefix("W/") for part in condition.split(",")]
    return "*" in known or tag in known
