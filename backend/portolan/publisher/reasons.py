"""Why a page is rendered: small values, found where a build is planned, kept in its journal, said by ``explain``."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import orjson

from ..releases.reader import ItemId


class Cause(StrEnum):
    """What a reason is about. Those of one page name the item that changed; those of a whole site reach every page."""

    PAGE = "page"
    """The page itself: it is new, or its content changed."""
    CARD = "card"
    """The page's card, whose facts it shows."""
    ITEM = "item"
    """Something it shows: a picture, a document, an entry of a collection, a figure."""
    LINK = "link"
    """A page it links to came, moved or went."""
    ABOVE = "above"
    """A page above it, which its breadcrumb shows, came, moved, went, or has another title."""
    TRANSLATION = "translation"
    """The page on another site came, moved or went."""
    PATH = "path"
    """Another page took its path, or left it."""
    AGAIN = "again"
    """It was kept as it was because of a problem, and is tried again."""

    FIRST = "first"
    """There was no build of the site that could be read: it is its first one, or the live one is damaged."""
    FULL = "full"
    """Somebody asked for all pages (``portolan publish --full``)."""
    INPUTS = "inputs"
    """What the live build was made from is not known any more."""
    WEB = "web"
    """Another web build, which renders."""
    FRAME = "frame"
    """What all pages of the site share (``Reason.parts`` says what of it)."""
    RULES = "rules"
    """The registry, the environment or the publisher's own code."""
    HOME = "home"
    """A home page came, moved or went: every page's language switcher may lead to it."""
    UNCERTAIN = "uncertain"
    """The database no longer has the release that was live, so nobody could tell what had changed."""


OF_SITES: Final = frozenset(
    {Cause.FIRST, Cause.FULL, Cause.INPUTS, Cause.WEB, Cause.FRAME, Cause.RULES, Cause.HOME, Cause.UNCERTAIN}
)
"""Causes that reach every page of a site."""


class Reason(NamedTuple):
    """One thing because of which a page may have differed; that it was rendered, digests have decided."""

    cause: Cause
    item: ItemId | None = None
    """What changed."""
    parts: tuple[str, ...] = ()
    """Of ``FRAME``: the fields of the shared data that differ. Of ``ITEM`` and ``LINK``: kinds of the lists through which
    the page shows the item, from the item on."""


Reasons = tuple[Reason, ...]


def pack_reason(reason: Reason) -> list[Any]:
    """As JSON, without what is empty at the end."""
    row: list[Any] = [str(reason.cause), list(reason.item or ()), list(reason.parts)]
    while not row[-1]:
        row.pop()
    return row


def unpack_reason(row: Sequence[Any]) -> Reason:
    """Raises ValueError or TypeError for anything that ``pack_reason`` does not write."""
    cause, item, parts = [*row, [], []][:3]
    return Reason(Cause(cause), ItemId(*map(str, item)) if item else None, tuple(map(str, parts)))


def compare_shared(before: bytes | None, after: bytes) -> tuple[str, ...]:
    """The fields of a site's shared data that differ; none where the earlier one is gone."""
    if before is None:
        return ()
    old: Mapping[str, Any] = orjson.loads(before)
    new: Mapping[str, Any] = orjson.loads(after)
    return tuple(sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name)))
