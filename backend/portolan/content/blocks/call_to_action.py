"""Call to action: a sentence and one or two buttons."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Tone
from ...schemas.link import Link
from .base import FIGURES_HELP, LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class CallToActionData(BlockData):
    type: Literal["call_to_action"] = "call_to_action"
    tone: Tone = "navy"
    title: str
    text: str = ""
    actions: list[Link]
    """1..2."""


class CallToActionBlock(SiteBlock):
    Data = CallToActionData
    EXAMPLES = {
        "default": {
            "title": "Where should your software go next?",
            "text": "Tell us in three sentences. An engineer answers within one working day.",
            "actions": [
                {"title": "Write to us", "page": 1},
                {"title": "hello@brightmoor.example", "url": "mailto:hello@brightmoor.example"},
            ],
        },
        "short": {
            "tone": "ink",
            "title": "A harbour in sight?",
            "actions": [{"title": "Join {company}", "url": "https://people.brightmoor.example/"}],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=300, help_text=FIGURES_HELP)
    actions = blocks.ListBlock(
        LinkBlock(), min_num=1, max_num=2, label=_("Buttons"), help_text=_("The first is the main button.")
    )

    class Meta:
        icon = "arrow-right"
        label = _("Call to action")
        group = _("Openings")
