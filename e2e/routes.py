"""The specification's table of routes (spec §2): the routes of each site, and the frame of their pages.

The table is written out by hand and independent of the site configuration and the content.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SITES: Final = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr")
LANGUAGE: Final = {
    "en": ("en", "ltr", ("en", "x-default")),
    "uk": ("en-GB", "ltr", ("en-gb",)),
    "de": ("de-DE", "ltr", ("de",)),
    "ae": ("ar-AE", "rtl", ("ar",)),
    "az": ("az-AZ", "ltr", ("az",)),
    "kz": ("ru-KZ", "ltr", ("ru-kz",)),
    "pl": ("pl-PL", "ltr", ("pl",)),
    "fr": ("fr-FR", "ltr", ("fr",)),
}
"""Language tag and direction of a site's pages, and what other sites call them by."""
SWITCHER: Final = ("en", "de", "ae", "az", "fr")
"""Sites that show the language switcher, which are the ones it lists."""
SWITCHER_HIDDEN_ON: Final = ("/agb", "/impressum")

FULL: Final = ("en", "uk", "de")
CORE: Final = ("az", "kz", "pl", "fr")


@dataclass(frozen=True)
class Kind:
    """The frame around the content of one kind of page."""

    header: str = "solid"
    progress: bool = False
    anchors: bool = False


HOME: Final = Kind(header="transparent")
UNLISTED: Final = Kind(header="transparent")
PLAIN: Final = Kind()
SECTIONED: Final = Kind(anchors=True)
LONG: Final = Kind(progress=True, anchors=True)

Routes = Mapping[str, tuple[Kind, tuple[str, ...]]]


def _below(folder: str, kind: Kind, sites_by_slug: Mapping[str, tuple[str, ...]]) -> Routes:
    return {f"/{folder}/{slug}": (kind, sites) for slug, sites in sites_by_slug.items()}


ROUTES: Final[Routes] = {
    "/": (HOME, SITES),
    "/contact-us": (PLAIN, (*FULL, "ae", "kz", "pl")),
    "/agb": (PLAIN, ("de",)),
    "/impressum": (PLAIN, ("de",)),
    "/blueprint": (PLAIN, FULL),
    "/project-cases": (PLAIN, (*FULL, *CORE)),
    "/about-us": (SECTIONED, SITES),
    "/company/insights": (PLAIN, (*FULL, *CORE)),
    "/company/testimonials": (PLAIN, (*FULL, *CORE)),
    "/events": (UNLISTED, FULL),
    "/estimate": (UNLISTED, FULL),
    "/gtc": (PLAIN, FULL),
    "/gtc-for-consultancy-services": (PLAIN, FULL),
    "/consultancy-services-agreements": (PLAIN, FULL),
    "/gtc-for-consultancy-services-germany-gmbh": (PLAIN, FULL),
    "/privacy-policy": (PLAIN, (*FULL, "kz", "pl")),
    "/cookies-policy": (PLAIN, (*FULL, "kz", "pl")),
    "/industries/healthcare/telemedicine-app-development": (LONG, FULL),
    "/industries/financial-services/digital-banking-app": (LONG, FULL),
    **_below(
        "find-developers",
        PLAIN,
        {
            "back-end": FULL,
            "front-end": FULL,
            "android": FULL,
            "ios": FULL,
            "java": (*FULL, *CORE),
            "php": FULL,
            "react-js": (*FULL, *CORE),
            "python": (*FULL, *CORE),
        },
    ),
    **_below(
        "industries",
        SECTIONED,
        {
            "financial-services": SITES,
            "healthcare": (*FULL, *CORE),
            "logistics": (*FULL, *CORE),
            "travel-hospitality": (*FULL, *CORE),
            "automotive": (*FULL, *CORE),
            "media-and-entertainment": (*FULL, *CORE),
            "telecom": (*FULL, *CORE),
            "manufacturing": (*FULL, *CORE),
            "real-estate": (*FULL, *CORE),
            "gambling": (*FULL, "kz", "pl"),
            "retail": (*FULL, *CORE),
            "nonprofit-software-development": (*FULL, "kz", "pl", "fr"),
            "construction-software-development": ("az",),
            "custom-energy-management-software": ("az",),
            "oil-and-gas": ("ae",),
        },
    ),
    **_below(
        "services",
        SECTIONED,
        {
            "mobile-development": SITES,
            "web-development": SITES,
            "quality-assurance-services": (*FULL, *CORE),
            "software-team-staff-augmentation": (*FULL, *CORE),
            "project-development-services": FULL,
            "dedicated-team": (*FULL, *CORE),
            "software-engineering-services": FULL,
            "design-studio": (*FULL, "ae"),
            "devops": (*FULL, *CORE),
            "business-analysts": FULL,
            "architecture": FULL,
            "iot-development-services": FULL,
            "data-development-services-with-brightmoor": FULL,
            "mvp-development-services-brightmoor": FULL,
            "brightmoor-saas-development-services": FULL,
            "ai": ("ae",),
            "ai-tools": ("ae",),
            "custom-software-development": ("ae",),
            "security-management": ("ae",),
        },
    ),
}
"""By route what stands around it, and the sites that have it; it is a 404 on the others."""

LISTED: Final[Mapping[str, tuple[Kind, int, int]]] = {
    r"/project-cases/[a-z0-9-]+": (LONG, 30, 3),
    r"/blueprint/[a-z0-9-]+": (LONG, 1, 0),
    r"/company/insights/[a-z0-9-]+": (PLAIN, 6, 6),
    r"/events/[a-z0-9-]+": (UNLISTED, 1, 0),
}
"""Routes that editors add to: what stands around them, and how many at least a full site and a core site have. The Arabic
site has none.
"""
ERRORS: Final = ("/404.html", "/500.html", "/offline.html")
NOWHERE: Final = "/no/such/page"
