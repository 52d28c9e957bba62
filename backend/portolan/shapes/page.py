"""What one route is made of: page content goes into the renderer, page data comes out beside the HTML.

The block union itself is put together from the list of blocks (``content.blocks``), so ``PageContent`` is
completed there; everything else of a page is here.
"""

from typing import Any, Literal

from .base import Shape
from .codes import Dir, LanguageTag, SiteKey
from .link import Link
from .navigation import FooterGroup, MenuItem, SocialLink
from .office import Office

Template = Literal["home", "service", "contact", "about", "case-study", "legal", "error"]
HeaderKind = Literal["transparent", "solid"]


class Alternate(Shape):
    """The same page on one of our sites, for ``<link rel="alternate">`` and the sitemap."""

    site: SiteKey
    hreflang: str
    href: str


class SwitcherEntry(Shape):
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


class Head(Shape):
    title: str
    description: str
    canonical: str | None
    """Absolute; none on error pages."""
    alternates: list[Alternate]
    robots: str | None = None
    """Content of the robots meta element, where one is needed."""
    og_locale: str


class PageHead(Shape):
    """Everything of a page's content but its blocks. ``content.blocks.PageContent`` adds ``blocks``."""

    path: str
    """Normalised, e.g. ``/about-us``; error pages are ``/404.html`` and ``/500.html``."""
    key: str
    """The page key: path without the leading slash, ``home`` for ``/``."""
    template: Template
    header: HeaderKind
    motif: int
    """Seed of the page's own chart motif, 0..2**32-1."""
    head: Head
    switcher: list[SwitcherEntry]
    """Empty where the switcher is hidden."""
    breadcrumb: list[Link] = []


class SiteFacts(Shape):
    """What the renderer must know of the site itself."""

    key: SiteKey
    lang: LanguageTag
    dir: Dir
    origin: str
    company: str
    legal_name: str
    theme_color: str
    background_color: str


class SharedData(Shape):
    """Data shared by all pages of a site; content-addressed in ``page-data/sq/d/<hash>.json``."""

    site: SiteFacts
    menu: list[MenuItem]
    contact: Link
    footer: list[FooterGroup]
    legal_links: list[Link]
    offices: list[Office]
    """Offices of the footer, in display order, each once, marked with its sets."""
    office_set: str
    """The set shown when nothing is known of the visitor's country."""
    offices_link: Link
    social: list[SocialLink]
    year: int


class IslandData(Shape):
    """One interactive part of a page."""

    id: str
    """Id of its element and prefix of the ids inside."""
    name: str
    props: dict[str, Any]


class PageData(Shape):
    """The renderer's output for one route: ``page-data/<path>/page-data.json``."""

    path: str
    template: Template
    head: Head
    html: str
    """HTML of the main part: what a client-side navigation swaps in."""
    islands: list[IslandData]
    shared: str
    """Hash of the shared data it was rendered with."""


class AppData(Shape):
    """``page-data/app-data.json``: changes with the web build, not with content."""

    build_hash: str
