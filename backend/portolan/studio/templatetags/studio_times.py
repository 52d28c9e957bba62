"""Whose times Wagtail's own templates show."""

from django import template
from django.utils import timezone

from ...content.scheduling import name_zone

register = template.Library()


@register.simple_tag
def time_zone_city() -> str:
    """The city of the time zone that is active: of a page's site, on its screens."""
    return name_zone(timezone.get_current_timezone_name())
