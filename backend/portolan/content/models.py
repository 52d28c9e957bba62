"""Import all models for Django. Each is defined in its own module."""

from .change_sets.models import ChangeSet, ChangeSetItem, ChangeSetNotice
from .collections.certificates import Certificate, CertificateTranslation
from .collections.cvs import Cv, CvTranslation
from .collections.facets import FacetValue, FacetValueTranslation
from .collections.offices import Office, OfficeCategory, OfficeCategoryTranslation, OfficeTranslation
from .collections.phones import Phone
from .collections.reviews import Review, ReviewPlacement, ReviewTranslation
from .collections.videos import InsightShort, InsightShortTranslation, InsightVideo, InsightVideoTranslation
from .fallbacks import PageFallback
from .interface_words import InterfaceWords
from .local_versions import LocalVersion
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .pages import PAGE_TYPES
from .pages.about import AboutPage
from .pages.article import ArticlePage
from .pages.blueprint import BlueprintPage
from .pages.case_study import CaseStudyPage, CaseStudyPlacement
from .pages.contact import ContactPage
from .pages.error import ErrorPage
from .pages.estimate import EstimatePage
from .pages.event import EventPage
from .pages.folder import FolderPage
from .pages.home import HomePage
from .pages.industry import IndustryPage
from .pages.legal import LegalPage
from .pages.listing import ListingPage
from .pages.service import ServicePage
from .pages.tech_stack import TechStackPage
from .pictures import SiteImage, SiteRendition
from .rate_card import Rate, RateCardSettings
from .redirects import Redirect
from .site_records import SiteRecord

__all__ = (
    "PAGE_TYPES",
    "AboutPage",
    "ArticlePage",
    "BlueprintPage",
    "CaseStudyPage",
    "CaseStudyPlacement",
    "Certificate",
    "CertificateTranslation",
    "ChangeSet",
    "ChangeSetItem",
    "ChangeSetNotice",
    "ContactPage",
    "Cv",
    "CvTranslation",
    "ErrorPage",
    "EstimatePage",
    "EventPage",
    "FacetValue",
    "FacetValueTranslation",
    "FolderPage",
    "FooterSettings",
    "HomePage",
    "IndustryPage",
    "InsightShort",
    "InsightShortTranslation",
    "InsightVideo",
    "InsightVideoTranslation",
    "InterfaceWords",
    "LegalPage",
    "ListingPage",
    "LocalVersion",
    "MenuSettings",
    "Office",
    "OfficeCategory",
    "OfficeCategoryTranslation",
    "OfficeTranslation",
    "PageFallback",
    "Phone",
    "Rate",
    "RateCardSettings",
    "Redirect",
    "Review",
    "ReviewPlacement",
    "ReviewTranslation",
    "ServicePage",
    "SiteImage",
    "SiteRecord",
    "SiteRendition",
    "TechStackPage",
)
