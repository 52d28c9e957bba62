"""Examples of blocks and pages without a database, written to contract/examples/ as fixtures.

This module has the pages, images and documents that examples of blocks name by id, and the items of lists.
"""

from collections.abc import Mapping
from datetime import date as Date
from typing import Any, Final

from portolan.domain.references import PageTarget
from portolan.schemas.base import Schema
from portolan.schemas.company import Phone
from portolan.schemas.link import Link
from portolan.schemas.media import Picture, PictureVariant
from portolan.schemas.navigation import FooterGroup, FooterLink, MenuItem, MenuOptions, SocialLink, SubmenuItem
from portolan.schemas.office import Office, OfficeCategory
from portolan.schemas.page import (
    Alternate,
    CaptchaSettings,
    DeferredScript,
    Head,
    RuntimeRules,
    SharedData,
    Sharing,
    SiteSettings,
    LanguageLink,
    VisitorRules,
)
from portolan.schemas.video import Video
from portolan.content.blocks import BLOCKS
from .example_items import ITEMS, PAGE_KEYS, PAGES
from portolan.content.page_content import PageContent

PLACEHOLDERS: Final = {
    "age": "19",
    "employees": "3500+",
    "projects": "1000+",
    "offices": "16",
    "company": "Brightmoor",
    "year": "2026",
}


def _variant(width: int, height: int) -> dict[str, Any]:
    files = {
        f"{format_}{density}": f"/media/pictures/example/cranes-{width * factor}.{format_}"
        for format_ in ("webp", "avif")
        for density, factor in (("", 1), ("2x", 2))
    }
    return PictureVariant(width=width, height=height, **files).model_dump(by_alias=True)


PICTURES: Final[dict[str, dict[str, Any]]] = {
    "1": {
        "url": "/media/example.svg",
        "width": 640,
        "height": 480,
        "mobile": None,
        "tablet": None,
        "desktop": None,
        "vector": "/media/example.svg",
        "focus": None,
    },
    "2": {
        "url": "/media/pictures/example/cranes-1280.webp",
        "width": 2560,
        "height": 1600,
        "mobile": _variant(480, 300),
        "tablet": _variant(768, 480),
        "desktop": _variant(1280, 800),
        "vector": None,
        "focus": None,
    },
}

DOCUMENTS: Final = {
    "1": {"url": "/media/documents/0123456789abcdef/handover-checklist.pdf", "kind": "pdf", "size": 184_320},
    "2": {"url": "/media/documents/fedcba9876543210/course-to-the-light.webm", "kind": "webm", "size": 74_400},
}

_PORTS = OfficeCategory(name="Engineering hub", icon="code")
_SALES = OfficeCategory(name="Client office", icon="building-2")
OFFICES: Final = (
    Office(
        id="dallas", city="Dallas", address="1200 Harbour Avenue, Dallas, TX 75201", phone="+1 214-555-0140",
        category=_SALES, country="us", lat=32.7767, lng=-96.797, sets=["default", "us"],
    ),
    Office(
        id="london", city="London", address="18 Quay Street, London E14 5AB", phone="+44 20 7946 0018",
        category=_SALES, country="gb", lat=51.5054, lng=-0.0235, sets=["default", "uk"],
    ),
    Office(
        id="hamburg", city="Hamburg", address="Lotsenweg 4, 20457 Hamburg", phone="+49 30 23125 014",
        category=_PORTS, country="de", lat=53.5413, lng=9.9842, sets=["default", "de"],
    ),
    Office(
        id="dubai", city="Dubai", address="Dock 7, Creek Road, Dubai", phone="+971 4 555 0107",
        category=_SALES, country="ae", lat=25.2632, lng=55.2972, sets=["default", "ae"],
    ),
)  # fmt: skip

PHONES: Final = (
    Phone(id="default", phone="+1 214 555 0142", is_default=True, countries=["us"]),
    Phone(id="london", phone="+44 20 7946 0018", is_default=False, countries=["gb", "ie"]),
    Phone(id="berlin", phone="+49 30 23125 014", is_default=False, countries=["de", "at"]),
)


