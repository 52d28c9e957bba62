"""Event list: all events by date. The browser puts events in the visitor's country first."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from ...schemas.event import Event
from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class EventListData(BlockData):
    type: Literal["event_list"] = "event_list"
    title: str
    text: str = ""
    events: list[Event]
    """Every event of the site: future events by date, then past events, the latest first."""


class EventListBlock(SiteBlock):
    """A list of all event pages. A published event shows here at once."""

    Data = EventListData
    EXAMPLES = {
        "default": {
            "anchor": "events",
            "title": "Where to meet us",
            "text": "Conferences, meetups and the occasional boat trip.",
        }
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)

    class Meta:
        icon = "date"
        label = _("Events")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        return {**super().snapshot(raw, id, pages), "events": {"$items": "event"}}
