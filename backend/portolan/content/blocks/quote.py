"""Quote: a client's words in large letters. For reviews with scores, use ``testimonials``."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from ...schemas.link import Link
from ...schemas.media import Picture
from .base import LineBlock, LinkBlock, ParagraphBlock, PictureBlock, SiteBlock


class QuoteData(BlockData):
    type: Literal["quote"] = "quote"
    quote: str
    role: str
    """Role of the speaker, e.g. ``Head of operations``."""
    company: str
    picture: Picture | None = None
    """The company's logo."""
    link: Link | None = None


class QuoteBlock(SiteBlock):
    Data = QuoteData
    EXAMPLES = {
        "default": {
            "tone": "navy",
            "quote": "They told us in week one what we did not need. That paid for the rest of the year.",
            "role": "Head of operations",
            "company": "Northwind Port Authority",
            "picture": {"image": 1, "alt": "Northwind Port Authority"},
            "link": {"title": "Read the case study", "page": 2},
        },
        "long": {
            "quote": "We had three vendors before, and each had a dashboard. Brightmoor asked for the log book of the night "
            "shift instead, read all of it, and came back with eleven questions. Nine of them we could not answer. The "
            "portal that came out of it has four screens. My people learned it in an afternoon and have not asked me for "
            "a fifth one since.",
            "role": "Director of clinical systems",
            "company": "Lumen Clinic Network",
        },
        "long-words": {
            "tone": "ink",
            "quote": "Die Datenschutzfolgenabschätzung lag vor, bevor wir das Wort buchstabiert hatten.",
            "role": "Informationssicherheitsbeauftragte",
            "company": "Lotwerk Maschinenbaugesellschaft",
            "picture": {"image": 2, "alt": ""},
        },
    }

    quote = ParagraphBlock(max_length=600)
    role = LineBlock(max_length=120, help_text=_("Role of the speaker, e.g. Head of operations."))
    company = LineBlock(max_length=80)
    picture = PictureBlock(required=False, help_text=_("The company's logo."))
    link = LinkBlock(required=False)

    class Meta:
        icon = "openquote"
        label = _("Quote")
        group = _("Proof")
