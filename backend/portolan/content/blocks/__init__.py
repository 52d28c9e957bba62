"""The list of blocks. A new one is a file beside this and a line here (and a component in ``web/src/blocks``)."""

from typing import Final

from .base import SiteBlock
from .call_to_action import CallToActionBlock
from .cards import CardsBlock
from .contact_form import ContactFormBlock
from .estimate import EstimateBlock
from .estimate_teaser import EstimateTeaserBlock
from .event_list import EventListBlock
from .faq import FaqBlock
from .gallery import GalleryBlock
from .hero import HeroBlock
from .logos import LogosBlock
from .marquee import MarqueeBlock
from .news_list import NewsListBlock
from .offices import OfficesBlock
from .project_list import ProjectListBlock
from .rich_text import RichTextBlock
from .stats import StatsBlock
from .tabs import TabsBlock
from .testimonials import TestimonialsBlock

BLOCKS: Final[tuple[type[SiteBlock], ...]] = (
    HeroBlock,
    RichTextBlock,
    CardsBlock,
    StatsBlock,
    LogosBlock,
    FaqBlock,
    CallToActionBlock,
    OfficesBlock,
    ProjectListBlock,
    NewsListBlock,
    TestimonialsBlock,
    EventListBlock,
    ContactFormBlock,
    EstimateBlock,
    GalleryBlock,
    TabsBlock,
    MarqueeBlock,
    EstimateTeaserBlock,
)
