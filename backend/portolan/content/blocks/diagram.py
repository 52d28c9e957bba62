"""Diagram: a drawing across the page, with a caption."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from ...schemas.media import Picture
from .base import LineBlock, ParagraphBlock, PictureBlock, SiteBlock


class DiagramData(BlockData):
    type: Literal["diagram"] = "diagram"
    title: str = ""
    text: str = ""
    picture: Picture
    caption: str = ""


class DiagramBlock(SiteBlock):
    Data = DiagramData
    EXAMPLES = {
        "default": {
            "title": "Where a reading goes",
            "text": "From the buoy to the bridge in under two seconds.",
            "picture": {
                "image": 1,
                "alt": "Buoys send readings to a gateway, the gateway to a queue, the queue to the chart and the archive",
            },
            "caption": "The archive is written first: what the chart shows can be read again.",
        },
        "long-words": {
            "tone": "navy",
            "picture": {"image": 2, "alt": "Zwei Rechenzentren, durch eine Leitung verbunden"},
            "caption": "Ausfallsicherheitsarchitektur mit Rechenzentrumsredundanz und Datensicherungsüberwachung.",
        },
    }

    title = LineBlock(required=False, max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    picture = PictureBlock(
        help_text=_("A drawing (SVG) stays sharp. In the description, summarise the content of the diagram.")
    )
    caption = LineBlock(required=False, max_length=200)

    class Meta:
        icon = "crosshairs"
        label = _("Diagram")
        group = _("Texts")
