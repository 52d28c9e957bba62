"""Header menu, footer and anchor menu (spec §2, §3)."""

from typing import Literal

from .base import Schema
from .link import Link
from .media import Picture
from .video import Video

MenuTheme = Literal["tabs", "image-cards", "text-links"]
SubmenuContent = Literal["rnd-videos", "news"]


class SubmenuItem(Schema):
    """A tab, card or link of a sub-menu; the menu item's theme decides which."""

    title: str
    description: str = ""
    url: Link | None = None
    img: Picture | None = None
    link_list: list[Link] = []
    content_type: SubmenuContent | None = None
    """Automatic content of a tab instead of links: insight videos, or the latest news, which the browser requests on
    first display."""
    videos: list[Video] = []
    """The first insight videos, if ``content_type`` requires them."""


class MenuOptions(Schema):
    theme: MenuTheme = "text-links"


class MenuItem(Schema):
    key: str
    title: str
    to: Link | None = None
    submenu: list[SubmenuItem] = []
    parent_link: Link | None = None
    """Link below the sub-menu: the page for the whole sub-menu."""
    options: MenuOptions = MenuOptions()


class FooterLink(Schema):
    link: Link
    region: Literal["cis"] | None = None
    """Shown only to visitors from this region."""
    target: Literal["_blank"] | None = None


class FooterGroup(Schema):
    key: str
    title: str
    links: list[FooterLink]


class SocialLink(Schema):
    network: Literal["facebook", "xing", "linkedin", "twitter", "instagram", "behance", "dribbble", "reviews"]
    href: str


class AnchorLink(Schema):
    """A link of a page's anchor menu."""

    anchor: str
    """Anchor of a block on the same page, without #."""
    title: str


class PageReference(Schema):
    """A page and its page key."""

    key: str
    path: str


class Redirect(Schema):
    """The response of a site at a URL without a page."""

    source: str
    """Path in lower case. With ``/*`` at its end, it includes the path and all paths below it."""
    status: Literal[301, 302, 410]
    target: str | None
    """Path on the site with query and anchor, or web address; None for a gone URL. With ``/*`` at its end, the rest of
    the path is kept."""


class RedirectList(Schema):
    items: list[Redirect]
    """By source."""


class PageReferenceList(Schema):
    items: list[PageReference]
    """By path."""
