"""The words of every problem: what happened, why it matters, what to do. Command line, log, studio and previews all
say these."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol, assert_never

from .cards import CARD_KINDS
from .company import PLACEHOLDERS
from .problems import (
    CircularRedirect,
    DeadLink,
    DeadRedirect,
    DummyText,
    EmptyValue,
    Flaw,
    ForeignText,
    GoneLink,
    InvalidPath,
    InvalidValue,
    MissingAnchor,
    MissingDocument,
    MissingFile,
    MissingFrame,
    MissingHome,
    MissingMedia,
    MissingPage,
    MissingPicture,
    NewerPart,
    NotReciprocal,
    Problem,
    RenderingFailed,
    Reported,
    Subject,
    TakenPath,
    UnfilledPlaceholder,
    UnknownBlock,
    UnknownFamily,
    UnknownPlaceholder,
    UnknownSite,
    UntranslatedName,
    UnusableAddress,
    UnusableFrame,
    WrongAlternates,
    WrongHeadings,
    WrongLanguage,
    gather,
)
from .references import DELETED_PAGE
from .text_language import name_language

_IN_LISTS: Final = "In lists"
"""The heading of a card's fields in the studio."""
_CARDS: Final = frozenset(CARD_KINDS.values())
_KINDS: Final[Mapping[str, str]] = {
    "menu": "header menu",
    "facet": "facet value",
    "cv": "CV",
    "video": "insight video",
}
"""Kinds of items as editors know them, where that differs from the kind."""
_FIELDS: Final[Mapping[str, str]] = {
    "items": "Menu items",
    "contact": "Contact button",
    "groups": "Link groups",
    "legal_links": "Legal links",
    "offices_link": "Link to all offices",
    "personal_data": "Personal data (Belarus)",
}
"""Fields of menu and footer as editors know them."""
_NAMES: Final[Mapping[str, str]] = {"html": "text"}
"""Other fields as editors know them, where they could not guess."""
_HUMP: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_WEB_BUILD: Final = "This is a fault of the web build: report it"


class Names(Protocol):
    """How the readers of a text call things."""

    def site(self, key: str) -> str: ...
    def page(self, key: str) -> str | None:
        """The title of a page by its translation key, where it is known."""

    def block(self, type: str) -> str: ...


class PlainNames:
    """Names that need no database."""

    def site(self, key: str) -> str:
        return key

    def page(self, key: str) -> str | None:
        return None

    def block(self, type: str) -> str:
        return type.replace("_", " ").capitalize()


PLAIN: Final = PlainNames()


class Wording(NamedTuple):
    """Parts of ``{place}: {what}, {why}. {fix}.``"""

    what: str
    why: str
    fix: str


def say(problem: Problem, names: Names = PLAIN) -> str:
    """The whole problem in one or two sentences."""
    place, said = say_place(problem.subject, names), say_flaw(problem.flaw, names)
    return f"{place}: {said}" if place and not isinstance(problem.flaw, Reported) else said


def say_flaw(flaw: Flaw, names: Names = PLAIN) -> str:
    """The same without the place, which is its grammatical subject."""
    what, why, fix = word(flaw, names)
    return f"{what}, {why}. {fix}." if why else what


def say_each(problems: Iterable[Problem], names: Names = PLAIN) -> list[str]:
    """One line for each problem; one that several pages of a site share is said once."""
    return [
        f"{say(same[0], names)}{f' (So do {len(same) - 1} more pages.)' if len(same) > 1 else ''}"
        for same in gather(problems)
    ]


def say_place(subject: Subject, names: Names = PLAIN) -> str:
    """``Deutschland, “Impressum” (/impressum), block 3 (Cards), cards 2, link``."""
    place = ", ".join(
        filter(None, [subject.site and names.site(subject.site), _say_item(subject), *_say_inside(subject, names)])
    )
    return place[:1].upper() + place[1:] if not subject.site else place


