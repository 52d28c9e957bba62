"""How forms ask for a moment, and in whose time they and lists write it."""

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
    """Says whose time the times of a form are: that of the page's site, or the company's (``studio.time_zones``)."""

    class BoundPanel(HelpPanel.BoundPanel):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            zone = timezone.get_current_timezone_name()
            self.content = format_html(
                gettext("<p>Times are those of {}, where it is {} now.</p>"),
                name_zone(zone),
                f"{timezone.localtime():%H:%M}",
            )


def name_zone(zone: str) -> str:
    """The city, which is what people say: Europe/Berlin → Berlin."""
    return zone.rpartition("/")[2].replace("_", " ")


def say_moment_there(at: datetime, zone: str) -> str:
    """In a zone whose city is said beside it."""
    return date_format(
        timezone.localtime(at, ZoneInfo(zone)), pgettext("moment, in letters of Django's date filter", "j M Y, H:i")
    )


def moment_input(**attributes: str) -> forms.DateTimeInput:
    """The browser's own field, to the second where somebody types one."""
    return forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1", **attributes}, format="%Y-%m-%dT%H:%M:%S")
