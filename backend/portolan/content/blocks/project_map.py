"""Project map: case studies on a world map, and as a list."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData, Schema, wire_names
from ...schemas.link import Link
from ..snapshot import TranslationKeys
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class MappedProject(Schema):
    """A case study with a position on the map."""

    id: str
    client: str
    country: str
    """The client's country: ISO 3166-1 alpha-2, lower case."""
    lat: float
    lng: float
    link: Link


class ProjectMapData(BlockData):
    type: Literal["project_map"] = "project_map"
    title: str
    text: str = ""
    projects: list[MappedProject]
    """Ranked ones first. If it is empty, the block is hidden."""
    link: Link | None = None


class ProjectMapBlock(SiteBlock):
    """A map of the case studies that have a latitude and longitude."""

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
    link = LinkBlock(required=False, help_text=_("Link below the list, e.g. to all case studies."))

    class Meta:
        icon = "globe"
        label = _("Map of case studies")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        projects = {"$items": "project", "choose": ["mapped"], "pick": wire_names(MappedProject)}
        return {**super().snapshot(raw, id, pages), "projects": projects}
