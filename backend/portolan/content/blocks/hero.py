"""Hero: the top of the page, with its only h1."""

from collections.abc import Mapping
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.blocks.struct_block import StructBlockValidationError
from wagtail.documents.blocks import DocumentChooserBlock

from ...domain.videos import FILM_KINDS
from ...schemas.base import BlockData, Tone
from ...schemas.company import Phone
from ...schemas.link import Link
from ...schemas.media import DocumentFile, Picture
from ..items import PHONE
from ..snapshot import TranslationKeys
from .base import FIGURES_HELP, LineBlock, LinkBlock, ParagraphBlock, PictureBlock, SiteBlock


class HeroData(BlockData):
    type: Literal["hero"] = "hero"
    tone: Tone = "navy"
    eyebrow: str = ""
    title: str
    text: str = ""
    actions: list[Link] = []
    """0..2; the first is the main button."""
    phones: list[Phone] = []
    """The site's phones if the hero shows one. The visitor's country decides the number."""
    picture: Picture | None = None
    film: DocumentFile | None = None
    """Replaces the image after the page has loaded, unless the visitor prefers reduced motion."""


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
            "phone": True,
            "picture": {"image": 2, "alt": "Container cranes at dawn, seen from the water"},
        },
        "film": {
            "title": "Software for places that cannot stop",
            "actions": [{"title": "Talk to an engineer", "page": 1}],
            "picture": {"image": 1, "alt": ""},
            "film": 2,
        },
        "words-only": {"tone": "paper", "title": "Privacy policy", "text": "What we keep, why, and for how long."},
    }

    eyebrow = LineBlock(
        required=False, max_length=60, label=_("Line above the title"), help_text=_("A few words, e.g. Services.")
    )
    title = LineBlock(max_length=120, help_text=_("The page's main heading."))
    text = ParagraphBlock(required=False, max_length=400, help_text=FIGURES_HELP)
    actions = blocks.ListBlock(
        LinkBlock(), max_num=2, default=[], label=_("Buttons"), help_text=_("The first is the main button.")
    )
    phone = blocks.BooleanBlock(
        required=False,
        label=_("Phone number"),
        help_text=_("Shows the number for the visitor's country after the buttons. Numbers are under Phones."),
    )
    # Suggest no description: an image with one is shown below the text, any other image is the background.
    picture = PictureBlock(required=False, form_classname="struct-block studio-decorative")
    film = DocumentChooserBlock(
        required=False,
        label=_("Video"),
        help_text=_(
            "A short silent video (.mp4 or .webm, best below 500 kB). It replaces the image after the page has loaded, and "
            "repeats. Use its first frame as the image, without a description."
        ),
    )

    class Meta:
        icon = "title"
        label = _("Hero")
        group = _("Openings")

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        film, picture = cleaned.get("film"), cleaned.get("picture") or {}
        problem = ""
        if film and film.file_extension not in FILM_KINDS:
            problem = gettext("This document is not a video. Choose a file that ends in .mp4 or .webm.")
        elif film and (not picture.get("image") or picture.get("alt")):
            problem = gettext("A video requires an image without a description, which is shown until the video plays.")
        if problem:
            raise StructBlockValidationError(block_errors={"film": ValidationError(problem)})
        return cleaned

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = super().snapshot(raw, id, pages)
        shows_phone = frozen.pop("phone")
        return {**frozen, "phones": {"$items": PHONE} if shows_phone else []}
