"""Define the input of the renderer for a route (page content) and its output (page data).

``content.blocks`` defines the union of blocks and completes ``PageContent``.
"""

from datetime import date as Date
from typing import Annotated, Any, Literal

from pydantic import Field

from .base import Schema
from .codes import Dir, LanguageTag, ScriptPurpose, SiteKey
from .company import Phone
from .link import Link
from .media import Picture
from .navigation import AnchorLink, FooterGroup, MenuItem, SocialLink
from .office import Office
from .project import FacetValue, ProjectCard
from .words import Words

Template = Literal[
    "home", "service", "industry", "tech-stack", "contact", "estimate", "about", "case-study", "article", "event", "blueprint",
    "listing", "legal", "error",
]  # fmt: skip
HeaderKind = Literal["transparent", "solid"]


def is_none(value: object) -> bool:
    """Return True for a value to leave out, so that JSON without it stays as it was."""
    return value is None


class Alternate(Schema):
    """The same page on one of our sites, for ``<link rel="alternate">`` and the sitemap."""

    site: SiteKey
    hreflang: str
    href: str


class LanguageLink(Schema):
    """A language of the switcher: the same page there, or that site's home page."""

    site: SiteKey
    label: str
    """The language's own name, e.g. ``العربية``."""
    code: str
    """Short code on the button, e.g. ``AR``."""
    lang: LanguageTag
    hreflang: str
    href: str
    current: bool


class Head(Schema):
    title: str
    description: str
    canonical: str | None
    """Absolute; None on error pages."""
    alternates: list[Alternate]
    """Empty if there are so many that only the sitemap lists them."""
    robots: str | None = None
    """Content of the robots meta element, if needed."""
    og_locale: str


class Sharing(Schema):
    """Open Graph data for sharing the page, in addition to title and description."""

    picture: str | None
    """Absolute URL of a JPEG of 1200 x 630 pixels with the page's title; None on error pages and in previews."""
    locales: list[str]
    """``og:locale`` of the pages in ``alternates``."""


class CaseStudyFacts(Schema):
    family: Literal["case-study"]
    id: str
    """ID of the project in the content API."""
    client: str
    country: str
    industries: list[FacetValue]
    services: list[FacetValue]
    technologies: list[FacetValue]
    gallery: list[Picture]
    """Images of the project, in addition to those in blocks."""
    related: list[ProjectCard]
    """The three most similar case studies."""


class ArticleFacts(Schema):
    family: Literal["article"]
    id: str
    """ID of the article in the content API and for counting views."""
    title: str
    summary: str
    preview_image: Picture
    date: Date


class EventFacts(Schema):
    family: Literal["event"]
    id: str
    title: str
    summary: str
    cover: Picture
    start: Date
    end: Date
    past: bool
    city: str
    """Empty for an online event."""
    country: str
    registration: str
    """URL for registration, or empty."""


class BlueprintFacts(Schema):
    family: Literal["blueprint"]
    id: str
    """ID of the article in the content API and for counting views."""
    title: str
    summary: str
    cover: Picture
    date: Date


PageFacts = Annotated[CaseStudyFacts | ArticleFacts | EventFacts | BlueprintFacts, Field(discriminator="family")]
"""Data for the layout in addition to blocks: part of the page's card."""


class OriginalLanguage(Schema):
    """The language of a page that its site has not translated."""

    lang: LanguageTag
    dir: Dir
    date_locale: str


class PageHead(Schema):
    """A page's content without its blocks. ``content.blocks.PageContent`` adds ``blocks``."""

    path: str
    """Normalised, e.g. ``/about-us``; error pages are ``/404.html``, ``/500.html`` and ``/offline.html``."""
    key: str
    """The page key: path without the leading slash, ``home`` for ``/``."""
    title: str
    """Name of the page, as in the breadcrumbs of pages below it."""
    changed: str | None
    """ISO time of the last change, with its offset; None if unknown."""
    template: Template
    header: HeaderKind
    motif: int
    """Seed of the page's own background pattern, 0..2**32-1."""
    head: Head
    sharing: Sharing
    switcher: list[LanguageLink]
    """Empty if the switcher is hidden."""
    breadcrumb: list[Link] = []
    anchors: list[AnchorLink] = []
    """The page's anchor menu: the blocks with a name for it, in order."""
    facts: PageFacts | None = None
    """None for pages without a card, and before the card is published."""
    fields: dict[str, Any] | None = None
    """Only for a plugin's page type: data for its layout in addition to blocks, by the plugin's own schema."""
    fallback: OriginalLanguage | None = Field(default=None, exclude_if=is_none)
    """Only for a page of another site that is shown untranslated."""


