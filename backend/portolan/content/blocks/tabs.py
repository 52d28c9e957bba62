"""Tabs: similar texts, of which one is visible at a time. Without scripts, all are visible."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from .base import HtmlBlock, LineBlock, ParagraphBlock, SiteBlock


class Tab(Schema):
    title: str
    html: str
    """Clean HTML."""


class TabsData(BlockData):
    type: Literal["tabs"] = "tabs"
    title: str
    text: str = ""
    tabs: list[Tab]
    """2..8."""


class TabBlock(blocks.StructBlock):
    title = LineBlock(max_length=40, help_text=_("Label of the tab, one to three words."))
    html = HtmlBlock(features=["h3", "h4", "bold", "italic", "ol", "ul", "link", "blockquote", "code"], label=_("Text"))

    class Meta:
        label = _("Tab")
        label_format = "{title}"


class TabsBlock(SiteBlock):
    Data = TabsData
    EXAMPLES = {
        "default": {
            "anchor": "crews",
            "title": "Three crews that work",
            "text": "Below five people a team has no slack, above fifteen it has meetings.",
            "tabs": [
                {
                    "title": "Five people",
                    "html": "<p><b>For one product that exists</b> and has to get better.</p><ul><li>A release every "
                    'week</li><li>A lead who writes code</li></ul><p><a linktype="page" id="1">Put it together</a></p>',
                },
                {
                    "title": "Nine people",
                    "html": "<h3>Two topics at a time</h3><p>Five developers, two testers, a designer and a lead.</p>"
                    "<h4>On call</h4><p>Takes six to share, so this is the smallest crew that can.</p>",
                },
                {
                    "title": "Fourteen people",
                    "html": "<p>Two groups that change places every half year.</p><blockquote>One builds, one keeps it "
                    "running.</blockquote>",
                },
            ],
        },
        "many": {
            "tone": "navy",
            "title": "What we hand over",
            "tabs": [
                {"title": name, "html": f"<p>{text}</p>"}
                for name, text in (
                    ("Source code", "With its history, from the first commit."),
                    ("Infrastructure as code", "Two commands bring up a copy."),
                    ("Runbooks", "One for each alarm, tried by somebody who did not write it."),
                    ("Test reports", "The last twelve months, failures included."),
                    ("Accounts and licences", "In your name from the start, so that nothing has to move."),
                    ("Decisions", "Each with its reason and the date."),
                )
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    tabs = blocks.ListBlock(TabBlock(), min_num=2, max_num=8)

    class Meta:
        icon = "list-ul"
        label = _("Tabs")
        group = _("Texts")
