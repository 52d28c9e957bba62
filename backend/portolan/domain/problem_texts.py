"""Describe each problem with its effect and its fix, for commands, logs, studio and previews."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Protocol, assert_never

from .cards import CARD_KINDS
from .company import PLACEHOLDERS
from .language_texts import word_correction
from .picture_losses import describe_losses
from .problems import (
    ChangedPicture,
    CircularRedirect,
    DeadLink,
    DeadRedirect,
    DummyText,
    EmptyValue,
    ForeignText,
    GoneLink,
    InvalidPath,
    InvalidValue,
    LostLink,
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
    ProblemDetail,
    RenderingFailed,
    Reported,
    ReservedPath,
    Subject,
    TakenPath,
    UnapprovedTranslation,
    UnfilledPlaceholder,
    UnknownBlock,
    UnknownPageType,
    UnknownPlaceholder,
    UnknownSite,
    UnseenPlacement,
    UntranslatedName,
    UnusableAddress,
    UnusableAnchor,
    UnusableFrame,
    UnusualText,
    WrongAlternates,
    WrongHeadings,
    WrongLanguage,
    gather,
)
from .references import DELETED_PAGE
from .text_language import name_language
from .words import Translate, mark, plain

_IN_LISTS: Final = mark("In lists")
"""Heading of a card's fields in the studio."""
_CARDS: Final = frozenset(CARD_KINDS.values())
_KINDS: Final[Mapping[str, str]] = {
    "menu": mark("header menu"),
    "words": mark("interface words"),
    "facet": mark("facet value"),
    "cv": "CV",
    "video": mark("insight video"),
}
"""Names of kinds of items for editors, if they differ from the kind."""
_FIELDS: Final[Mapping[str, str]] = {
    "items": mark("Menu items"),
    "contact": mark("Contact button"),
    "groups": mark("Link groups"),
    "legal_links": mark("Legal links"),
    "offices_link": mark("Link to all offices"),
    "personal_data": mark("Personal data (Belarus)"),
}
"""Names for editors of the fields of menu and footer."""
_NAMES: Final[Mapping[str, str]] = {"html": mark("text")}
"""Names for editors of other fields with unclear names."""
_HUMP: Final = re.compile("(?<=[a-z])(?=[A-Z])")
_WEB_BUILD: Final = mark("This is an error in the web build: report it")


class Names(Protocol):
    """Names of things in the reader's language."""

    def site(self, key: str) -> str: ...
    def page(self, key: str) -> str | None:
        """Return the title of a page by its translation key, if known."""

    def block(self, type: str) -> str: ...
    def translate(self, text: str) -> str:
        """Translate a text of this module."""


class PlainNames:
    """Names without a database."""

    def site(self, key: str) -> str:
        return key

    def page(self, key: str) -> str | None:
        return None

    def block(self, type: str) -> str:
        return type.replace("_", " ").capitalize()

    def translate(self, text: str) -> str:
        return plain(text)


PLAIN: Final = PlainNames()


class Wording(NamedTuple):
    """Parts of ``{place}: {what}, {why}. {fix}.``"""

    what: str
    why: str
    fix: str


def say(problem: Problem, names: Names = PLAIN) -> str:
    """Return the whole problem in one or two sentences."""
    place, said = say_place(problem.subject, names), say_detail(problem.detail, names)
    return f"{place}: {said}" if place and not isinstance(problem.detail, Reported) else said


def say_detail(detail: ProblemDetail, names: Names = PLAIN) -> str:
    """Return the problem without its place."""
    what, why, fix = word(detail, names)
    return f"{what}, {why}. {fix}." if why else what


def say_each(problems: Iterable[Problem], names: Names = PLAIN) -> list[str]:
    """Return one line for each problem; a problem that several pages of a site share has one line."""
    return [
        f"{say(same[0], names)}{f' (So do {len(same) - 1} more pages.)' if len(same) > 1 else ''}"
        for same in gather(problems)
    ]


