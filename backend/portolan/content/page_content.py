"""Page content: everything of one route, and the renderer's input."""

from typing import Annotated

from pydantic import Field

from ..shapes.page import PageHead
from .blocks.call_to_action import CallToActionData
from .blocks.cards import CardsData
from .blocks.faq import FaqData
from .blocks.hero import HeroData
from .blocks.logos import LogosData
from .blocks.offices import OfficesData
from .blocks.rich_text import RichTextData
from .blocks.stats import StatsData

AnyBlockData = Annotated[
    CallToActionData | CardsData | FaqData | HeroData | LogosData | OfficesData | RichTextData | StatsData,
    Field(discriminator="type"),
]


class PageContent(PageHead):
    blocks: list[AnyBlockData]