def word(flaw: Flaw, names: Names = PLAIN) -> Wording:
    """The words of a flaw. ``what`` has the subject's place as its grammatical subject."""
    match flaw:
        case MissingPage(page) if page.startswith(DELETED_PAGE):
            return Wording(
                "links to a page that was deleted",
                "so the link would lead nowhere",
                "Choose another page, or remove the link",
            )
        case MissingPage(page):
            title = names.page(page)
            return Wording(
                f"links to {f'“{title}”, which' if title else 'a page that'} is published neither on this site nor on the "
                "international one",
                "so the link would lead nowhere",
                "Publish that page, or choose another",
            )
        case MissingPicture():
            return Wording(
                "shows a picture that was deleted or whose files could not be made",
                "so there would be a gap in its place",
                "Choose another picture, or upload it again",
            )
        case MissingDocument():
            return Wording(
                "offers a document that was deleted, whose file is gone, or that is kept in a private collection",
                "so visitors could not open it",
                "Choose another one, upload it again, or move it to a public collection",
            )
        case UnknownPlaceholder(name):
            known = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            return Wording(
                f"has the placeholder {{{name}}}, which stands for nothing",
                "so visitors would read the braces",
                f"Write one of {known}, or leave the braces out",
            )
        case EmptyValue("pages"):
            return Wording("is empty", "and every page needs it", "Fill it in")
        case EmptyValue():
            return Wording("is empty", "and lists show it", "Fill it in")
        case UntranslatedName(facet, slug):
            return Wording(
                f"names the {facet} “{slug}”, which has no translation for this site",
                "so it would stand there in another language",
                "Write its name for this site under Facet values, or untick it here",
            )
        case InvalidValue(reason):
            return Wording(f"cannot be published ({reason})", "so no page could show it", "Correct it there")
        case MissingFile(file):
            return Wording(
                f"its file ({file}) cannot be read",
                "so no page can show it",
                "Put it back into the media folder: it is tried again by itself. Or upload it again",
            )
        case UnknownSite():
            return Wording(
                "belongs to a site that the registry does not have",
                "so it has no address",
                "Move it below the home page of a site",
            )
        case UnknownFamily(family):
            return Wording(
                f"is a page of the plugin that has {family}, and sites.toml names no such plugin",
                "so no change of it can be published, and visitors see what they saw",
                "Name the plugin again, or delete the page",
            )
        case UnknownBlock(type):
            return Wording(
                f"has a block “{names.block(type)}” that is not known here, because its plugin is missing or pages of this kind "
                "do not offer it",
                "so the page would lose that part",
                "Name the plugin in sites.toml again, or save the page without it",
            )
        case NewerPart(name):
            return Wording(
                f"has a part ({name}) that a newer version of its plugin has frozen",
                "so this one cannot show it",
                "Install the newer version of the plugin",
            )
        case DeadLink(url):
            return Wording(
                f"links to {url}, where there is no page",
                "so visitors would reach an error page",
                "Choose another target",
            )
        case GoneLink(url):
            return Wording(
                f"links to {url}, which is gone", "so visitors would reach an error page", "Choose another target"
            )
        case MissingAnchor(url):
            path, _, anchor = url.partition("#")
            return Wording(
                f"links to {url}, but {'that' if path else 'the'} page has no part named “{anchor}”",
                "so the link would not lead to what it promises",
                "Choose another anchor",
            )
        case UnusableAddress(url):
            return Wording(
                f"has the address “{url}”, which is neither a path nor a web address",
                "so it leads nowhere",
                "Write it out in full",
            )
        case MissingMedia(url):
            return Wording(
                f"shows {url}, a file that is not in the media folder",
                "so there would be a gap in its place",
                "Upload it again",
            )
        case WrongLanguage(language, dir):
            return Wording(
                f"does not say lang={language} dir={dir}", "so browsers would take it for another language", _WEB_BUILD
            )
        case WrongHeadings(count):
            return Wording(
                f"has {count} main heading{'' if count == 1 else 's'} (h1)",
                "and must have one, by which search engines and screen readers know it",
                "Give it exactly one hero",
            )
        case UnfilledPlaceholder(text):
            return Wording(
                f"shows the placeholder {text} unfilled", "so visitors would read the braces", "Correct or remove it"
            )
        case WrongAlternates(missing):
            return Wording(
                f"does not name its translations as the others name it (missing: {', '.join(missing) or 'none'})",
                "so search engines would ignore them",
                _WEB_BUILD,
            )
        case NotReciprocal(page, other, is_there=is_there):
            return Wording(
                f"would not agree with its translations: {page} names {other}, which "
                f"{'does not name it in turn' if is_there else 'is not there'}",
                "so search engines would ignore both",
                "Fix what holds the other one back; then all sites are published together (`portolan publish`, without "
                "naming any)",
            )
        case RenderingFailed(reason):
            return Wording(reason, "so there is nothing to show", "Correct that part of the page, or report it")
        case InvalidPath():
            return Wording(
                "has a path no page may have",
                "so links to it would not work everywhere",
                "Use lower-case letters, digits and hyphens",
            )
        case TakenPath(path, title):
            return Wording(
                f"and “{title}” have the same path, {path}",
                "so visitors would see only one of them",
                "Give one of them another slug",
            )
        case MissingHome():
            return Wording(
                "has no home page",
                "to which every page links",
                "Publish its home page in the studio, at the top of its tree",
            )
        case MissingFrame():
            return Wording("is missing", "and every page shows it", "Fill it in")
        case UnusableFrame(reason):
            return Wording(f"cannot be used ({reason})", "and every page shows it", "Correct it in the studio")
        case DeadRedirect(target):
            return Wording(
                f"leads to {target}, where there is no page",
                "so visitors would reach an error page",
                "Choose another target for the redirect",
            )
        case CircularRedirect(target):
            return Wording(
                f"would lead in a circle: {target} leads back to it",
                "so nobody would arrive",
                "Choose another target for the redirect",
            )
        case ForeignText(language, site_language):
            return Wording(
                f"is written in {name_language(language)}",
                f"and visitors of this site read {name_language(site_language)}",
                "Translate it, unless it is meant so",
            )
        case DummyText(text):
            return Wording(
                f"says “{text}”", "which looks like a text that was to be replaced", "Write what belongs there"
            )
        case Reported(text):
            return Wording(text, "", "")
    assert_never(flaw)


