"""Awards: title, issuer and year."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from ...schemas.link import Link
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class Award(Schema):
    title: str
    issuer: str
    year: str
    link: Link | None = None
    """Link to the announcement."""


class AwardsData(BlockData):
    type: Literal["awards"] = "awards"
    title: str
    text: str = ""
    awards: list[Award]
    """1..12, in the editor's order."""


class AwardBlock(blocks.StructBlock):
    title = LineBlock(max_length=120)
    issuer = LineBlock(max_length=80, help_text=_("The organisation that gave the award."))
    year = LineBlock(max_length=20)
    link = LinkBlock(required=False, help_text=_("Link to the announcement."))

    class Meta:
        label = _("Award")
        label_format = "{year} {title}"


class AwardsBlock(SiteBlock):
    Data = AwardsData
    EXAMPLES = {
        "default": {
            "title": "What others say in public",
            "awards": [
                {
                    "title": "Best port software of the year",
                    "issuer": "Quayside Review",
                    "year": "2026",
                    "link": {"title": "Read the jury's reasons", "url": "https://quayside.example/2026"},
                },
                {
                    "title": "Accessible service of the year, for the Lumen patient portal",
                    "issuer": "Open Doors Foundation",
                    "year": "2025",
                    "link": {"title": "The case study", "page": 4},
                },
                {"title": "Employer with the fewest night calls", "issuer": "On-call Almanac", "year": "2024"},
            ],
        },
        "long-words": {
            "tone": "navy",
            "title": "Auszeichnungen",
            "text": "Drei Jurys, drei Länder.",
            "awards": [
                {
                    "title": "Barrierefreiheitsauszeichnung für Krankenhausinformationssysteme",
                    "issuer": "Gesundheitswirtschaftsverband",
                    "year": "2023–2025",
                },
                {"title": "Innovationspreis", "issuer": "Hafenwirtschaftsvereinigung", "year": "2022"},
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    awards = blocks.ListBlock(AwardBlock(), min_num=1, max_num=12)

    class Meta:
        icon = "success"
        label = _("Awards")
        group = _("Proof")
