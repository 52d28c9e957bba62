"""The list of models: Django finds them here, each is at home in the module of its noun."""

from .collections.offices import Office, OfficeCategory, OfficeCategoryName, OfficeText
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .pages import FAMILIES
from .pages.about import AboutPage
from .pages.case_study import CaseStudyPage
from .pages.contact import ContactPage
from .pages.error import ErrorPage
from .pages.folder import FolderPage
from .pages.home import HomePage
from .pages.legal import LegalPage
from .pages.service import ServicePage
from .pictures import SiteImage, SiteRendition
from .site_records import SiteRecord

__all__ = (
    "FAMILIES",
    "AboutPage",
    "CaseStudyPage",
    "ContactPage",
    "ErrorPage",
    "FolderPage",
    "FooterSettings",
    "HomePage",
    "LegalPage",
    "MenuSettings",
    "Office",
    "OfficeCategory",
    "OfficeCategoryName",
    "OfficeText",
    "ServicePage",
    "SiteImage",
    "SiteRecord",
    "SiteRendition",
)
