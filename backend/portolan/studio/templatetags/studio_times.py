"""Filters for times in templates."""

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
    """Return the time as HTML; empty if None: ``{{ at|moment }}``, ``{{ at|moment:"s" }}`` with seconds."""
    return draw_moment(at, precision == "s") if at else ""


@register.filter
def moment_text(at: date | None) -> str:
    """Return the moment as plain text, for attributes and headings. A day has no time."""
    return (say_moment(at) if isinstance(at, datetime) else date_format(at, "j M Y")) if at else ""


@register.filter
def duration(seconds: float) -> str:
    """Return the duration in words: ``{{ seconds|duration }}``."""
    return say_duration(seconds)


@register.simple_tag
def time_zone_city() -> str:
    """Return the city of the active time zone. On a page's screens, this is the time zone of its site."""
    return name_zone(timezone.get_current_timezone_name())
