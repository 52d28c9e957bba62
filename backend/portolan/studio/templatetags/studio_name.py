"""Names, for templates: the studio's, and of those whose changes a release holds."""

from django import template
from django.conf import settings

from ..authors import name_person

register = template.Library()


@register.simple_tag
def studio_name() -> str:
    name: str = settings.WAGTAIL_SITE_NAME
    return name


@register.filter
def person(author: str) -> str:
    """As a release has it."""
    return name_person(author)
