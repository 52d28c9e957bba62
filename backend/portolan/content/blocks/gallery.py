"""Gallery: images side by side, each optionally with a caption."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from ...schemas.media import Picture
from .base import LineBlock, ParagraphBlock, PictureBlock, SiteBlock


class GalleryPicture(Schema):
    picture: Picture
    caption: str = ""


class GalleryData(BlockData):
    type: Literal["gallery"] = "gallery"
    title: str = ""
    text: str = ""
    pictures: list[GalleryPicture]
    """2..24."""


class GalleryPictureBlock(blocks.StructBlock):
    picture = PictureBlock()
    caption = LineBlock(required=False, max_length=160, help_text=_("Shown below the image."))

    class Meta:
        label = _("Image")
        label_format = "{caption}"


class GalleryBlock(SiteBlock):
    Data = GalleryData
    EXAMPLES = {
        "default": {
            "title": "The quay, seen from three sides",
            "text": "Drawn for the handover, and still on the wall of the control room.",
            "pictures": [
                {
                    "picture": {"image": 2, "alt": "Container cranes at dawn, seen from the water"},
                    "caption": "Berth 4, half an hour before the first ship of the day",
                },
                {"picture": {"image": 2, "alt": "The same cranes at noon"}},
                {
                    "picture": {"image": 1, "alt": "Contour lines of the harbour with its eleven terminals"},
                    "caption": "All eleven terminals",
                },
            ],
        },
        "two": {
            "tone": "navy",
            "pictures": [
                {"picture": {"image": 2, "alt": "Cranes before the move"}, "caption": "Before"},
                {"picture": {"image": 2, "alt": "Cranes after the move"}, "caption": "After"},
            ],
        },
        "five": {
            "tone": "ink",
            "title": "Five mornings",
            "pictures": [{"picture": {"image": 2, "alt": f"The quay on morning {day}"}} for day in range(1, 6)],
        },
    }

    title = LineBlock(required=False, max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    pictures = blocks.ListBlock(
        GalleryPictureBlock(),
        min_num=2,
        max_num=24,
        label=_("Images"),
        help_text=_("Shown at 3:2. The edges of wider or taller images are cropped."),
    )

    class Meta:
        icon = "image"
        label = _("Gallery")
        group = _("Texts")
