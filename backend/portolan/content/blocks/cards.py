"""Cards: a titled grid of short texts, each optionally with an icon and a link."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from ...schemas.icon import IconName
from ...schemas.link import Link
from ...schemas.media import Picture
from .base import IconBlock, LineBlock, LinkBlock, ParagraphBlock, PictureBlock, SiteBlock


class Card(Schema):
    title: str
    text: str
    icon: IconName | None = None
    link: Link | None = None
    picture: Picture | None = None
    """Shown if there are exactly two cards and both have links; without an image, they show a chart."""


class CardsData(BlockData):
    type: Literal["cards"] = "cards"
    title: str
    text: str = ""
    cards: list[Card]
    """2..12."""


class CardBlock(blocks.StructBlock):
    title = LineBlock(max_length=80)
    text = ParagraphBlock(max_length=300)
    icon = IconBlock(required=False)
    link = LinkBlock(required=False)
    picture = PictureBlock(
        required=False,
        help_text=_("Only shown if there are exactly two cards and both have a link. Empty: a drawn chart."),
    )

    class Meta:
        label = _("Card")
        label_format = "{title}"


class CardsBlock(SiteBlock):
    Data = CardsData
    EXAMPLES = {
        "default": {
            "title": "What we do",
            "text": "Three trades, one crew. Each service stands alone and gets better beside the others.",
            "cards": [
                {
                    "title": "Web development",
                    "text": "Sites and portals that stay quick when the season starts and a million people arrive.",
                    "icon": "globe",
                    "link": {"title": "Web development", "page": 3},
                },
                {
                    "title": "Mobile development",
                    "text": "Apps for the bridge, the ward and the branch, on both platforms from one team.",
                    "icon": "smartphone",
                    "link": {"title": "Mobile development", "page": 3, "anchor": "mobile"},
                },
                {
                    "title": "Quality assurance",
                    "text": "Test engineers who sit with the developers and stop a bad build before noon.",
                    "icon": "shield-check",
                    "link": {"title": "Our testing handbook", "url": "https://handbook.example/testing"},
                },
            ],
        },
        "two": {
            "title": "Two of them in detail",
            "cards": [
                {
                    "title": "A port that replans itself",
                    "text": "Eleven terminals, and a plan in two seconds whenever a ship is late.",
                    "link": {"title": "How the port does it", "page": 3},
                    "picture": {"image": 2, "alt": ""},
                },
                {
                    "title": "One record, 38 clinics",
                    "text": "Moved out of five systems, and no clinic closed for it.",
                    "link": {"title": "How the clinics did it", "page": 3},
                },
            ],
        },
        "plain": {
            "tone": "navy",
            "title": "Why clients stay",
            "cards": [
                {"title": "One price", "text": "Agreed before we start, and kept."},
                {"title": "One team", "text": "The people you meet are the people who build."},
                {"title": "Your source", "text": "Every line is yours from the first day.", "icon": "git-branch"},
                {"title": "On call", "text": "We answer at night for what we have built.", "icon": "headset"},
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    cards = blocks.ListBlock(CardBlock(), min_num=2, max_num=12)

    class Meta:
        icon = "grip"
        label = _("Cards")
        group = _("Texts")
