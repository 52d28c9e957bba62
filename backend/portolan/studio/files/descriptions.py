"""Suggest the library's description when an editor chooses an image."""

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from django.templatetags.static import static
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from wagtail.admin.auth import require_admin_access
from wagtail.models import Locale
from wagtail.permissions import policy_registry

from ...content.pictures import SiteImage

_ANY: int = 0
"""Placeholder for the image's id in the URL. The script replaces it."""


@never_cache
@require_admin_access
@require_safe
def describe_picture(request: HttpRequest, image_id: int) -> JsonResponse:
    """Return the description for each content language, by its code and by its id in forms."""
    policy = policy_registry.get_by_type(SiteImage)
    choosable = policy.instances_user_has_any_permission_for(request.user, ["choose"])
    image = get_object_or_404(choosable, pk=image_id)
    texts = {}
    for locale in Locale.objects.all():
        texts[locale.language_code] = texts[str(locale.pk)] = image.describe(locale.language_code)
    return JsonResponse(texts)


def add_script() -> SafeString:
    return format_html(
        '<script src="{}" data-url="{}"></script>',
        static("studio/picture-descriptions.js"),
        reverse("studio_picture_description", args=[_ANY]),
    )


def urls() -> list[URLPattern]:
    return [path("pictures/<int:image_id>/description/", describe_picture, name="studio_picture_description")]