class ExampleLookup:
    """Resolves the references of the examples."""

    def page(self, key: str) -> PageTarget | None:
        return next((PageTarget(path) for id, path in PAGES.items() if PAGE_KEYS[id] == key), None)

    def picture(self, key: str) -> dict[str, Any] | None:
        return PICTURES.get(key)

    def document(self, key: str) -> dict[str, Any] | None:
        return DOCUMENTS.get(key)

    def items(self, kind: str) -> list[Any]:
        schemas = {"office": OFFICES, "phone": PHONES}.get(kind)
        return ITEMS[kind] if schemas is None else [schema.model_dump(mode="json", by_alias=True) for schema in schemas]

    def placed(self, kind: str) -> list[Any]:
        return ITEMS[kind][:1]

    def own_page(self) -> str | None:
        """Return a case study, which two others are related to."""
        return PAGE_KEYS[7]

    def placeholder(self, name: str) -> str | None:
        return PLACEHOLDERS.get(name)

    def is_external(self, url: str) -> bool:
        return url.startswith("http")


def build_block_examples() -> Mapping[str, Schema]:
    """Return the resolved examples of all blocks by ``<type>.<example>``."""
    return {
        f"{block.type_name()}.{name}": block().to_data(
            raw, ExampleLookup(), id=f"example-{block.type_name()}-{name}", pages=PAGE_KEYS
        )
        for block in BLOCKS
        for name, raw in block.EXAMPLES.items()
    }


def build_page_example() -> PageContent:
    """Return a home page with every block once."""
    blocks = build_block_examples()
    return PageContent(
        path="/",
        key="home",
        title="Home",
        changed="2026-11-01T09:30:00+00:00",
        template="home",
        header="transparent",
        motif=2718281828,
        head=Head(
            title="Brightmoor: custom software for ports, clinics and banks",
            description="Brightmoor builds and runs custom software: web, mobile and quality assurance, from 16 offices "
            "on four continents, since 2007.",
            canonical="https://brightmoor.example/",
            alternates=[
                Alternate(site="en", hreflang="en", href="https://brightmoor.example/"),
                Alternate(site="en", hreflang="x-default", href="https://brightmoor.example/"),
                Alternate(site="de", hreflang="de", href="https://brightmoor-de.example/"),
                Alternate(site="ae", hreflang="ar", href="https://brightmoor-ae.example/"),
            ],
            og_locale="en_US",
        ),
        sharing=Sharing(
            picture="https://brightmoor.example/assets/sharing-4d1f20c2a5b7e6f80912c3d4.jpg", locales=["de_DE", "ar_AE"]
        ),
        switcher=[
            LanguageLink(
                site="en", label="English", code="EN", lang="en", hreflang="en",
                href="https://brightmoor.example/", current=True,
            ),
            LanguageLink(
                site="de", label="Deutsch", code="DE", lang="de-DE", hreflang="de",
                href="https://brightmoor-de.example/", current=False,
            ),
            LanguageLink(
                site="ae", label="العربية", code="AR", lang="ar-AE", hreflang="ar",
                href="https://brightmoor-ae.example/", current=False,
            ),
        ],
        blocks=[blocks[f"{block.type_name()}.default"] for block in BLOCKS],
    )  # fmt: skip


def _picture(key: str, alt: str) -> Picture:
    return Picture.model_validate({**PICTURES[key], "alt": alt})


