"""Answer requests to preview hosts.

A person with the secret in the host name sees this preview only: these hosts have no studio views, sessions or files.
"""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from ...api.problems import REFUSED, problem_response
from ...api.release_content import Previewed
from ...builds.hosts import name_host
from ...domain.content_api import API_PREFIX, SITE_IN_SCOPE
from ...domain.languages import SiteLanguages
from ...domain.previews import is_preview_host, read_preview_host
from ..languages import wanted_language
from ..moments import say_moment
from .answer import NOTHING_SENT, Answering, answer_file_or_page, own_file
from .models import Preview
from .overlay import NothingToShow, overlay_of
from .refusal import refuse
from .secret import find_preview

_HEADERS: Final = {
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Referrer-Policy": "same-origin",  # the secret is in the URL
    "Cross-Origin-Resource-Policy": "same-origin",
}
_READS: Final = ("GET", "HEAD", "OPTIONS")


class AnswerPreviews:
    """Django middleware, the first one. It forwards requests to other hosts, and reads of the content API."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._pass_on = get_response
        self._answer_safely: Any = convert_exception_to_response(self._answer)
        self._languages = SiteLanguages({key: site.language for key, site in settings.SITES_REGISTRY.sites.items()})

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        domain = settings.PREVIEW_DOMAIN
        if not domain or not is_preview_host(_host(request), domain):
            return self._pass_on(request)
        with translation.override(wanted_language(request.headers.get("Accept-Language", ""))):
            response: HttpResponseBase = self._answer_safely(request)
        for name, value in _HEADERS.items():
            response[name] = value
        response.setdefault("Cache-Control", "no-store")
        if response["Cache-Control"].startswith("public") and not request.path.startswith("/assets/"):
            response["Cache-Control"] = "no-store"
        response.cookies.clear()
        return response

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        if (file := own_file(request.path)) is not None:
            return file  # refusals need the style sheet
        named = read_preview_host(_host(request), settings.PREVIEW_DOMAIN)
        preview = find_preview(named.secret) if named else None
        if named is None or preview is None or named.site not in settings.SITES_REGISTRY.sites:
            return refuse(404, _("Preview not found"), _("Ask the sender of the link for a new one."))
        if not preview.is_open:
            return refuse(410, _("This preview has ended"), say_why_closed(preview))
        try:
            overlay = overlay_of(preview.kind, preview.subject)
        except NothingToShow as error:
            return refuse(410, _("There is nothing to show"), str(error))
        if request.path.startswith(API_PREFIX):
            return self._read_api(request, named.site, Previewed(overlay.reader(), overlay.release_view.release))
        return answer_file_or_page(request, Answering(preview, overlay, named.site, named.secret))

    def _read_api(self, request: HttpRequest, site: str, previewed: Previewed) -> HttpResponseBase:
        if request.method not in _READS:
            return problem_response(403, REFUSED.code, str(NOTHING_SENT))
        request.previewed = previewed  # type: ignore[attr-defined]
        chosen = self._languages.choose(request.headers.get("Accept-Language", ""), site)
        request.scope = {**getattr(request, "scope", {}), SITE_IN_SCOPE: chosen}  # type: ignore[attr-defined]
        return self._pass_on(request)


def say_why_closed(preview: Preview) -> str:
    if preview.revoked_at is not None:
        return _("The sender has revoked this link.")
    with timezone.override(settings.SITES_REGISTRY.company.time_zone):
        until = say_moment(preview.ends_at)
    return _("The link was valid until {until}. Ask the sender for a new one.").format(until=until)


def _host(request: HttpRequest) -> str:
    return name_host(request.META.get("HTTP_HOST", ""), request.scheme or "http")