def _say_item(subject: Subject) -> str:
    if subject.kind == "page" or subject.kind in _CARDS:
        path = f" ({subject.path})" if subject.path else ""
        return f"“{subject.title}”{path}" if subject.title else subject.path
    kind = _KINDS.get(subject.kind, subject.kind.replace("_", " "))
    return f"{kind} “{subject.title}”" if subject.title else kind


def _say_inside(subject: Subject, names: Names) -> list[str]:
    steps = _say_field(subject.field)
    if subject.block:
        return [f"block {subject.block.number} ({names.block(subject.block.type)})", *steps]
    if subject.kind in _CARDS:
        return [_IN_LISTS, *steps]
    if subject.kind in ("menu", "footer") and steps:
        name = subject.field.partition(".")[0]
        return [_FIELDS.get(name, name) + steps[0].removeprefix(_say_name(name)), *steps[1:]]
    return steps


def _say_field(path: str) -> list[str]:
    """``cards.1.link`` as an editor counts: ``["cards 2", "link"]``."""
    steps: list[str] = []
    for part in filter(None, path.split(".")):
        if part.isdigit():
            number = str(int(part) + 1)
            steps[-1:] = [f"{steps[-1]} {number}" if steps else number]
        else:
            steps.append(_say_name(part))
    return steps


def _say_name(part: str) -> str:
    return _NAMES.get(part) or _HUMP.sub(" ", part).replace("_", " ").lower()
