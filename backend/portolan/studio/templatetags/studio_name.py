"""The studio's name, for Wagtail's own templates."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def studio_name() -> str:
    name: str = settings.WAGTAIL_SITE_NAME
    return name
