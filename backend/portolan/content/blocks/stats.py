"""Stats: one to four numbers with captions (spec §1, public statistics)."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from .base import LineBlock, SiteBlock


class Stat(Schema):
    value: str
    """Formatted number, e.g. ``3500+``."""
    caption: str


class StatsData(BlockData):
    type: Literal["stats"] = "stats"
    title: str = ""
    stats: list[Stat]
    """1..4, in the editor's order."""


class StatBlock(blocks.StructBlock):
    value = LineBlock(
        max_length=24,
        help_text=_("A number, or {employees}, {projects}, {offices}, {age}, which stay up to date by themselves."),
    )
    caption = LineBlock(max_length=80, help_text=_("Text below the number, e.g. engineers."))

    class Meta:
        label = _("Figure")
        label_format = "{value} {caption}"


class StatsBlock(SiteBlock):
    Data = StatsData
    EXAMPLES = {
        "default": {
            "title": "In numbers",
            "stats": [
                {"value": "{employees}", "caption": "engineers, designers and analysts"},
                {"value": "{projects}", "caption": "projects delivered"},
                {"value": "{offices}", "caption": "offices on four continents"},
                {"value": "{age}", "caption": "years of making software"},
            ],
        },
        "one": {"tone": "ink", "stats": [{"value": "41 %", "caption": "less waiting at anchor in the first season"}]},
    }

    title = LineBlock(required=False, max_length=120)
    stats = blocks.ListBlock(StatBlock(), min_num=1, max_num=4)

    class Meta:
        icon = "order"
        label = _("Stats")
        group = _("Proof")
