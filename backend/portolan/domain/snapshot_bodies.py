"""Define the stored body of each kind of item.

Values contain references (``domain.references``) in place of links, images, documents, rich texts and lists of items.
``contract/frozen/`` has the JSON Schema of every format. ``releases.formats`` migrates old formats.
"""

from typing import (
    Any,
    NotRequired,  # pydantic reads no other before Python 3.12
)

from typing_extensions import TypedDict

JsonObject = dict[str, Any]
"""A published value that contains references."""


class HeadBody(TypedDict):
    title: str
    description: str


class AnchorBody(TypedDict):
    """A section that the page's anchor menu links to."""

    anchor: str
    title: str


class OwnPageBody(TypedDict):
    """A page in the fields that the product's own formats cover."""

    path: str
    template: str
    """The page type: decides layout and rules."""
    title: str
    head: HeadBody
    blocks: list[JsonObject]
    anchors: list[AnchorBody]
    parent: str | None
    """Translation key of the nearest published page above."""
    changed: str | None
    """ISO time of the last publish. Not part of the item's digest: releases keep the time of the last change."""
    switcher_hidden: bool


class PageBody(OwnPageBody):
    """A page with the additions of plugins, which have formats of their own (``sites.plugin_formats``)."""

    fields: NotRequired[JsonObject]
    """Only for a plugin's page type whose layout shows more than blocks: values of the plugin's schema."""
    fields_format: NotRequired[int]
    """Format of the fields, unless it is the first."""
    block_formats: NotRequired[dict[str, int]]
    """Formats of plugins' blocks on the page by type, unless they are the first."""
    header: NotRequired[str]
    """Kind of header, only for a plugin's page type."""
    fallback: NotRequired[str]
    """Only for a page that its site has not translated: the site whose page it is, in that site's language."""


class EntryBody(TypedDict):
    """An entry of a collection, a page's card, or a rate card."""

    order: int
    """Position in the editors' order; entries with equal positions are sorted by key."""
    value: JsonObject
    pages: NotRequired[list[str]]
    """Translation keys of the pages that show the entry, sorted."""


class MenuBody(TypedDict):
    items: list[JsonObject]
    contact: JsonObject | None


class FooterBody(TypedDict):
    groups: list[JsonObject]
    legal_links: list[JsonObject]
    offices_link: JsonObject | None
    personal_data: JsonObject | None


class WordsBody(TypedDict):
    """The interface texts that a site has changed."""

    words: dict[str, JsonObject]
    """By key in `web/src/locales/texts.ts`: a verbatim text, or its plural forms by category."""


class RedirectBody(TypedDict):
    """An editor's redirect on one site. The item's key is the URL as ``domain.redirects.spell`` writes it, or a
    wildcard.
    """

    status: int
    page: str | None
    """Translation key of the target page; None if the target is a URL."""
    anchor: str
    """Section of the target page; empty for its top."""
    address: str
    """Path on the site or web address; empty if the target is a page or the URL is gone."""


FiguresBody = dict[str, str]
"""Values of the placeholders by name."""
