"""Every route of the specification's table on every site: there or a 404, and what stands around its content (spec §2).

The table is written out, and knows nothing of the registry or the content: it is what was asked for.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import httpx
import pytest

from .documents import Document
from .product import Product

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
    """What stands around the content of pages of one kind."""

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


@pytest.fixture(scope="module")
def get(product: Product) -> Iterator[Callable[[str, str], httpx.Response]]:
    """One connection for all of these requests."""
    with httpx.Client(base_url=f"http://127.0.0.1:{product.port}", timeout=10) as client:
        yield lambda site, path: client.get(path, headers={"host": product.origin(site).removeprefix("http://")})


Get = Callable[[str, str], httpx.Response]


@pytest.mark.parametrize("path", ROUTES)
def test_a_route_is_on_its_sites_and_nowhere_else(product: Product, get: Get, path: str) -> None:
    kind, sites = ROUTES[path]
    replies = {site: get(site, path) for site in SITES}
    assert {site for site, reply in replies.items() if reply.status_code == 200} == {*sites}
    for site, reply in replies.items():
        if site in sites:
            assert read(reply) == expected(product, site, path, kind, sites), f"{path} on {site}"
        else:
            assert reply.status_code == 404, f"{path} on {site}"
            page = read(reply)
            assert (page["lang"], page["dir"]) == LANGUAGE[site][:2], f"{path} on {site}"
            assert (page["canonical"], page["alternates"], page["h1"]) == (None, {}, 1), f"{path} on {site}"


@pytest.mark.parametrize("pattern", LISTED)
def test_routes_that_editors_add_to(product: Product, get: Get, pattern: str) -> None:
    kind, full, core = LISTED[pattern]
    found = {site: {path for path in documents(product, site) if re.fullmatch(pattern, path)} for site in SITES}
    for site, paths in found.items():
        wanted = full if site in FULL else core if site in CORE else 0
        assert len(paths) >= wanted and (wanted or not paths), f"{site} has {len(paths)} of {wanted}"
    for path in sorted(set().union(*found.values())):
        sites = tuple(site for site in SITES if path in found[site])
        for site in sites:
            reply = get(site, path)
            assert read(reply) == expected(product, site, path, kind, sites), f"{path} on {site}"


@pytest.mark.parametrize("site", SITES)
def test_nothing_is_served_that_the_table_does_not_know(product: Product, site: str) -> None:
    known = {path for path, (_, sites) in ROUTES.items() if site in sites} | set(ERRORS)
    others = documents(product, site) - known
    assert {path for path in others if not any(re.fullmatch(pattern, path) for pattern in LISTED)} == set()


@pytest.mark.parametrize("path", ERRORS)
@pytest.mark.parametrize("site", SITES)
def test_error_pages_are_in_the_sites_language_and_nobodys_translation(get: Get, site: str, path: str) -> None:
    page = read(get(site, path))
    assert (page["lang"], page["dir"]) == LANGUAGE[site][:2]
    assert (page["canonical"], page["alternates"], page["h1"], page["header"]) == (None, {}, 1, "solid")


def documents(product: Product, site: str) -> set[str]:
    """Addresses of the pages that the site's build has."""
    files = product.live()[site].files.items()
    return {path for path, file in files if file.content_type.startswith("text/html") and "/assets/" not in path}


def expected(product: Product, site: str, path: str, kind: Kind, sites: tuple[str, ...]) -> dict[str, object]:
    language, direction, _ = LANGUAGE[site]
    shown = site in SWITCHER and path not in SWITCHER_HIDDEN_ON
    own = {tag: address(product, other, path) for other in sites for tag in LANGUAGE[other][2]}
    return {
        "lang": language,
        "dir": direction,
        "canonical": address(product, site, path),
        "alternates": own,
        "h1": 1,
        "header": kind.header,
        "progress": kind.progress,
        "anchors": kind.anchors,
        "switcher": {LANGUAGE[other][2][0]: switched(product, site, other, path, sites) for other in SWITCHER}
        if shown
        else {},
    }


def switched(product: Product, site: str, other: str, path: str, sites: tuple[str, ...]) -> str:
    """Where the switcher leads: to the same page, else to the site's home; within the own site by its path."""
    target = path if other in sites else "/"
    return target if other == site else address(product, other, target)


def address(product: Product, site: str, path: str) -> str:
    return product.origin(site) + path.rstrip("/")


def read(reply: httpx.Response) -> dict[str, object]:
    """What stands around a page's content."""
    page = Document("", str(reply.url), "", reply.text)
    (html,), (header,) = page.all("html"), page.all("header")
    switcher = re.search(r"<details[^>]* data-switcher.*?</details>", page.html, re.DOTALL)
    languages = Document("", str(reply.url), "", switcher[0]).all("a") if switcher else []
    return {
        "lang": html["lang"],
        "dir": html["dir"],
        "canonical": page.canonical,
        "alternates": page.alternates,
        "h1": len(page.all("h1")),
        "header": "transparent" if "data-transparent" in header else "solid",
        "progress": any("data-reading-progress" in attributes for _, attributes in page.elements),
        "anchors": any("data-anchor-menu" in attributes for _, attributes in page.elements),
        "switcher": {link["hreflang"]: link["href"] for link in languages},
    }