def say_place(subject: Subject, names: Names = PLAIN) -> str:
    """Return a place such as ``Deutschland, “Impressum” (/impressum), block 3 (Cards), cards 2, link``."""
    place = ", ".join(
        filter(
            None, [subject.site and names.site(subject.site), _say_item(subject, names), *_say_inside(subject, names)]
        )
    )
    return place[:1].upper() + place[1:] if not subject.site else place


def word(detail: ProblemDetail, names: Names = PLAIN) -> Wording:
    """Return the words of a problem. The grammatical subject of ``what`` is the place."""
    translate = names.translate
    match detail:
        case MissingPage(page) if page.startswith(DELETED_PAGE):
            return Wording(
                translate("links to a page that was deleted"),
                translate("so the link would be broken"),
                translate("Choose another page, or remove the link"),
            )
        case MissingPage(page):
            title = names.page(page)
            return Wording(
                (
                    translate("links to “{title}”, which is not published on this or the international site")
                    if title
                    else translate("links to a page that is not published on this or the international site")
                ).format(title=title),
                translate("so the link would be broken"),
                translate("Publish that page, or choose another"),
            )
        case MissingPicture():
            return Wording(
                translate("shows an image that was deleted or could not be processed"),
                translate("so the page would have a gap"),
                translate("Choose another image, or upload it again"),
            )
        case MissingDocument():
            return Wording(
                translate("offers a document that was deleted, has no file, or is in a private collection"),
                translate("so visitors could not open it"),
                translate("Choose another one, upload it again, or move it to a public collection"),
            )
        case UnknownPlaceholder(name):
            known = ", ".join(f"{{{placeholder}}}" for placeholder in PLACEHOLDERS)
            return Wording(
                translate("has the unknown placeholder {{{name}}}").format(name=name),
                translate("so visitors would read the braces"),
                translate("Use one of {known}, or remove the braces").format(known=known),
            )
        case EmptyValue("pages"):
            return Wording(translate("is empty"), translate("and every page requires it"), translate("Fill it in"))
        case EmptyValue():
            return Wording(translate("is empty"), translate("and lists show it"), translate("Fill it in"))
        case UntranslatedName(facet, slug):
            return Wording(
                translate("names the {facet} “{slug}”, which has no translation for this site").format(
                    facet=facet, slug=slug
                ),
                translate("so visitors would read it in another language"),
                translate("Enter its name for this site under Facet values, or untick it here"),
            )
        case InvalidValue(reason):
            return Wording(
                translate("cannot be published ({reason})").format(reason=reason),
                translate("so no page could show it"),
                translate("Correct the value"),
            )
        case MissingFile(file):
            return Wording(
                translate("its file ({file}) cannot be read").format(file=file),
                translate("so pages cannot show it"),
                translate("Put it back into the media folder, and publishing retries by itself. Or upload it again"),
            )
        case UnknownSite():
            return Wording(
                translate("belongs to a site that is not in sites.toml"),
                translate("so it has no URL"),
                translate("Move it below the home page of a site"),
            )
        case UnknownPageType(family):
            return Wording(
                translate("has the page type {family} of a plugin that is not listed in sites.toml").format(
                    family=family
                ),
                translate("so its changes cannot be published, and visitors see the last published version"),
                translate("Add the plugin to sites.toml, or delete the page"),
            )
        case UnknownBlock(type):
            return Wording(
                translate(
                    "has an unknown block “{block}”: its plugin is missing, or this page type does not offer the block"
                ).format(block=names.block(type)),
                translate("so the page would lose that block"),
                translate("Add the plugin to sites.toml, or save the page without the block"),
            )
        case NewerPart(name):
            return Wording(
                translate("has a part ({name}) that was published by a newer version of its plugin").format(name=name),
                translate("so the installed version cannot show it"),
                translate("Install the newer version of the plugin"),
            )
        case DeadLink(url):
            return Wording(
                translate("links to {url}, where there is no page").format(url=url),
                translate("so visitors would reach an error page"),
                translate("Choose another target"),
            )
        case GoneLink(url):
            return Wording(
                translate("links to {url}, which is gone").format(url=url),
                translate("so visitors would reach an error page"),
                translate("Choose another target"),
            )
        case MissingAnchor(url):
            path, _, anchor = url.partition("#")
            return Wording(
                (
                    translate("links to {url}, but that page has no section named “{anchor}”")
                    if path
                    else translate("links to {url}, but the page has no section named “{anchor}”")
                ).format(url=url, anchor=anchor),
                translate("so visitors would land at the top of the page"),
                translate("Choose another anchor"),
            )
        case UnusableAddress(url):
            return Wording(
                translate("has the link target “{url}”, which is not a path or web address").format(url=url),
                translate("so the link would be broken"),
                translate("Enter the full URL"),
            )
        case MissingMedia(url):
            return Wording(
                translate("shows {url}, a file that is not in the media folder").format(url=url),
                translate("so the page would have a gap"),
                translate("Upload it again"),
            )
        case WrongLanguage(language, dir):
            return Wording(
                translate("lacks lang={language} dir={dir}").format(language=language, dir=dir),
                translate("so browsers would assume another language"),
                translate(_WEB_BUILD),
            )
        case WrongHeadings(count):
            return Wording(
                (
                    translate("has {count} main heading (h1)")
                    if count == 1
                    else translate("has {count} main headings (h1)")
                ).format(count=count),
                translate("and must have exactly one, for search engines and screen readers"),
                translate("Use exactly one hero block"),
            )
        case UnfilledPlaceholder(text):
            return Wording(
                translate("shows the placeholder {text} unfilled").format(text=text),
                translate("so visitors would read the braces"),
                translate("Correct or remove it"),
            )
        case WrongAlternates(missing):
            return Wording(
                translate("does not link to all its translations (missing: {missing})").format(
                    missing=", ".join(missing) or translate("none")
                ),
                translate("so search engines would ignore the translations"),
                _WEB_BUILD,
            )
        case NotReciprocal(page, other, is_there=is_there):
            return Wording(
                (
                    translate("would not match its translations: {page} links to {other}, which does not link back")
                    if is_there
                    else translate("would not match its translations: {page} links to {other}, which does not exist")
                ).format(page=page, other=other),
                translate("so search engines would ignore both"),
                translate(
                    "Fix the problem of the other page. Then publish all sites together: `portolan publish` without "
                    "site names"
                ),
            )
        case RenderingFailed(reason):
            return Wording(
                reason,
                translate("so visitors would see nothing"),
                translate("Correct that part of the page, or report it"),
            )
        case InvalidPath():
            return Wording(
                translate("has an invalid path"),
                translate("so links to it would not work everywhere"),
                translate("Use lower-case letters, digits and hyphens"),
            )
        case ReservedPath(path):
            return Wording(
                translate("has the path {path}, which the website uses itself").format(path=path),
                translate("so visitors would get something else there"),
                translate("Choose another slug"),
            )
        case UnusableAnchor(anchor):
            return Wording(
                translate("has the anchor “{anchor}”, which is already used").format(anchor=anchor),
                translate("so links would open another section"),
                translate("Choose another anchor, such as our-{anchor}").format(anchor=anchor),
            )
        case TakenPath(path, title):
            return Wording(
                translate("and “{title}” have the same path, {path}").format(title=title, path=path),
                translate("so visitors would see only one of them"),
                translate("Change the slug of one of them"),
            )
        case MissingHome():
            return Wording(
                translate("has no home page"),
                translate("and every page links to it"),
                translate("Publish the home page, at the top of the site's page tree"),
            )
        case MissingFrame():
            return Wording(translate("is missing"), translate("and every page shows it"), translate("Fill it in"))
        case UnusableFrame(reason):
            return Wording(
                translate("cannot be used ({reason})").format(reason=reason),
                translate("and every page shows it"),
                translate("Correct it in the studio"),
            )
        case DeadRedirect(target):
            return Wording(
                translate("redirects to {target}, where there is no page").format(target=target),
                translate("so visitors would reach an error page"),
                translate("Choose another target for the redirect"),
            )
        case CircularRedirect(target):
            return Wording(
                translate("would be a redirect loop: {target} redirects back to it").format(target=target),
                translate("so visitors would get an error"),
                translate("Choose another target for the redirect"),
            )
        case ForeignText(language, site_language):
            return Wording(
                translate("is written in {language}").format(language=translate(name_language(language))),
                translate("and visitors of this site read {language}").format(
                    language=translate(name_language(site_language))
                ),
                translate("Translate it, unless the language is intended"),
            )
        case UnapprovedTranslation(texts):
            return Wording(
                translate("contains an unapproved machine translation")
                if texts == 1
                else translate("contains {count} unapproved machine translations").format(count=texts),
                translate("so it does not go live"),
                translate("Read it, then select Approve machine translation in the status panel, or edit it"),
            )
        case UnusualText():
            return Wording(*word_correction(detail, translate))
        case DummyText(text):
            return Wording(
                translate("contains “{text}”").format(text=text),
                translate("which looks like placeholder text"),
                translate("Replace it with the final text"),
            )
        case LostLink(page):
            title = names.page(page)
            return Wording(
                (
                    translate("links to “{title}”, which is not live")
                    if title
                    else translate("links to a page that is not live")
                ).format(title=title),
                translate("so visitors do not see this link"),
                translate("Choose another page, or remove the link"),
            )
        case ChangedPicture(title, loss):
            return Wording(
                translate("shows the image “{title}”").format(title=title),
                translate("which looks different on pages"),
                describe_losses([loss], translate).removesuffix(".") or translate("Check it in the preview"),
            )
        case UnseenPlacement(page):
            title = names.page(page)
            return Wording(
                (
                    translate("is assigned to “{title}”, which has no block for case studies")
                    if title
                    else translate("is assigned to a page that has no block for case studies")
                ).format(title=title),
                translate("so visitors do not see it there"),
                translate("Add such a block to the page, or remove the page from the list"),
            )
        case Reported(text):
            return Wording(text, "", "")
    assert_never(detail)


