"""URLs that Django answers: the studio and the API.

The edge serves the sites' static files and public media. Other media belong to the studio.
"""

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView
from wagtail.admin import urls as studio
from wagtail.documents import urls as documents

from ..api.captcha import make_challenge
from ..api.consent import take_choice
from ..api.plain_forms import take_form
from ..domain.captcha import CAPTCHA_PATH
from ..domain.consent import CONSENT_PATH
from ..domain.plain_forms import FORM_PATH
from ..studio.files.editing import urls as file_urls
from ..studio.preview import show_asset
from ..studio.private_files import show_media
from ..studio.signing_in.urls import urls as sign_in_urls
from ..studio.usage import urls as usage_urls

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="wagtailadmin_home")),
    path("api/", include("portolan.api.urls")),
    path(CONSENT_PATH[1:], take_choice),
    path(FORM_PATH[1:], take_form),
    path(CAPTCHA_PATH[1:], make_challenge),
    path("admin/", include(sign_in_urls())),
    path("admin/", include(usage_urls())),
    path("admin/", include(file_urls())),
    path("admin/", include(studio)),
    path("documents/", include(documents)),
    path("media/<path:name>", show_media),
    path("assets/<path:name>", show_asset),
]

handler400 = "portolan.studio.bad_requests.show_bad_request"
handler500 = "portolan.studio.without_database.show_failure"