def build_shared_example() -> SharedData:
    """Return the data that all pages of the English site share."""

    def own(title: str, href: str) -> Link:
        return Link(title=title, href=href)

    services = [
        SubmenuItem(
            title="Web development",
            description="Portals and sites that stay quick under load",
            url=own("Web development", "/services/web-development"),
        ),
        SubmenuItem(
            title="Mobile development",
            description="Apps for the bridge, the ward and the branch",
            url=own("Mobile development", "/services/mobile-development"),
        ),
    ]
    northwind = own("Northwind Port Authority", "/project-cases/northwind-port-authority")
    cases = [
        SubmenuItem(title=northwind.title, url=northwind, img=_picture("2", "Harbour plan of Northwind")),
        SubmenuItem(
            title="Lumen Clinic Network",
            description="One record for 38 clinics",
            url=own("Lumen Clinic Network", "/project-cases/lumen-clinic-network"),
            img=_picture("1", "Chart of an archipelago"),
        ),
    ]
    insights = [
        SubmenuItem(
            title="Guides",
            description="To read before you begin",
            link_list=[own("All guides", "/blueprint"), northwind],
        ),
        SubmenuItem(
            title="Videos",
            content_type="rnd-videos",
            videos=[
                Video(
                    id=f"video-{number}",
                    title=title,
                    cover=_picture("2", ""),
                    video_id=f"example-00{number}",
                    published=Date(2026, 3, number),
                )
                for number, title in enumerate(("How a release is frozen", "A berth plan in nine minutes"), 1)
            ],
        ),
        SubmenuItem(title="Latest news", content_type="news"),
    ]
    agb = Link(title="AGB", href="https://brightmoor-de.example/agb", site="de", hreflang="de")
    careers = Link(title="Careers", href="https://people.brightmoor.example/jobs", external=True)
    return SharedData(
        site=SiteSettings(
            key="en",
            lang="en",
            dir="ltr",
            date_locale="en-GB",
            origin="https://brightmoor.example",
            international="",
            company="Brightmoor",
            legal_name="Brightmoor Engineering Ltd.",
            founded=Date(2007, 2, 1),
            logo="https://brightmoor.example/icon-512.png",
            theme_color="#020d1c",
            background_color="#020d1c",
            dark_theme=True,
        ),
        menu=[
            MenuItem(
                key="services",
                title="Services",
                submenu=services,
                parent_link=own("How we work", "/about-us"),
            ),
            MenuItem(
                key="cases",
                title="Case studies",
                to=own("Case studies", "/project-cases"),
                submenu=cases,
                options=MenuOptions(theme="image-cards"),
            ),
            MenuItem(key="insights", title="Insights", submenu=insights, options=MenuOptions(theme="tabs")),
            MenuItem(key="about", title="About us", to=own("About us", "/about-us")),
        ],
        contact=own("Contact us", "/contact-us"),
        footer=[
            FooterGroup(
                key="services",
                title="Services",
                links=[FooterLink(link=entry.url) for entry in services if entry.url],
            ),
            FooterGroup(
                key="company",
                title="Company",
                links=[
                    FooterLink(link=own("About us", "/about-us")),
                    FooterLink(link=careers, region="cis"),
                    FooterLink(link=agb),
                ],
            ),
        ],
        legal_links=[own("Privacy policy", "/privacy-policy"), own("Cookies policy", "/cookies-policy")],
        offices=list(OFFICES),
        office_set="default",
        personal_data=own("Personal data (PDF)", "/media/documents/personal-data.pdf"),
        offices_link=own("All offices", "/about-us#offices"),
        headquarters="dallas",
        phones=list(PHONES),
        visitor=VisitorRules(
            country="",
            phone="visitor",
            offices="visitor",
            consent_theme="by-country",
            consent_profile="spec",
            consent_policy_version="2026-11-01",
        ),
        runtime=RuntimeRules(
            deferred_scripts=[
                DeferredScript(
                    name="settings",
                    src="/demo/settings.js",
                    purpose="ad_storage",
                    withheld_in=["ua", "by", "ru"],
                    off_main_thread=False,
                )
            ],
            web_vitals=False,
            service_worker=True,
        ),
        captcha=CaptchaSettings(provider="altcha", site_key=None),
        social=[
            SocialLink(network="linkedin", href="https://linkedin.example/brightmoor"),
            SocialLink(network="reviews", href="https://reviews.example/brightmoor"),
        ],
        year=2026,
    )
