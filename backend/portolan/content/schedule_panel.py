"""Asks in Wagtail's dialog when a page goes live and when it expires, with the browser's own date fields. Wagtail's
calendars cover each other and the dialog's Save button, and keyboard users cannot leave the first one.
"""

from typing import Any

from django import forms
from wagtail.admin.panels import FieldPanel, PublishingPanel

from .scheduling import ZonePanel, moment_input


class SchedulePanel(PublishingPanel):
    def __init__(self, **kwargs: Any) -> None:
        fields = [FieldPanel(name, widget=_moment_input()) for name in ("go_live_at", "expire_at")]
        children = [ZonePanel(), *fields]
        super().__init__(**{"children": children, **kwargs})


def _moment_input() -> forms.DateTimeInput:
    # the attributes are those of Wagtail's own fields, so that unsaved values are dropped when the dialog closes
    attributes = {
        "data-controller": "w-action",
        "data-action": "w-dialog:hidden->w-action#reset",
        "data-w-dialog-target": "notify",
    }
    return moment_input(**attributes)
