"""What one route is made of: page content goes into the renderer, page data comes out beside the HTML.

The block union itself is put together from the list of blocks (``content.blocks``), so ``PageContent`` is
completed there; everything else of a page is here.
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

Template = Literal[
    "home", "service", "industry", "tech-stack", "contact", "estimate", "about", "case-study", "article", "event", "blueprint",
    "listing", "legal", "error",
]  # fmt: skip
HeaderKind = Literal["transparent", "solid"]


class Alternate(Schema):
    """The same page on one of our sites, for ``<link rel="alternate">`` and the sitemap."""

    site: SiteKey
    hreflang: str
    href: str


class LanguageLink(Schema):
    """One language of the switcher: the same page there, or that site's home."""

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
    """Absolute; none on error pages."""
    alternates: list[Alternate]
    """Empty where there are so many that only the sitemap names them."""
    robots: str | None = None
    """Content of the robots meta element, where one is needed."""
    og_locale: str


class Sharing(Schema):
    """What is shown where somebody shares the page (Open Graph), beside title and description."""

    picture: str | None
    """Absolute address of a JPEG of 1200 x 630 pixels with the page's title; none on error pages and in previews."""
    locales: list[str]
    """``og:locale`` of the pages in ``alternates``."""


class CaseStudyFacts(Schema):
    family: Literal["case-study"]
    id: str
    """The project's, in the content API."""
    client: str
    country: str
    industries: list[FacetValue]
    services: list[FacetValue]
    technologies: list[FacetValue]
    gallery: list[Picture]
    """Pictures of the project, beside those in the blocks."""
    related: list[ProjectCard]
    """The three that have most in common with it."""


class ArticleFacts(Schema):
    family: Literal["article"]
    id: str
    """Of the article, in the content API; views are counted by it."""
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
    """Empty where it is held online."""
    country: str
    registration: str
    """Address at which one registers, or empty."""


class BlueprintFacts(Schema):
    family: Literal["blueprint"]
    id: str
    """Of the article, in the content API; views are counted by it."""
    title: str
    summary: str
    cover: Picture
    date: Date


PageFacts = Annotated[CaseStudyFacts | ArticleFacts | EventFacts | BlueprintFacts, Field(discriminator="family")]
"""What a page's layout knows of it beside its blocks: part of the card it is shown by in lists."""


class PageHead(Schema):
    """Everything of a page's content but its blocks. ``content.blocks.PageContent`` adds ``blocks``."""

    path: str
    """Normalised, e.g. ``/about-us``; error pages are ``/404.html``, ``/500.html`` and ``/offline.html``."""
    key: str
    """The page key: path without the leading slash, ``home`` for ``/``."""
    title: str
    """Its name, as the breadcrumbs of pages below it have it."""
    changed: str | None
    """ISO time of its last change, with its offset; none where nobody knows."""
    template: Template
    header: HeaderKind
    motif: int
    """Seed of the page's own chart motif, 0..2**32-1."""
    head: Head
    sharing: Sharing
    switcher: list[LanguageLink]
    """Empty where the switcher is hidden."""
    breadcrumb: list[Link] = []
    anchors: list[AnchorLink] = []
    """The page's anchor menu: its blocks that have a name there, in their order."""
    facts: PageFacts | None = None
    """None for pages without a card, and until the page's card is published."""
    fields: dict[str, Any] | None = None
    """Of a page of a plugin's family: what its layout shows beside the blocks, by the plugin's own schema."""


class SiteSettings(Schema):
    """What the renderer must know of the site itself."""

    key: SiteKey
    lang: LanguageTag
    dir: Dir
    date_locale: str
    """BCP 47 tag dates and numbers are printed by, e.g. ``ar-AE-u-nu-latn-ca-gregory``."""
    origin: str
    international: str
    """Origin of the default site, where links to it are in a language other than this site's; else empty."""
    company: str
    legal_name: str
    founded: Date
    logo: str
    """Absolute address of the mark as a bitmap."""
    theme_color: str
    background_color: str
    dark_theme: bool
    """Whether light grounds are dark for visitors whose system is."""


CaptchaProvider = Literal["altcha", "recaptcha", "turnstile", "none"]
"""The captcha's provider; the footer names it."""


class CaptchaSettings(Schema):
    """What a form needs to get a captcha token."""

    provider: CaptchaProvider
    site_key: str | None
    """The sites' key at ``recaptcha`` or ``turnstile``."""


class VisitorRules(Schema):
    """What follows from the visitor's country on this site; the browser decides before it paints (spec §6, §9)."""

    country: str
    """The country that is assumed for a visitor whose country is unknown; empty if none is."""
    phone: Literal["own", "visitor"]
    """Whose number is shown: that of the site's country, or of the visitor's."""
    offices: Literal["own", "visitor"]
    """Whether the visitor's country chooses the office set, or the site has its own."""
    consent_theme: Literal["by-country", "gdpr", "small"]
    consent_profile: Literal["spec", "strict"]
    consent_policy_version: str
    """The current policy version. ``strict`` asks visitors again who have chosen under another one."""


class DeferredScript(Schema):
    """A script that the page runtime loads at the first scroll or the first change of page (spec §4)."""

    name: str
    src: str
    """A path of the site itself, or an ``https`` address."""
    purpose: ScriptPurpose
    """The purpose that a visitor must have granted; ``necessary`` needs no consent."""
    withheld_in: list[str]
    """Visitors from these countries never get it."""
    off_main_thread: bool


class RuntimeRules(Schema):
    """What the page runtime does on this site beyond loading pages; none of it is needed before load."""

    deferred_scripts: list[DeferredScript]
    web_vitals: bool
    service_worker: bool
    """Whether pages register the service worker."""


class SharedData(Schema):
    """Data shared by all pages of a site; content-addressed in ``page-data/sq/d/<hash>.json``."""

    site: SiteSettings
    menu: list[MenuItem]
    contact: Link
    footer: list[FooterGroup]
    legal_links: list[Link]
    offices: list[Office]
    """Offices of the footer, in display order, each once, marked with its sets."""
    office_set: str
    """The set shown when nothing is known of the visitor's country."""
    personal_data: Link | None
    """What visitors from Belarus see in place of the privacy policy."""
    offices_link: Link
    headquarters: str
    """Id of the office that visitors from its country see labelled as the headquarters."""
    phones: list[Phone]
    """Every number a visitor may be shown, in the editors' order; one of them is the default."""
    visitor: VisitorRules
    runtime: RuntimeRules
    captcha: CaptchaSettings
    social: list[SocialLink]
    year: int


class IslandData(Schema):
    """One interactive part of a page."""

    id: str
    """Id of its element and prefix of the ids inside."""
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
    """HTML of the main part: what a client-side navigation swaps in."""
    switcher: str
    """HTML of the language switcher, whose links are the page's; empty where it is hidden."""
    islands: list[IslandData]
    preload: list[str]
    """URLs of the script files its islands need."""
    shared: str
    """Hash of the shared data it was rendered with."""
    build: str
    """Hash of the web build it was rendered by."""


class AppData(Schema):
    """``page-data/app-data.json``: changes with the web build, not with content."""

    build_hash: str
