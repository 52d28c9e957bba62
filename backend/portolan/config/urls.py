"""What Django answers: the studio and the API. The sites are static files, and
media goes out through the edge with headers that let nothing in it run: neither comes here."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from wagtail.admin import urls as studio
from wagtail.documents import urls as documents

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="wagtailadmin_home")),
    path("api/", include("portolan.api.app")),
    path("admin/", include(studio)),
    path("documents/", include(documents)),
]
