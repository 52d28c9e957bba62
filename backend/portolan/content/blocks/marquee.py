"""Marquee: a moving strip of words that visitors can stop."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData
from .base import LineBlock, SiteBlock


class MarqueeData(BlockData):
    type: Literal["marquee"] = "marquee"
    title: str = ""
    words: list[str]
    """4..24."""


class MarqueeBlock(SiteBlock):
    Data = MarqueeData
    EXAMPLES = {
        "default": {
            "tone": "ink",
            "title": "Messages we read in our sleep",
            "words": ["BAPLIE", "COPRAR", "CODECO", "COARRI", "IFTMIN", "CUSCAR", "AIS", "Track & Trace"],
        },
        "few": {"words": ["Ports", "Clinics", "Banks", "Rail"]},
    }

    title = LineBlock(required=False, max_length=120)
    words = blocks.ListBlock(
        LineBlock(max_length=60),
        min_num=4,
        max_num=24,
        help_text=_(
            "Visitors can stop the strip with a button. It does not move for visitors whose system is set to reduced "
            "motion."
        ),
    )

    class Meta:
        icon = "arrow-right"
        label = _("Marquee")
        group = _("Proof")
