"""What the frozen body of each kind of item contains. Values in it hold references (``domain.references``), which stand
where the schema of the published value has a link, a picture, a document, a rich text or a list of items.

``contract/frozen/`` has the JSON Schema of every format; ``releases.formats`` raises old ones.
"""

from typing import (
    Any,
    NotRequired,  # pydantic reads no other before Python 3.12
)

from typing_extensions import TypedDict

Frozen = dict[str, Any]
"""A published value in which references stand."""


class HeadBody(TypedDict):
    title: str
    description: str


class AnchorBody(TypedDict):
    """A section that the page's anchor menu leads to."""

    anchor: str
    title: str


class OwnPageBody(TypedDict):
    """A page as the product's own formats count it."""

    path: str
    template: str
    """Name of the family: decides layout and rules."""
    title: str
    head: HeadBody
    blocks: list[Frozen]
    anchors: list[AnchorBody]
    parent: str | None
    """Translation key of the nearest published page above."""
    changed: str | None
    """ISO time of the last publish. Not part of the item's digest: releases keep the time of the last change."""
    switcher_hidden: bool


class PageBody(OwnPageBody):
    """A page with what plugins add to it, which has formats of its own (``sites.plugin_formats``)."""

    fields: NotRequired[Frozen]
    """Of a page of a plugin's family whose layout shows more than blocks: what the plugin's schema says."""
    fields_format: NotRequired[int]
    """Of the fields, where it is not the first."""
    block_formats: NotRequired[dict[str, int]]
    """Of plugins' blocks on the page, by type, where they are not the first."""
    header: NotRequired[str]
    """Of a page of a plugin's family: the kind of its header."""


class EntryBody(TypedDict):
    """An entry of a collection, a page's card, or a rate card."""

    order: int
    """Place in the editors' order; equal ones go by key."""
    value: Frozen
    pages: NotRequired[list[str]]
    """Translation keys of the pages it is placed on, sorted."""


class MenuBody(TypedDict):
    items: list[Frozen]
    contact: Frozen | None


class FooterBody(TypedDict):
    groups: list[Frozen]
    legal_links: list[Frozen]
    offices_link: Frozen | None
    personal_data: Frozen | None


class RedirectBody(TypedDict):
    """An editor's redirect on one site; the item's key is the address, as ``domain.redirects.spell`` writes it, or a
    wildcard."""

    status: int
    page: str | None
    """Translation key of the page it leads to, none where it leads to an address."""
    anchor: str
    """Part of that page; empty for its top."""
    address: str
    """Path of the site or web address; empty where it leads to a page, or where the address is gone."""


FiguresBody = dict[str, str]
"""Values of the placeholders by name."""
