"""Hero: the page's opening, with its one h1."""

from typing import Literal

from wagtail import blocks

from ...shapes.base import BlockData, Tone
from ...shapes.link import Link
from ...shapes.media import Picture
from .base import FIGURES_HELP, LineBlock, LinkBlock, ParagraphBlock, PictureBlock, SiteBlock


class HeroData(BlockData):
    type: Literal["hero"] = "hero"
    tone: Tone = "navy"
    eyebrow: str = ""
    title: str
    text: str = ""
    actions: list[Link] = []
    """0..2; the first is the one thing to do next."""
    picture: Picture | None = None


class HeroBlock(SiteBlock):
    Data = HeroData
    EXAMPLES = {
        "default": {
            "eyebrow": "Custom software since 2007",
            "title": "Software that reaches every harbour",
            "text": "{company} builds and runs software for ports, clinics and banks. {employees} engineers, "
            "{offices} offices, {age} years at sea.",
            "actions": [
                {"title": "Tell us about your project", "page": 1},
                {"title": "See what we have built", "page": 2, "anchor": "results"},
            ],
            "picture": {"image": 1, "alt": "Contour lines of a coast with a route drawn between two harbours"},
        },
        "photo": {
            "tone": "ink",
            "eyebrow": "Case study",
            "title": "A port authority that sees every ship two hours earlier",
            "text": "Northwind Port Authority plans its berths on live data now.",
            "actions": [{"title": "Talk to the team", "page": 1}],
            "picture": {"image": 2, "alt": "Container cranes at dawn, seen from the water"},
        },
        "words-only": {"tone": "paper", "title": "Privacy policy", "text": "What we keep, why, and for how long."},
    }

    eyebrow = LineBlock(
        required=False, max_length=60, label="Line above the title", help_text="A few words, e.g. Services."
    )
    title = LineBlock(max_length=120, help_text="The page's one main heading.")
    text = ParagraphBlock(required=False, max_length=400, help_text=FIGURES_HELP)
    actions = blocks.ListBlock(
        LinkBlock(), max_num=2, default=[], label="Buttons", help_text="The first is the one thing to do next."
    )
    picture = PictureBlock(required=False)

    class Meta:
        icon = "title"
        label = "Hero"
        group = "Openings"
