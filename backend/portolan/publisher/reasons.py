"""Reasons for rendering a page, from the plan of a build.

They are stored in its journal and shown by ``explain``.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

import orjson

from ..releases.reader import ItemId


class Cause(StrEnum):
    """Causes of a reason.

    Causes for one page come with the changed item; causes for a whole site affect every page.
    """

    PAGE = "page"
    """The page itself: it is new, or its content changed."""
    CARD = "card"
    """The page's card, whose facts it shows."""
    ITEM = "item"
    """An item that it shows: an image, a document, an entry of a collection, a figure."""
    LINK = "link"
    """A page that it links to was added, moved or removed."""
    ABOVE = "above"
    """A page above it, which its breadcrumb shows, was added, moved, removed or renamed."""
    TRANSLATION = "translation"
    """The page on another site was added, moved or removed."""
    PATH = "path"
    """Another page took over its path, or gave it up."""
    AGAIN = "again"
    """A problem had blocked it, and it is tried again."""

    FIRST = "first"
    """The site has no readable build: this is its first one, or the live one is damaged."""
    FULL = "full"
    """A full publish was requested (``portolan publish --full``)."""
    INPUTS = "inputs"
    """The inputs of the live build are unknown."""
    WEB = "web"
    """Another web build, which renders."""
    FRAME = "frame"
    """The shared data of the site's pages (``Reason.parts`` has its changed fields)."""
    RULES = "rules"
    """The site configuration, the environment or the publisher's own code."""
    HOME = "home"
    """A home page was added, moved or removed, and every page's language switcher may link to it."""
    UNCERTAIN = "uncertain"
    """The database lacks the release that was live, so the changes are unknown."""


_WORDS: Final = "words"
FRAME_WORDS: Final = "frameWords"
"""Part of a reason: interface texts that only header, footer and notices show."""

OF_SITES: Final = frozenset(
    {Cause.FIRST, Cause.FULL, Cause.INPUTS, Cause.WEB, Cause.FRAME, Cause.RULES, Cause.HOME, Cause.UNCERTAIN}
)
"""Causes that affect every page of a site."""


class Reason(NamedTuple):
    """A reason why a page might differ. Digests decide whether it is rendered."""

    cause: Cause
    item: ItemId | None = None
    """The changed item."""
    parts: tuple[str, ...] = ()
    """For ``FRAME``: the changed fields of the shared data. For ``ITEM`` and ``LINK``: the kinds of lists through
    which the page shows the item, starting at the item."""


Reasons = tuple[Reason, ...]


def pack_reason(reason: Reason) -> list[Any]:
    """Return the reason as JSON values, without empty ones at the end."""
    row: list[Any] = [str(reason.cause), list(reason.item or ()), list(reason.parts)]
    while not row[-1]:
        row.pop()
    return row


def unpack_reason(row: Sequence[Any]) -> Reason:
    """Return the reason.

    Raise ValueError or TypeError for values that ``pack_reason`` does not write.
    """
    cause, item, parts = [*row, [], []][:3]
    return Reason(Cause(cause), ItemId(*map(str, item)) if item else None, tuple(map(str, parts)))


def compare_shared(before: bytes | None, after: bytes, frame_texts: Collection[str] = ()) -> tuple[str, ...]:
    """Return the changed fields of the shared data; empty without earlier data.

    If only words of ``frame_texts`` differ, their field is ``frameWords``.
    """
    if before is None:
        return ()
    old: Mapping[str, Any] = orjson.loads(before)
    new: Mapping[str, Any] = orjson.loads(after)
    found = _differing(old, new)
    if _WORDS in found and _differing(old.get(_WORDS, {}), new.get(_WORDS, {})) <= set(frame_texts):
        found = found - {_WORDS} | {FRAME_WORDS}
    return tuple(sorted(found))


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> set[str]:
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
