"""When an entry of a collection is shown: its two dates, what follows from them, and the part of the form that asks for
them. Pages have Wagtail's own (``schedule_panel``).
"""

from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.html import format_html
from wagtail.admin.panels import FieldPanel, FieldRowPanel, HelpPanel, MultiFieldPanel


class ScheduledEntry(models.Model):
    """An entry that may go live and expire by itself. In between it is frozen, else no site has it."""

    kind: ClassVar[str]
    key: Any

    go_live_at = models.DateTimeField("shown from", null=True, blank=True, help_text="Empty: at once.")
    expire_at = models.DateTimeField("shown until", null=True, blank=True, help_text="Empty: for good.")

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if self.go_live_at and self.expire_at and self.expire_at <= self.go_live_at:
            raise ValidationError({"expire_at": "It would go before it comes. Correct one of the two times."})

    def is_shown(self, now: datetime) -> bool:
        return (self.go_live_at is None or self.go_live_at <= now) and (self.expire_at is None or now < self.expire_at)


class ZonePanel(HelpPanel):
    """Says whose time the times of a form are: that of the page's site, or the company's (``studio.time_zones``)."""

    class BoundPanel(HelpPanel.BoundPanel):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            zone = timezone.get_current_timezone_name()
            self.content = format_html(
                "<p>Times are those of {}, where it is {} now.</p>", name_zone(zone), f"{timezone.localtime():%H:%M}"
            )


def name_zone(zone: str) -> str:
    """The city, which is what people say: Europe/Berlin → Berlin."""
    return zone.rpartition("/")[2].replace("_", " ")


def entry_schedule_panel() -> MultiFieldPanel:
    return MultiFieldPanel(
        [
            ZonePanel(),
            FieldRowPanel([FieldPanel(name, widget=moment_input()) for name in ("go_live_at", "expire_at")]),
        ],
        heading="When it is shown",
        classname="collapsed",
    )


def moment_input(**attributes: str) -> forms.DateTimeInput:
    """The browser's own field, to the second where somebody types one."""
    return forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1", **attributes}, format="%Y-%m-%dT%H:%M:%S")
