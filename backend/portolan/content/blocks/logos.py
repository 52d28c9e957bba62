"""Logos: a row of client or partner logos."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from ...schemas.media import Picture
from .base import LineBlock, PictureBlock, SiteBlock


class Logo(Schema):
    name: str
    picture: Picture


class LogosData(BlockData):
    type: Literal["logos"] = "logos"
    title: str = ""
    logos: list[Logo]
    """2..16."""


class LogoBlock(blocks.StructBlock):
    name = LineBlock(max_length=60, help_text=_("Name of the company."))
    picture = PictureBlock()

    class Meta:
        label = _("Logo")
        label_format = "{name}"


class LogosBlock(SiteBlock):
    Data = LogosData
    EXAMPLES = {
        "default": {
            "title": "Trusted by those who cannot stop",
            "logos": [
                {"name": "Northwind Port Authority", "picture": {"image": 1, "alt": "Northwind Port Authority"}},
                {"name": "Lumen Clinic Network", "picture": {"image": 1, "alt": "Lumen Clinic Network"}},
                {"name": "Harrow Bank", "picture": {"image": 1, "alt": "Harrow Bank"}},
                {"name": "Tidewater Rail", "picture": {"image": 1, "alt": "Tidewater Rail"}},
            ],
        }
    }

    title = LineBlock(required=False, max_length=120)
    logos = blocks.ListBlock(LogoBlock(), min_num=2, max_num=16)

    class Meta:
        icon = "image"
        label = _("Logos")
        group = _("Proof")
