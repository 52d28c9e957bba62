"""Asks in Wagtail's dialog when a page, an entry or a menu goes live and when it expires, with the browser's own date
fields. Wagtail's calendars cover each other and the dialog's Save button, and keyboard users cannot leave the first one.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, PublishingPanel

from .scheduling import ZonePanel, moment_input


class SchedulePanel(PublishingPanel):
    """``expires`` is false for what a site cannot be without."""

    def __init__(self, expires: bool = True, **kwargs: Any) -> None:
        expiry = FieldPanel("expire_at", heading=_("Expires"), help_text=_("Empty: never."), widget=_moment_input())
        children = [
            ZonePanel(),
            FieldPanel(
                "go_live_at",
                heading=_("Goes live"),
                help_text=_("Empty: when it is published."),
                widget=_moment_input(),
            ),
            *([expiry] if expires else []),
        ]
        super().__init__(**{"children": children, **kwargs})


def _moment_input() -> forms.DateTimeInput:
    # the attributes are those of Wagtail's own fields, so that unsaved values are dropped when the dialog closes
    attributes = {
        "data-controller": "w-action",
        "data-action": "w-dialog:hidden->w-action#reset",
        "data-w-dialog-target": "notify",
    }
    return moment_input(**attributes)
