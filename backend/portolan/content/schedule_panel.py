"""Show the start and expiry of a page, entry or menu in Wagtail's dialog, with the browser's own date fields.

Wagtail's calendars cover each other and the dialog's Save button, and keyboard users cannot leave the first one.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, PublishingPanel

from .scheduling import ZonePanel, moment_input


class SchedulePanel(PublishingPanel):
    """The panel for start and expiry. ``expires`` is False for content that a site requires."""

    def __init__(self, expires: bool = True, **kwargs: Any) -> None:
        expiry = FieldPanel("expire_at", heading=_("Expires"), help_text=_("Empty: never."), widget=_moment_input())
        children = [
            ZonePanel(),
            FieldPanel(
                "go_live_at",
                heading=_("Goes live"),
                help_text=_("Empty: as soon as it is published."),
                widget=_moment_input(),
            ),
            *([expiry] if expires else []),
        ]
        super().__init__(**{"children": children, **kwargs})


def _moment_input() -> forms.DateTimeInput:
    # The attributes are those of Wagtail's own fields, so that closing the dialog discards unsaved values.
    attributes = {
        "data-controller": "w-action",
        "data-action": "w-dialog:hidden->w-action#reset",
        "data-w-dialog-target": "notify",
    }
    return moment_input(**attributes)
