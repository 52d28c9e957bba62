"""Header menu, footer and anchor menu (spec §2, §3)."""

from typing import Literal

from .base import Schema
from .link import Link
from .media import Picture
from .video import Video

MenuTheme = Literal["tabs", "image-cards", "text-links"]
SubmenuContent = Literal["rnd-videos", "news"]


class SubmenuItem(Schema):
    """One tab, card or link of a sub-menu; the menu item's theme says which."""

    title: str
    description: str = ""
    url: Link | None = None
    img: Picture | None = None
    link_list: list[Link] = []
    content_type: SubmenuContent | None = None
    """What fills a tab instead of links: insight videos, or the latest news, which the browser fetches when first shown."""
    videos: list[Video] = []
    """The first insight videos, where ``content_type`` says so."""


class MenuOptions(Schema):
    theme: MenuTheme = "text-links"


class MenuItem(Schema):
    key: str
    title: str
    to: Link | None = None
    submenu: list[SubmenuItem] = []
    parent_link: Link | None = None
    """Below the sub-menu: the page that all of it belongs to."""
    options: MenuOptions = MenuOptions()


class FooterLink(Schema):
    link: Link
    region: Literal["cis"] | None = None
    """Shown only to visitors of this region."""
    target: Literal["_blank"] | None = None


class FooterGroup(Schema):
    key: str
    title: str
    links: list[FooterLink]


class SocialLink(Schema):
    network: Literal["facebook", "xing", "linkedin", "twitter", "instagram", "behance", "dribbble", "reviews"]
    href: str


class AnchorLink(Schema):
    """One link of a page's anchor menu."""

    anchor: str
    """Of a block of the same page, without #."""
    title: str


class PageReference(Schema):
    """A page by its page key."""

    key: str
    path: str


class Redirect(Schema):
    """What a site answers at an address without a page."""

    source: str
    """Path, in lower case; with ``/*`` at its end all that is below it, and itself."""
    status: Literal[301, 302, 410]
    target: str | None
    """Path of the site, with query and anchor, or web address; none where the address is gone. With ``/*`` at its end,
    what stood below the source is carried over."""


class RedirectList(Schema):
    items: list[Redirect]
    """By source."""


class PageReferenceList(Schema):
    items: list[PageReference]
    """By path."""
