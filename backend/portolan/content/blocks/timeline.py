"""Timeline: dated events in the editor's order."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from .base import LineBlock, ParagraphBlock, SiteBlock


class Milestone(Schema):
    date: str
    """Formatted date, e.g. ``March 2014``."""
    title: str
    text: str = ""


class TimelineData(BlockData):
    type: Literal["timeline"] = "timeline"
    title: str
    text: str = ""
    entries: list[Milestone]
    """2..16, in the editor's order."""


class MilestoneBlock(blocks.StructBlock):
    date = LineBlock(max_length=40, help_text=_("The date as visitors read it, e.g. March 2014."))
    title = LineBlock(max_length=80)
    text = ParagraphBlock(required=False, max_length=300)

    class Meta:
        label = _("Milestone")
        label_format = "{date}: {title}"


class TimelineBlock(SiteBlock):
    Data = TimelineData
    EXAMPLES = {
        "default": {
            "title": "How we got here",
            "text": "{age} years, told by the things that changed how we work.",
            "entries": [
                {
                    "date": "March 2007",
                    "title": "Four people and a ferry timetable",
                    "text": "The first client wanted tickets sold on the quay. The code ran until 2019.",
                },
                {"date": "2011", "title": "The hundredth engineer"},
                {
                    "date": "September 2016",
                    "title": "A night without a single page",
                    "text": "We had just moved the pager to the office that is awake. Nobody was woken; it stayed that way.",
                },
                {
                    "date": "2024",
                    "title": "Sixteen offices",
                    "text": "Berlin was the last to open, in a former instrument maker's workshop.",
                },
            ],
        },
        "long-words": {
            "tone": "navy",
            "title": "Meilensteine",
            "entries": [
                {"date": "voraussichtlich im September 2027", "title": "Datenschutzgrundverordnungskonformität"},
                {
                    "date": "1. Januar 2028",
                    "title": "Inbetriebnahme",
                    "text": "Mit der Rindfleischetikettierungsüberwachungsaufgabenübertragung als Testfall.",
                },
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    entries = blocks.ListBlock(MilestoneBlock(), min_num=2, max_num=16)

    class Meta:
        icon = "history"
        label = _("Timeline")
        group = _("Texts")
