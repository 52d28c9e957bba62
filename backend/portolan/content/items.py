"""Name the items of a release. An item has a kind and a key, and belongs to one site or to all."""

from typing import Final, NamedTuple

ALL_SITES: Final = ""

PAGE: Final = "page"
PICTURE: Final = "picture"
DOCUMENT: Final = "document"
OFFICE: Final = "office"
PHONE: Final = "phone"
REVIEW: Final = "review"
CERTIFICATE: Final = "certificate"
CV: Final = "cv"
VIDEO: Final = "video"
SHORT: Final = "short"
FACET: Final = "facet"
RATE_CARD: Final = "rate_card"
REDIRECT: Final = "redirect"
MENU: Final = "menu"
FOOTER: Final = "footer"
WORDS: Final = "words"
"""Texts of the interface that editors changed."""
MAIN: Final = "main"
"""Key of an item that exists once per site."""


class ItemKey(NamedTuple):
    site: str
    """Key of the site; empty for items that belong to all sites."""
    kind: str
    key: str
