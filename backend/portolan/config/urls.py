"""What Django answers: the studio and the API. The sites themselves are static files and never come here."""

import re

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.generic import RedirectView
from django.views.static import serve
from wagtail.admin import urls as studio
from wagtail.documents import urls as documents

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="wagtailadmin_home")),
    path("api/", include("portolan.api.app")),
    path("admin/", include(studio)),
    path("documents/", include(documents)),
    # Previews of pictures in the studio; on the sites the edge serves them.
    re_path(rf"^{re.escape(settings.MEDIA_URL[1:])}(?P<path>.+)$", serve, {"document_root": settings.MEDIA_ROOT}),
]
