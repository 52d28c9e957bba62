"""The list of models: Django finds them here, each is at home in the module of its noun."""

from .collections.certificates import Certificate, CertificateWords
from .collections.cvs import Cv, CvWords
from .collections.facets import FacetValue, FacetWords
from .collections.offices import Office, OfficeCategory, OfficeCategoryName, OfficeText
from .collections.phones import Phone
from .collections.reviews import Review, ReviewPlacement, ReviewWords
from .collections.videos import InsightShort, InsightShortWords, InsightVideo, InsightVideoWords
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .pages import FAMILIES
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
from .site_records import SiteRecord

__all__ = (
    "FAMILIES",
    "AboutPage",
    "ArticlePage",
    "BlueprintPage",
    "CaseStudyPage",
    "CaseStudyPlacement",
    "Certificate",
    "CertificateWords",
    "ContactPage",
    "Cv",
    "CvWords",
    "ErrorPage",
    "EstimatePage",
    "EventPage",
    "FacetValue",
    "FacetWords",
    "FolderPage",
    "FooterSettings",
    "HomePage",
    "IndustryPage",
    "InsightShort",
    "InsightShortWords",
    "InsightVideo",
    "InsightVideoWords",
    "LegalPage",
    "ListingPage",
    "MenuSettings",
    "Office",
    "OfficeCategory",
    "OfficeCategoryName",
    "OfficeText",
    "Phone",
    "Rate",
    "RateCardSettings",
    "Review",
    "ReviewPlacement",
    "ReviewWords",
    "ServicePage",
    "SiteImage",
    "SiteRecord",
    "SiteRendition",
    "TechStackPage",
)
