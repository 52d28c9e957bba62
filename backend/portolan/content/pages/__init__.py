"""List the page types. For a new one, add a file here and a line below."""

from typing import Final

from django.conf import settings

from ..plugins import find_plugin_page_types
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

OWN_PAGE_TYPES: Final[tuple[type[SitePage], ...]] = (
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
PAGE_TYPES: Final[tuple[type[SitePage], ...]] = (
    *OWN_PAGE_TYPES,
    *find_plugin_page_types(settings.SITES_REGISTRY.plugins, OWN_PAGE_TYPES),
)
"""The product's page types and those of the company's plugins."""

for _page_type in PAGE_TYPES[len(OWN_PAGE_TYPES) :]:
    # Wagtail checks both sides whether a page may be below another. The plugin's declaration is enough here.
    for _parent in OWN_PAGE_TYPES:
        if f"content.{_parent.__name__}" in (_page_type.parent_page_types or ()) and "subpage_types" in vars(_parent):
            _parent.subpage_types = [*_parent.subpage_types, f"{_page_type._meta.app_label}.{_page_type.__name__}"]
