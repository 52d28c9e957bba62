"""Header menu and footer (spec §2, §3)."""

from typing import Literal

from .base import Shape
from .link import Link


class SubmenuEntry(Shape):
    title: str
    description: str = ""
    link: Link


class MenuItem(Shape):
    key: str
    title: str
    to: Link | None = None
    submenu: list[SubmenuEntry] = []


class FooterLink(Shape):
    link: Link
    region: Literal["cis"] | None = None
    """Shown only to visitors of this region."""


class FooterGroup(Shape):
    key: str
    title: str
    links: list[FooterLink]


class SocialLink(Shape):
    network: Literal["facebook", "xing", "linkedin", "twitter", "instagram", "behance", "dribbble", "reviews"]
    href: str
