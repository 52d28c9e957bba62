"""The list of page families. A new one is a file beside this and a line here."""

from typing import Final

from .about import AboutPage
from .article import ArticlePage
from .base import SitePage
from .blueprint import BlueprintPage
from .case_study import CaseStudyPage
from .contact import ContactPage
from .error import ErrorPage
from .estimate import EstimatePage
from .event import EventPage
from .home import HomePage
from .industry import IndustryPage
from .legal import LegalPage
from .listing import ListingPage
from .service import ServicePage
from .tech_stack import TechStackPage

FAMILIES: Final[tuple[type[SitePage], ...]] = (
    HomePage,
    ServicePage,
    IndustryPage,
    TechStackPage,
    ListingPage,
    CaseStudyPage,
    ArticlePage,
    EventPage,
    BlueprintPage,
    AboutPage,
    ContactPage,
    EstimatePage,
    LegalPage,
    ErrorPage,
)
