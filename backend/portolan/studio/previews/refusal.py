"""Error pages of previews, for people without knowledge of the studio."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language

_POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {studio}"


def refuse(status: int, title: str, says: str, reasons: Iterable[str] = ()) -> HttpResponse:
    context = {"title": title, "says": says, "reasons": list(reasons), "language": get_language()}
    html = render_to_string("studio/previews/refused.html", context)
    policy = _POLICY.format(studio=settings.WAGTAILADMIN_BASE_URL)
    return HttpResponse(html, status=status, headers={"Content-Security-Policy": policy})
