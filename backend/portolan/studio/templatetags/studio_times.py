"""Whose times Wagtail's own templates show."""

from datetime import date, datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from ...content.scheduling import name_zone
from ..moments import draw_moment, say_moment
from ..numbers import say_duration

register = template.Library()


@register.filter
def moment(at: datetime | None, precision: str = "") -> str:
    """``{{ at|moment }}``, ``{{ at|moment:"s" }}`` with seconds; nothing where there is none."""
    return draw_moment(at, precision == "s") if at else ""


@register.filter
def moment_text(at: date | None) -> str:
    """Return the moment as plain text, for attributes and headings. A day has no time."""
    return (say_moment(at) if isinstance(at, datetime) else date_format(at, "j M Y")) if at else ""


@register.filter
def duration(seconds: float) -> str:
    """``{{ seconds|duration }}``"""
    return say_duration(seconds)


@register.simple_tag
def time_zone_city() -> str:
    """The city of the time zone that is active: of a page's site, on its screens."""
    return name_zone(timezone.get_current_timezone_name())