def _say_item(subject: Subject, names: Names) -> str:
    if subject.kind == "page" or subject.kind in _CARDS:
        path = f" ({subject.path})" if subject.path else ""
        return f"{_quoted(subject.title, names)}{path}" if subject.title else subject.path
    kind = names.translate(_KINDS.get(subject.kind, subject.kind.replace("_", " ")))
    return f"{kind} {_quoted(subject.title, names)}" if subject.title else kind


def _quoted(name: str, names: Names) -> str:
    """Return the name in the quotation marks of the reader's language."""
    return names.translate("“{name}”").format(name=name)


def _say_inside(subject: Subject, names: Names) -> list[str]:
    steps = _say_field(subject.field, names.translate)
    if subject.block:
        return [
            names.translate("block {number} ({block})").format(
                number=subject.block.number, block=names.block(subject.block.type)
            ),
            *steps,
        ]
    if subject.kind in _CARDS:
        return [names.translate(_IN_LISTS), *steps]
    if subject.kind in ("menu", "footer") and steps:
        name = subject.field.partition(".")[0]
        said = names.translate(_FIELDS.get(name, name))
        return [said + steps[0].removeprefix(_say_name(name, names.translate)), *steps[1:]]
    return steps


def _say_field(path: str, translate: Translate) -> list[str]:
    """Return ``cards.1.link`` in words, counted from 1: ``["cards 2", "link"]``."""
    steps: list[str] = []
    for part in filter(None, path.split(".")):
        if part.isdigit():
            number = str(int(part) + 1)
            steps[-1:] = [f"{steps[-1]} {number}" if steps else number]
        else:
            steps.append(_say_name(part, translate))
    return steps


def _say_name(part: str, translate: Translate) -> str:
    return translate(_NAMES.get(part) or _HUMP.sub(" ", part).replace("_", " ").lower())
