"""List the blocks. For a new one, add a file here, a line below, and a component in ``web/src/blocks``."""

from typing import Final

from django.conf import settings

from ..plugins import find_plugin_blocks
from .awards import AwardsBlock
from .base import SiteBlock
from .call_to_action import CallToActionBlock
from .cards import CardsBlock
from .certificates import CertificatesBlock
from .code import CodeBlock
from .comparison import ComparisonBlock
from .contact_form import ContactFormBlock
from .diagram import DiagramBlock
from .download import DownloadBlock
from .estimate import EstimateBlock
from .estimate_teaser import EstimateTeaserBlock
from .event_list import EventListBlock
from .event_teasers import EventTeasersBlock
from .faq import FaqBlock
from .gallery import GalleryBlock
from .hero import HeroBlock
from .image_text import ImageTextBlock
from .logos import LogosBlock
from .marquee import MarqueeBlock
from .news_list import NewsListBlock
from .news_teasers import NewsTeasersBlock
from .offices import OfficesBlock
from .project_list import ProjectListBlock
from .project_map import ProjectMapBlock
from .project_teasers import ProjectTeasersBlock
from .quote import QuoteBlock
from .rich_text import RichTextBlock
from .stats import StatsBlock
from .steps import StepsBlock
from .tabs import TabsBlock
from .team import TeamBlock
from .tech_stack import TechStackBlock
from .testimonials import TestimonialsBlock
from .timeline import TimelineBlock
from .videos import VideosBlock

_OWN: Final[tuple[type[SiteBlock], ...]] = (
    HeroBlock,
    RichTextBlock,
    ImageTextBlock,
    CardsBlock,
    StepsBlock,
    ComparisonBlock,
    TimelineBlock,
    CodeBlock,
    DiagramBlock,
    StatsBlock,
    LogosBlock,
    QuoteBlock,
    TechStackBlock,
    AwardsBlock,
    FaqBlock,
    CallToActionBlock,
    OfficesBlock,
    ProjectListBlock,
    NewsListBlock,
    TestimonialsBlock,
    EventListBlock,
    ProjectTeasersBlock,
    NewsTeasersBlock,
    EventTeasersBlock,
    ProjectMapBlock,
    VideosBlock,
    CertificatesBlock,
    TeamBlock,
    ContactFormBlock,
    EstimateBlock,
    GalleryBlock,
    TabsBlock,
    MarqueeBlock,
    DownloadBlock,
    EstimateTeaserBlock,
)
BLOCKS: Final[tuple[type[SiteBlock], ...]] = (*_OWN, *find_plugin_blocks(settings.SITES_REGISTRY.plugins, _OWN))
"""The product's blocks and those of the company's plugins."""
