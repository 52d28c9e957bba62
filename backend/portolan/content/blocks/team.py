"""Team: specialists for hire, with skills and without names."""

from typing import Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData
from ...schemas.company import Cv
from .company_list import CompanyListBlock


class TeamData(BlockData):
    type: Literal["team"] = "team"
    title: str
    text: str = ""
    cvs: list[Cv]
    """In the editors' order. If it is empty, the block is hidden."""


class TeamBlock(CompanyListBlock):
    Data = TeamData
    EXAMPLES = {
        "default": {
            "anchor": "team",
            "title": "Who could join you",
            "text": "Free within six weeks. You talk to each of them before you decide.",
        },
        "one": {"tone": "ink", "title": "On call tonight", "limit": 1},
    }

    ITEMS = "cv"
    FIELD = "cvs"

    class Meta:
        icon = "group"
        label = _("Team")
        group = _("Company")
