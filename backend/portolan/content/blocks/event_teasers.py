"""Event teasers: the next events, on a page about another topic."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData
from ...schemas.event import Event
from ...schemas.link import Link
from ..snapshot import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock

_KNOWN: Final = 24
"""Number of future events in the page data, so that pages do not grow over the years."""


class EventTeasersData(BlockData):
    type: Literal["event_teasers"] = "event_teasers"
    title: str
    text: str = ""
    events: list[Event]
    """More events than are shown, future ones first, because the order also depends on the visitor's country. If it is
    empty, the block is hidden."""
    limit: int
    """Number of events to show."""
    link: Link | None = None


class EventTeasersBlock(SiteBlock):
    """The next event pages. A published event shows here at once. An event page never shows itself."""

    Data = EventTeasersData
    EXAMPLES = {
        "default": {
            "title": "Meet us next at",
            "text": "Small ones, mostly, with more questions than slides.",
            "link": {"title": "All events", "page": 6},
        },
        "one": {"tone": "navy", "title": "Our next open day", "limit": 1},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    limit = blocks.IntegerBlock(default=3, min_value=1, max_value=6, label=_("At most"))
    link = LinkBlock(required=False, help_text=_("Link below the events, e.g. to all events."))

    class Meta:
        icon = "date"
        label = _("Next events")
        group = _("Teasers")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        events = {"$items": "event", "choose": ["others"], "first": _KNOWN}
        return {**super().snapshot(raw, id, pages), "events": events}
