"""Project list: all case studies of the site. Visitors filter them by industry, service or technology."""

from collections.abc import Mapping
from typing import Any, Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.base import BlockData, wire_names
from ...schemas.project import ProjectCard
from ..snapshot import TranslationKeys
from .base import LineBlock, ParagraphBlock, SiteBlock


class ProjectListData(BlockData):
    type: Literal["project_list"] = "project_list"
    title: str
    text: str = ""
    projects: list[ProjectCard]
    """Every case study of the site, ranked ones first. The browser filters by the values in the cards."""


class ProjectListBlock(SiteBlock):
    """A list of all case studies. A published case study shows here at once."""

    Data = ProjectListData
    EXAMPLES = {
        "default": {
            "anchor": "cases",
            "title": "What we have built",
            "text": "Choose an industry, a service or a technology.",
        }
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)

    class Meta:
        icon = "folder-open-inverse"
        label = _("All case studies")
        group = _("Lists")

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        return {**super().snapshot(raw, id, pages), "projects": {"$items": "project", "pick": wire_names(ProjectCard)}}
