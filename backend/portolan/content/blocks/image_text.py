"""Image and text: an image next to a text."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData
from ...schemas.link import Link
from ...schemas.media import Picture
from .base import HtmlBlock, LineBlock, LinkBlock, ParagraphBlock, PictureBlock, SiteBlock

Side = Literal["start", "end"]


class ImageTextData(BlockData):
    type: Literal["image_text"] = "image_text"
    title: str
    text: str = ""
    html: str
    """Clean HTML."""
    picture: Picture
    side: Side = "end"
    """Position of the image if there is room next to the text: at the start or the end of the lines."""
    link: Link | None = None


class ImageTextBlock(SiteBlock):
    Data = ImageTextData
    EXAMPLES = {
        "default": {
            "title": "We sit where the work is done",
            "text": "Two weeks in the control room before the first line of code.",
            "html": "<p>A plan drawn in a meeting room knows the process as it is written down. The night shift knows the "
            "other one. We ask to see <b>both</b>, and the difference is usually the project.</p>"
            '<ul><li>Three shifts, one notebook</li><li><a linktype="page" id="2">What came of it in Northwind</a></li></ul>',
            "picture": {"image": 2, "alt": "A desk with two screens in a harbour control room at night"},
            "link": {"title": "How a project begins", "page": 3, "anchor": "process"},
        },
        "start": {
            "tone": "navy",
            "title": "One chart for everybody",
            "html": "<p>The pilot, the terminal and the customs officer look at the same berth plan.</p>"
            "<h3>What it replaced</h3><p>Forty phone calls a night.</p>",
            "picture": {"image": 1, "alt": "A chart of the harbour with eleven berths"},
            "side": "start",
        },
        "long-words": {
            "tone": "ink",
            "title": "Geschwindigkeitsbegrenzungsüberwachung",
            "html": "<p>Schifffahrtsverkehrsüberwachungseinrichtungen melden, bevor der Kapitän fragt.</p>",
            "picture": {"image": 2, "alt": "Ein Radarbild"},
            "side": "start",
            "link": {"title": "Zur Hafenverkehrsleitstelle", "url": "https://leitstelle.example/"},
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    html = HtmlBlock(label=_("Text next to the image"))
    picture = PictureBlock()
    side = blocks.ChoiceBlock(
        choices=[("end", _("After the text")), ("start", _("Before the text"))],
        default="end",
        label=_("Position of the image"),
        help_text=_("On wide screens. In Arabic, left and right are swapped."),
    )
    link = LinkBlock(required=False)

    class Meta:
        icon = "image"
        label = _("Image and text")
        group = _("Texts")
