"""Format times as the studio shows them: day, time and zone, such as 3 Dec 2026, 09:00 CET."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext


def say_moment(at: datetime, with_seconds: bool = False, zone: str | None = None) -> str:
    """Format a time in ``zone``, else in the active zone. Zones without an abbreviation show their offset, ``+04``."""
    form = (
        pgettext("moment, in letters of Django's date filter", "j M Y, H:i:s T")
        if with_seconds
        else pgettext("moment, in letters of Django's date filter", "j M Y, H:i T")
    )
    return date_format(timezone.localtime(at, ZoneInfo(zone) if zone else None), form)


def draw_moment(at: datetime, with_seconds: bool = False) -> SafeString:
    """Return the time as an HTML element."""
    return format_html('<time datetime="{}">{}</time>', at.isoformat(), say_moment(at, with_seconds))
