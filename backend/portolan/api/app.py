"""The table of contents of the API: one line per noun."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.urls import URLPattern, URLResolver, path, re_path
from ninja import NinjaAPI

from .. import __version__
from .content import offices
from .problems import register_problems

api = NinjaAPI(title="Portolan", version=__version__, urls_namespace="api", docs_url=None, openapi_url=None)
register_problems(api)
api.add_router("content/offices", offices.router)


def unknown_route(request: HttpRequest) -> HttpResponse:
    """What no line above answers; the middleware makes it a problem."""
    return HttpResponseNotFound()


urlpatterns: list[URLPattern | URLResolver] = [path("", api.urls), re_path("", unknown_route)]
