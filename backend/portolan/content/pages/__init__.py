"""The list of page families. A new one is a file beside this and a line here."""

from typing import Final

from .about import AboutPage
from .base import SitePage
from .case_study import CaseStudyPage
from .contact import ContactPage
from .error import ErrorPage
from .home import HomePage
from .legal import LegalPage
from .service import ServicePage

FAMILIES: Final[tuple[type[SitePage], ...]] = (
    HomePage,
    ServicePage,
    CaseStudyPage,
    AboutPage,
    ContactPage,
    LegalPage,
    ErrorPage,
)
