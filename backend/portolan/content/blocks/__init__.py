"""The list of blocks. A new one is a file beside this and a line here (and a component in ``web/src/blocks``)."""

from typing import Final

from .base import SiteBlock
from .call_to_action import CallToActionBlock
from .cards import CardsBlock
from .faq import FaqBlock
from .hero import HeroBlock
from .logos import LogosBlock
from .offices import OfficesBlock
from .rich_text import RichTextBlock
from .stats import StatsBlock

BLOCKS: Final[tuple[type[SiteBlock], ...]] = (
    HeroBlock,
    RichTextBlock,
    CardsBlock,
    StatsBlock,
    LogosBlock,
    FaqBlock,
    CallToActionBlock,
    OfficesBlock,
)
