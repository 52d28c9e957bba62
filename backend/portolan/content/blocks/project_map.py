"""Project map: case studies on a chart of the world, and the same as a list."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData, Schema, wire_names
from ...schemas.link import Link
from ..freeze import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class MappedProject(Schema):
    """A case study with a place on the map."""

    id: str
    client: str
    country: str
    """The client's: ISO 3166-1 alpha-2, lower case."""
    lat: float
    lng: float
    link: Link


class ProjectMapData(BlockData):
    type: Literal["project_map"] = "project_map"
    title: str
    text: str = ""
    projects: list[MappedProject]
    """The ranked ones first by rank. Where there is none, nothing of the block is shown."""
    link: Link | None = None


class ProjectMapBlock(SiteBlock):
    """The case studies stand where their latitude and longitude say; those without are left out."""

    Data = ProjectMapData
    EXAMPLES = {
        "default": {
            "anchor": "map",
            "title": "Where our work runs",
            "text": "Every dot is a system in use.",
            "link": {"title": "All case studies", "page": 2},
        },
        "ink": {"tone": "ink", "title": "From harbour to harbour"},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    link = LinkBlock(required=False, help_text=_("Below the list, e.g. to all case studies."))

    class Meta:
        icon = "globe"
        label = _("Map of case studies")
        group = _("Lists")

    def freeze(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        projects = {"$items": "project", "choose": ["mapped"], "pick": wire_names(MappedProject)}
        return {**super().freeze(raw, id, pages), "projects": projects}
