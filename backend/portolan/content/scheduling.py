"""Show times in forms and lists, with their time zone."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext, pgettext
from wagtail.admin.panels import HelpPanel


class ZonePanel(HelpPanel):
    """Names the time zone of a form: that of the page's site, or the company's (``studio.time_zones``)."""

    class BoundPanel(HelpPanel.BoundPanel):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            zone = timezone.get_current_timezone_name()
            self.content = format_html(
                gettext("<p>Times are in the time zone of {}, where it is {} now.</p>"),
                name_zone(zone),
                f"{timezone.localtime():%H:%M}",
            )


def name_zone(zone: str) -> str:
    """Return the city, which people use as the name: Europe/Berlin → Berlin."""
    return zone.rpartition("/")[2].replace("_", " ")


def say_moment_there(at: datetime, zone: str) -> str:
    """Return a time in a zone, without naming the zone."""
    return date_format(
        timezone.localtime(at, ZoneInfo(zone)), pgettext("moment, in letters of Django's date filter", "j M Y, H:i")
    )


def moment_input(**attributes: str) -> forms.DateTimeInput:
    """Return the browser's own field, which accepts seconds."""
    return forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1", **attributes}, format="%Y-%m-%dT%H:%M:%S")