class SiteSettings(Schema):
    """Data of the site that the renderer needs."""

    key: SiteKey
    lang: LanguageTag
    dir: Dir
    date_locale: str
    """BCP 47 tag for dates and numbers, e.g. ``ar-AE-u-nu-latn-ca-gregory``."""
    origin: str
    international: str
    """Origin of the default site, if links to it are in another language than this site's; else empty."""
    company: str
    legal_name: str
    founded: Date
    logo: str
    """Absolute URL of the logo as a bitmap."""
    theme_color: str
    background_color: str
    dark_theme: bool
    """True if light backgrounds are dark for visitors whose system is in dark mode."""


CaptchaProvider = Literal["altcha", "recaptcha", "turnstile", "none"]
"""The captcha's provider; the footer names it."""


class CaptchaSettings(Schema):
    """Settings that a form needs for a captcha token."""

    provider: CaptchaProvider
    site_key: str | None
    """The sites' key at ``recaptcha`` or ``turnstile``."""


class VisitorRules(Schema):
    """Rules by the visitor's country on this site; the browser applies them before painting (spec §6, §9)."""

    country: str
    """The country assumed for a visitor whose country is unknown; may be empty."""
    phone: Literal["own", "visitor"]
    """Which number is shown: that of the site's country, or of the visitor's."""
    offices: Literal["own", "visitor"]
    """Whether the visitor's country chooses the office set, or the site has its own."""
    consent_theme: Literal["by-country", "gdpr", "small"]
    consent_profile: Literal["spec", "strict"]
    consent_policy_version: str
    """The current policy version. ``strict`` asks visitors again who chose under another version."""


class DeferredScript(Schema):
    """A script that the page runtime loads at the first scroll or the first change of page (spec §4)."""

    name: str
    src: str
    """A path on the site, or an ``https`` URL."""
    purpose: ScriptPurpose
    """The purpose that a visitor must have granted; ``necessary`` needs no consent."""
    withheld_in: list[str]
    """Visitors from these countries never get it."""
    off_main_thread: bool


class RuntimeRules(Schema):
    """Settings of the page runtime on this site. It needs none of them before it is loaded."""

    deferred_scripts: list[DeferredScript]
    web_vitals: bool
    service_worker: bool
    """True if pages register the service worker."""


class SharedData(Schema):
    """Data shared by all pages of a site; content-addressed in ``page-data/sq/d/<hash>.json``."""

    site: SiteSettings
    menu: list[MenuItem]
    contact: Link
    footer: list[FooterGroup]
    legal_links: list[Link]
    offices: list[Office]
    """Offices of the footer in display order, each once, with its sets."""
    office_set: str
    """The set shown if the visitor's country is unknown."""
    personal_data: Link | None
    """Shown to visitors from Belarus instead of the privacy policy."""
    offices_link: Link
    headquarters: str
    """ID of the office that visitors from its country see labelled as the headquarters."""
    phones: list[Phone]
    """Every number that visitors may see, in the editors' order; one is the default."""
    visitor: VisitorRules
    runtime: RuntimeRules
    captcha: CaptchaSettings
    social: list[SocialLink]
    year: int
    words: Words = {}
    """Texts of the interface that the site has changed. Missing if there are none."""


class IslandData(Schema):
    """An interactive part of a page."""

    id: str
    """ID of its element and prefix of the IDs inside."""
    name: str
    props: dict[str, Any]


class PageData(Schema):
    """The renderer's output for one route: ``page-data/<path>/page-data.json``."""

    path: str
    template: Template
    header: HeaderKind
    head: Head
    sharing: Sharing
    html: str
    """HTML of the main part, which client-side navigation inserts."""
    switcher: str
    """HTML of the page's language switcher; empty if it is hidden."""
    islands: list[IslandData]
    preload: list[str]
    """URLs of the script files that its islands need."""
    shared: str
    """Hash of the shared data that it was rendered with."""
    build: str
    """Hash of the web build that rendered it."""
    fallback: LanguageTag | None = Field(default=None, exclude_if=is_none)
    """The language of the main part, only if the site has not translated the page."""


class AppData(Schema):
    """``page-data/app-data.json``: changes with the web build, not with content."""

    build_hash: str
