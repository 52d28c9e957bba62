"""When a page goes live and when it ends, asked for in Wagtail's dialog by the browser's own date fields.

Wagtail's calendars open over each other and over the dialog's Save, and a keyboard cannot leave the first one.
"""

from typing import Any

from django import forms
from wagtail.admin.panels import FieldPanel, PublishingPanel


class SchedulePanel(PublishingPanel):
    def __init__(self, **kwargs: Any) -> None:
        children = [FieldPanel(name, widget=_moment_input()) for name in ("go_live_at", "expire_at")]
        super().__init__(**{"children": children, **kwargs})


def _moment_input() -> forms.DateTimeInput:
    # the attributes are those of Wagtail's own fields: what was not saved is forgotten when the dialog closes
    attributes = {
        "type": "datetime-local",
        "data-controller": "w-action",
        "data-action": "w-dialog:hidden->w-action#reset",
        "data-w-dialog-target": "notify",
    }
    return forms.DateTimeInput(attrs=attributes, format="%Y-%m-%dT%H:%M")
