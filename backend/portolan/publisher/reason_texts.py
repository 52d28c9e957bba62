"""The words of reasons. Command and studio say these."""

from collections.abc import Iterable, Mapping
from typing import Final

from .reasons import Cause, Reason

_PARTS: Final[Mapping[str, str]] = {
    "contact": "contact button",
    "legalLinks": "legal links",
    "personalData": "notice on personal data",
    "officesLink": "link to the offices",
    "officeSet": "choice of offices",
    "site": "the site's settings",
    "visitor": "settings for visitors",
    "runtime": "scripts and tags",
    "social": "profiles in social networks",
    "international": "link to the international site",
}
_SEVERAL: Final[Mapping[str, str]] = {
    "project": "case studies",
    "news": "news",
    "facet": "facet values",
    "cv": "CVs",
    "video": "insight videos",
}
_CAME: Final[Mapping[str, str]] = {"added": "is new", "changed": "was changed", "removed": "is gone"}
_MOVED: Final[Mapping[str, str]] = {"added": "is new", "changed": "has moved", "removed": "is gone"}


def say_reason(reason: Reason, name: str, change: str = "changed") -> str:
    """Why a page was rendered. ``name``: of the reason's item, as people know it; ``change``: what was done to it,
    ``added``, ``changed`` or ``removed``."""
    through = f" in its lists of {say_kinds(reason.parts[-1:])}" if reason.parts else ""
    match reason.cause:
        case Cause.PAGE:
            return "The page is new" if change == "added" else "The page itself was changed"
        case Cause.CARD:
            return f"Its card, as lists show it, {_CAME[change]}"
        case Cause.ITEM:
            return f"{name}, which it shows{through}, {_CAME[change]}"
        case Cause.LINK:
            return f"{name}, to which it links{through}, {_MOVED[change]}"
        case Cause.ABOVE:
            said = "has another title or address" if change == "changed" else _CAME[change]
            return f"{name}, which stands above it, {said}"
        case Cause.TRANSLATION:
            return f"{name}, the same page on another site, {_MOVED[change]}"
        case Cause.PATH:
            return f"{name} took its address, or left it"
        case Cause.AGAIN:
            return "A problem had kept it as it was, and it was tried again"
        case Cause.FIRST:
            return "All pages: the site had no earlier build, or none that could be read"
        case Cause.FULL:
            return "All pages, because somebody asked for it (portolan publish --full)"
        case Cause.INPUTS:
            return "All pages: what the build before was made from was not known any more"
        case Cause.WEB:
            return "All pages: another web build (styles, scripts, templates)"
        case Cause.FRAME:
            what = f": {', '.join(_PARTS.get(part, part) for part in reason.parts)}" if reason.parts else ""
            return f"All pages: what all of them share was changed{what}"
        case Cause.RULES:
            return "The registry or the product's code was changed, and the page's content came out different"
        case Cause.HOME:
            return f"{name}, a home page, came, moved or went: the language switcher of every page may lead there"
        case Cause.UNCERTAIN:
            return "The database no longer had the release that was live, so all pages were compared, and this one differed"


def say_kinds(kinds: Iterable[str]) -> str:
    """Several of each kind: ``news, case studies``."""
    return ", ".join(_SEVERAL.get(kind, f"{say_kind(kind)}s") for kind in kinds)


def say_kind(kind: str) -> str:
    """A kind of items in words."""
    return kind.replace("_", " ")
