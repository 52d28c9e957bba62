"""Texts of reasons, for commands and the studio."""

from collections.abc import Iterable, Mapping
from typing import Final

from ..domain.words import Translate, mark, plain
from .reasons import Cause, Reason

_PARTS: Final[Mapping[str, str]] = {
    "contact": mark("contact button"),
    "legalLinks": mark("legal links"),
    "personalData": mark("notice on personal data"),
    "officesLink": mark("link to the offices"),
    "officeSet": mark("choice of offices"),
    "site": mark("the site's settings"),
    "visitor": mark("settings for visitors"),
    "runtime": mark("scripts and tags"),
    "social": mark("profiles in social networks"),
    "words": mark("interface words"),
    "frameWords": mark("interface words of header, footer and notices"),
    "international": mark("link to the international site"),
}
_SEVERAL: Final[Mapping[str, str]] = {
    "project": mark("case studies"),
    "news": mark("news"),
    "facet": mark("facet values"),
    "cv": mark("CVs"),
    "video": mark("insight videos"),
}
_CAME: Final[Mapping[str, str]] = {"added": mark("is new"), "changed": mark("was changed"), "removed": mark("is gone")}
_MOVED: Final[Mapping[str, str]] = {"added": mark("is new"), "changed": mark("has moved"), "removed": mark("is gone")}


def say_reason(reason: Reason, name: str, change: str = "changed", translate: Translate = plain) -> str:
    """Return why a page was rendered.

    ``name``: display name of the reason's item. ``change``: ``added``, ``changed`` or ``removed``.
    """
    through = (
        translate(" in its lists of {kinds}").format(kinds=say_kinds(reason.parts[-1:], translate))
        if reason.parts
        else ""
    )
    match reason.cause:
        case Cause.PAGE:
            return translate("The page is new") if change == "added" else translate("The page itself was changed")
        case Cause.CARD:
            return translate("Its card in lists {happened}").format(happened=translate(_CAME[change]))
        case Cause.ITEM:
            return translate("{name}, which it shows{through}, {happened}").format(
                name=name, through=through, happened=translate(_CAME[change])
            )
        case Cause.LINK:
            return translate("{name}, to which it links{through}, {happened}").format(
                name=name, through=through, happened=translate(_MOVED[change])
            )
        case Cause.ABOVE:
            said = translate("has a new title or URL") if change == "changed" else translate(_CAME[change])
            return translate("{name}, a page above it, {said}").format(name=name, said=said)
        case Cause.TRANSLATION:
            return translate("{name}, the same page on another site, {happened}").format(
                name=name, happened=translate(_MOVED[change])
            )
        case Cause.PATH:
            return translate("{name} took over its URL, or gave it up").format(name=name)
        case Cause.AGAIN:
            return translate("A problem had blocked it, and it was tried again")
        case Cause.FIRST:
            return translate("All pages: the site had no readable earlier build")
        case Cause.FULL:
            return translate("All pages: a full publish was requested (portolan publish --full)")
        case Cause.INPUTS:
            return translate("All pages: the inputs of the previous build were unknown")
        case Cause.WEB:
            return translate("All pages: another web build (styles, scripts, templates)")
        case Cause.FRAME:
            what = f": {', '.join(translate(_PARTS.get(part, part)) for part in reason.parts)}" if reason.parts else ""
            return translate("All pages: their shared data was changed{what}").format(what=what)
        case Cause.RULES:
            return translate(
                "The site configuration or the product's code was changed, and the page's content came out different"
            )
        case Cause.HOME:
            return translate(
                "The home page {name} was added, moved or removed: the language switcher of every page may link to it"
            ).format(name=name)
        case Cause.UNCERTAIN:
            return translate(
                "The database lacked the release that was live, so all pages were compared, and this one differed"
            )


def say_kinds(kinds: Iterable[str], translate: Translate = plain) -> str:
    """Return several kinds in words, such as ``news, case studies``."""
    return ", ".join(translate(_SEVERAL.get(kind, f"{say_kind(kind)}s")) for kind in kinds)


def say_kind(kind: str) -> str:
    """Return a kind of items in words."""
    return kind.replace("_", " ")
