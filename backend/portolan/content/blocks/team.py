"""Team: specialists for hire, by what they can do and without their names."""

from collections.abc import Mapping
from typing import Any, Literal

from wagtail import blocks

from ...shapes.base import BlockData
from ...shapes.company import Cv
from ..freeze import PageKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class TeamData(BlockData):
    type: Literal["team"] = "team"
    title: str
    text: str = ""
    cvs: list[Cv]
    """In the editors' order. Where there is none, nothing of the block is shown."""


class TeamBlock(SiteBlock):
    """The CVs are kept under Company in the studio; a change there shows here on every site."""

    Data = TeamData
    EXAMPLES = {
        "default": {
            "anchor": "team",
            "title": "Who could join you",
            "text": "Free within six weeks. You talk to each of them before you decide.",
        },
        "one": {"tone": "ink", "title": "On call tonight", "limit": 1},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    limit = blocks.IntegerBlock(
        required=False, min_value=1, max_value=24, label="At most", help_text="Empty: all of them."
    )

    class Meta:
        icon = "group"
        label = "Team"
        group = "Company"

    def freeze(self, raw: Mapping[str, Any], id: str, pages: PageKeys) -> dict[str, Any]:
        frozen = super().freeze(raw, id, pages)
        limit = frozen.pop("limit")
        return {**frozen, "cvs": {"$items": "cv", "first": limit}}
