"""The block: a table of the week, and whether the place is open now."""

from typing import Literal

from wagtail import blocks

from portolan.content.blocks.base import LineBlock, ParagraphBlock, SiteBlock
from portolan.schemas.base import BlockData

from .hours import ClosedDay, ClosedDayBlock, Hours, HoursBlock, check_time_zone


class OpeningHoursData(BlockData):
    type: Literal["opening_hours"] = "opening_hours"
    title: str
    text: str
    hours: list[Hours]
    closed_on: list[ClosedDay]
    time_zone: str
    """Where the hours hold, as the IANA names it."""


class OpeningHoursBlock(SiteBlock):
    Data = OpeningHoursData
    EXAMPLES = {
        "default": {
            "title": "When we are there",
            "text": "Ring the bell, and somebody comes down.",
            "hours": [{"days": ["mon", "tue", "wed", "thu", "fri"], "opens": "09:00:00", "closes": "18:00:00"}],
            "closed_on": [{"date": "2026-12-25", "note": "Christmas Day"}],
            "time_zone": "Europe/London",
        }
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=300)
    hours = blocks.ListBlock(HoursBlock(), min_num=1, max_num=14)
    closed_on = blocks.ListBlock(ClosedDayBlock(), default=[], max_num=40, label="Closed on")
    time_zone = blocks.CharBlock(
        max_length=40, validators=(check_time_zone,), help_text="Where the hours hold, e.g. Europe/Berlin."
    )

    class Meta:
        icon = "time"
        label = "Opening hours"
        group = "Places"
