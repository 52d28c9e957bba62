"""Tech stack: technologies in named groups, each optionally with its use."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from ...schemas.link import Link
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock


class Technology(Schema):
    name: str
    note: str = ""
    link: Link | None = None


class TechnologyGroup(Schema):
    title: str
    technologies: list[Technology]
    """1..14, in the editor's order."""


class TechStackData(BlockData):
    type: Literal["tech_stack"] = "tech_stack"
    title: str
    text: str = ""
    groups: list[TechnologyGroup]
    """1..6."""


class TechnologyBlock(blocks.StructBlock):
    name = LineBlock(max_length=40)
    note = LineBlock(required=False, max_length=100, help_text=_("Its use, in a few words."))
    link = LinkBlock(
        required=False, help_text=_("The name becomes the link. Screen readers read the title of the link.")
    )

    class Meta:
        label = _("Technology")
        label_format = "{name}"


class TechnologyGroupBlock(blocks.StructBlock):
    title = LineBlock(max_length=60)
    technologies = blocks.ListBlock(TechnologyBlock(), min_num=1, max_num=14)

    class Meta:
        label = _("Group")
        label_format = "{title}"


class TechStackBlock(SiteBlock):
    Data = TechStackData
    EXAMPLES = {
        "default": {
            "title": "What we build with",
            "text": "Dull where it carries weight, new where it earns its place.",
            "groups": [
                {
                    "title": "Behind the page",
                    "technologies": [
                        {
                            "name": "Python",
                            "note": "Django and FastAPI, typed throughout",
                            "link": {"title": "Web development with Python", "page": 3},
                        },
                        {"name": "Java", "note": "Spring Boot, for what banks run"},
                        {"name": "Go", "note": "Where a thousand connections wait at once"},
                        {"name": "PostgreSQL", "note": "The default, until a measurement says otherwise"},
                        {"name": "Kafka", "note": "Berth events, meter readings, payments"},
                    ],
                },
                {
                    "title": "In the browser",
                    "technologies": [
                        {"name": "React", "note": "Rendered on the server first"},
                        {"name": "TypeScript", "note": "Strict"},
                        {
                            "name": "Web Components",
                            "note": "For what must outlive a framework",
                            "link": {"title": "Our notes on Web Components", "url": "https://handbook.example/wc"},
                        },
                    ],
                },
                {
                    "title": "Underneath",
                    "technologies": [{"name": name} for name in ("Kubernetes", "Terraform", "AWS", "Azure", "Debian")],
                },
            ],
        },
        "long-words": {
            "tone": "ink",
            "title": "Werkzeuge",
            "groups": [
                {
                    "title": "Qualitätssicherungswerkzeuge",
                    "technologies": [
                        {"name": "Playwright", "note": "Barrierefreiheitsprüfungen in drei Browsern"},
                        {"name": "Wahrscheinlichkeitsverteilungsgenerator", "note": "Eigenschaftsbasierte Prüfung"},
                    ],
                }
            ],
        },
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    groups = blocks.ListBlock(TechnologyGroupBlock(), min_num=1, max_num=6)

    class Meta:
        icon = "cogs"
        label = _("Tech stack")
        group = _("Proof")
