"""URLs below ``/api/``: the operations, and the document that describes them."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.urls import URLPattern, URLResolver, path, re_path

from .app import api
from .document_views import docs, docs_style, openapi_json


def unknown_route(request: HttpRequest) -> HttpResponse:
    """Return 404 for other paths. The middleware turns it into a problem."""
    return HttpResponseNotFound()


urlpatterns: list[URLPattern | URLResolver] = [
    path("openapi.json", openapi_json),
    path("docs", docs),
    path("docs.css", docs_style),
    path("", api.urls),
    re_path("", unknown_route),
]
