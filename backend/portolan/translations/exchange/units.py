"""Describe the content of a file for translators, independent of its format."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from ..segments import Kind
from .inline import Code

Parts = Sequence[str | Code]


class FileRefused(Exception):
    """The file cannot be read. The message has the reason and the fix."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One text of a page, to export."""

    path: str
    kind: Kind
    source: str
    target: str
    label: str = ""
    is_done: bool = False
    """True if the target corresponds to the source."""


@dataclass(frozen=True, slots=True)
class PageUnits:
    key: UUID
    """Translation key, which a page and its translations share."""
    address: str
    """Path of the source page on its site."""
    title: str
    units: Sequence[Unit]


@dataclass(frozen=True, slots=True)
class Languages:
    source: str
    target: str
    site: str
    """Key of the site to translate for; empty if a file does not say it."""


@dataclass(frozen=True, slots=True)
class Returned:
    """One text of a file that came back."""

    page: UUID
    path: str
    source: Parts
    target: Parts
    """Empty for a text without a translation."""
    target_was: str
    """``mark_of`` the target when it was exported; empty if the file does not say it."""
    is_finished: bool = True
    """False for a translation that the translator marked as not finished."""


def mark_of(text: str) -> str:
    """Return a short mark that tells whether a text was changed."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12] if text else "none"
