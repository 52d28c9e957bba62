"""Represent problems of content as data: a code with parameters and a place (the subject).

Problems are found when content is added to a release or when a build is checked. They are stored, compared and grouped
as data. ``problem_texts`` has their words.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, NamedTuple, get_args

import orjson

from .references import Reference


class Block(NamedTuple):
    """One block of a page's body."""

    id: str
    number: int
    """Position on the page, from 1."""
    type: str


class Subject(NamedTuple):
    """The place of a problem: an item of a site, and the position inside it if known."""

    site: str = ""
    """Empty for content that belongs to all sites."""
    kind: str = ""
    """Kind of the item; empty if the problem concerns the whole site."""
    key: str = ""
    """Key of the item; empty if the problem concerns all items of the kind."""
    title: str = ""
    """Title of the item for editors when the problem was found; empty for a menu or similar."""
    path: str = ""
    """URL path, only for pages."""
    block: Block | None = None
    field: str = ""
    """Path inside the block, or inside the item if there is no block, e.g. ``cards.0.link``."""


# Codes with their parameters ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MissingPage:
    """A reference to a page that both the site and the default site lack."""

    code: ClassVar = "page-missing"
    page: str
    """Translation key of the page."""


@dataclass(frozen=True, slots=True)
class MissingPicture:
    code: ClassVar = "picture-missing"
    picture: str


@dataclass(frozen=True, slots=True)
class MissingDocument:
    code: ClassVar = "document-missing"
    document: str


@dataclass(frozen=True, slots=True)
class UnknownPlaceholder:
    code: ClassVar = "placeholder-unknown"
    name: str


@dataclass(frozen=True, slots=True)
class EmptyValue:
    code: ClassVar = "value-empty"
    shown_in: Literal["pages", "lists"]
    """The place that requires the value."""


@dataclass(frozen=True, slots=True)
class UntranslatedName:
    """A facet value that has no name on the site."""

    code: ClassVar = "name-untranslated"
    facet: str
    slug: str


@dataclass(frozen=True, slots=True)
class InvalidValue:
    """A value that does not match its schema."""

    code: ClassVar = "value-invalid"
    reason: str


@dataclass(frozen=True, slots=True)
class MissingFile:
    """The uploaded file of an image or document is missing."""

    code: ClassVar = "file-missing"
    file: str


@dataclass(frozen=True, slots=True)
class UnknownSite:
    """A page outside the trees of the configured sites."""

    code: ClassVar = "site-unknown"


@dataclass(frozen=True, slots=True)
class UnknownPageType:
    """A page whose type no installed plugin has."""

    code: ClassVar = "family-unknown"
    family: str
    """App and class, in lower case."""


@dataclass(frozen=True, slots=True)
class UnknownBlock:
    """A block whose type is missing in all installed plugins, or that the page type does not offer."""

    code: ClassVar = "block-unknown"
    type: str


@dataclass(frozen=True, slots=True)
class NewerPart:
    """A block or page fields that a newer version of a plugin has stored."""

    code: ClassVar = "plugin-newer"
    name: str
    """Type of the block, or the page type."""


@dataclass(frozen=True, slots=True)
class DeadLink:
    """A URL on our site without a page."""

    code: ClassVar = "link-dead"
    url: str


@dataclass(frozen=True, slots=True)
class GoneLink:
    """A URL on our site that returns 410 Gone."""

    code: ClassVar = "link-gone"
    url: str


@dataclass(frozen=True, slots=True)
class MissingAnchor:
    """A link to a section that its page does not have."""

    code: ClassVar = "anchor-missing"
    url: str


@dataclass(frozen=True, slots=True)
class UnusableAddress:
    code: ClassVar = "address-unusable"
    url: str


@dataclass(frozen=True, slots=True)
class MissingMedia:
    """A page shows a file that is not in the media folder."""

    code: ClassVar = "media-missing"
    url: str


@dataclass(frozen=True, slots=True)
class WrongLanguage:
    """The document lacks the site's language and direction."""

    code: ClassVar = "language-wrong"
    language: str
    dir: str


@dataclass(frozen=True, slots=True)
class WrongHeadings:
    """The number of main headings is not one."""

    code: ClassVar = "headings-wrong"
    count: int


@dataclass(frozen=True, slots=True)
class UnfilledPlaceholder:
    code: ClassVar = "placeholder-unfilled"
    text: str


@dataclass(frozen=True, slots=True)
class WrongAlternates:
    """The document's alternates differ from the existing translations."""

    code: ClassVar = "alternates-wrong"
    missing: tuple[str, ...]
    """Language tags."""


@dataclass(frozen=True, slots=True)
class NotReciprocal:
    """A translation that would be missing, or not link back to this page."""

    code: ClassVar = "translation-not-reciprocal"
    page: str
    """URL of the page that links to the other."""
    other: str
    """URL of the other page."""
    other_site: str
    other_key: str
    """Translation key of the page of ``other_site`` whose change may be the cause."""
    is_there: bool


@dataclass(frozen=True, slots=True)
class RenderingFailed:
    code: ClassVar = "rendering-failed"
    reason: str
    """A predicate, e.g. ``could not be rendered: …``."""


@dataclass(frozen=True, slots=True)
class InvalidPath:
    code: ClassVar = "path-invalid"


@dataclass(frozen=True, slots=True)
class ReservedPath:
    """A page at a path that the product uses itself."""

    code: ClassVar = "path-reserved"
    path: str


@dataclass(frozen=True, slots=True)
class UnusableAnchor:
    """An anchor that the product or another block of the page uses."""

    code: ClassVar = "anchor-unusable"
    anchor: str


@dataclass(frozen=True, slots=True)
class TakenPath:
    """Two pages at one path."""

    code: ClassVar = "path-taken"
    path: str
    title: str
    """Title of the other page."""


@dataclass(frozen=True, slots=True)
class MissingHome:
    code: ClassVar = "home-missing"


@dataclass(frozen=True, slots=True)
class MissingFrame:
    """A site without a menu or footer."""

    code: ClassVar = "frame-missing"


@dataclass(frozen=True, slots=True)
class UnusableFrame:
    code: ClassVar = "frame-unusable"
    reason: str


@dataclass(frozen=True, slots=True)
class DeadRedirect:
    """An editor's redirect to a URL on our site without a page."""

    code: ClassVar = "redirect-dead"
    target: str


@dataclass(frozen=True, slots=True)
class CircularRedirect:
    code: ClassVar = "redirect-circular"
    target: str


@dataclass(frozen=True, slots=True)
class ForeignText:
    """A text in another language than its site's."""

    code: ClassVar = "text-foreign"
    language: str
    """Language of the text, e.g. ``en``."""
    site_language: str


@dataclass(frozen=True, slots=True)
class UnapprovedTranslation:
    """Texts that a machine translated and no person has approved."""

    code: ClassVar = "translation-unapproved"
    texts: int
    """Number of them at the place."""


@dataclass(frozen=True, slots=True)
class UnusualText:
    """A place in a text that its language writes differently."""

    code: ClassVar = "text-unusual"
    rule: str
    """A value of ``text_places.Rule``."""
    found: str
    instead: str
    """The text to write, or the other language of a sentence; empty if unknown."""
    language: str
    more: int = 0
    """Number of further places in the same field."""


@dataclass(frozen=True, slots=True)
class DummyText:
    """Placeholder text that was not replaced."""

    code: ClassVar = "text-dummy"
    text: str


@dataclass(frozen=True, slots=True)
class LostLink:
    """A link to a page that was live and is not live now. Visitors do not see the link."""

    code: ClassVar = "link-lost"
    page: str
    """Translation key of the page."""


@dataclass(frozen=True, slots=True)
class ChangedPicture:
    """An image that pages do not show completely."""

    code: ClassVar = "picture-changed"
    title: str
    loss: str
    """A value of ``picture_losses.Loss``."""


@dataclass(frozen=True, slots=True)
class UnseenPlacement:
    """A case study is assigned to a page that does not show it."""

    code: ClassVar = "placement-unseen"
    page: str
    """Translation key of the page."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A problem stored by an earlier version, which stored only its text."""

    code: ClassVar = "reported"
    text: str


ProblemDetail = (
    MissingPage
    | MissingPicture
    | MissingDocument
    | UnknownPlaceholder
    | EmptyValue
    | UntranslatedName
    | InvalidValue
    | MissingFile
    | UnknownSite
    | UnknownPageType
    | UnknownBlock
    | NewerPart
    | DeadLink
    | GoneLink
    | MissingAnchor
    | UnusableAddress
    | MissingMedia
    | WrongLanguage
    | WrongHeadings
    | UnfilledPlaceholder
    | WrongAlternates
    | NotReciprocal
    | RenderingFailed
    | InvalidPath
    | ReservedPath
    | UnusableAnchor
    | TakenPath
    | MissingHome
    | MissingFrame
    | UnusableFrame
    | DeadRedirect
    | CircularRedirect
    | ForeignText
    | UnusualText
    | UnapprovedTranslation
    | DummyText
    | LostLink
    | ChangedPicture
    | UnseenPlacement
    | Reported
)

PROBLEM_DETAILS: Final[Mapping[str, type[ProblemDetail]]] = MappingProxyType(
    {detail.code: detail for detail in get_args(ProblemDetail)}
)
"""By code."""
WARNINGS: Final = (ForeignText, UnusualText, DummyText, LostLink, UnseenPlacement, ChangedPicture)
"""Warnings: they block nothing and are shown on publishing."""
OF_OTHERS: Final = (MissingPage, DeadLink, GoneLink, MissingAnchor, TakenPath, NotReciprocal)
"""Problems that other pages' changes may solve before the page goes live."""


SHOWABLE: Final = (
    MissingPage,
    MissingPicture,
    MissingDocument,
    UnknownPlaceholder,
    DeadLink,
    GoneLink,
    MissingAnchor,
    UnusableAddress,
    MissingMedia,
    WrongLanguage,
    WrongHeadings,
    UnfilledPlaceholder,
    WrongAlternates,
    NotReciprocal,
    TakenPath,
)
"""Problems with which a page can still be rendered. A site without another build shows such a page."""


class Problem(NamedTuple):
    """A reason why content cannot go live."""

    subject: Subject
    detail: ProblemDetail

    @property
    def site(self) -> str:
        return self.subject.site

    @property
    def is_warning(self) -> bool:
        return isinstance(self.detail, WARNINGS)

    @property
    def item(self) -> tuple[str, str, str]:
        """Return site, kind and key of the item."""
        return self.subject.site, self.subject.kind, self.subject.key

    @property
    def identity(self) -> tuple[str, str, str, ProblemDetail]:
        """Return a key that is equal for the same problem of the same item, at any position in the item."""
        site, kind, key = self.item
        return site, kind, key or self.subject.path, self.detail


class BlockedChange(NamedTuple):
    """An item that visitors see in an earlier state, because its newest state has a problem."""

    site: str
    kind: str
    key: str
    title: str
    """Only for pages."""
    release: int
    """The release that contains the state visitors see."""
    is_there: bool
    """False if visitors do not see the item at all."""
    problem: Problem


def detail_of(reference: Reference) -> ProblemDetail:
    """Return the problem of a reference without a target."""
    kind, key = reference
    match kind:
        case "page":
            return MissingPage(key)
        case "picture":
            return MissingPicture(key)
        case "document":
            return MissingDocument(key)
        case "placeholder":
            return UnknownPlaceholder(key)
    raise ValueError(f"a reference to {kind} always has a target")


def reference_of(detail: ProblemDetail) -> Reference | None:
    """Return the reverse of ``detail_of``; None for other kinds of problem."""
    match detail:
        case MissingPage(key):
            return Reference("page", key)
        case MissingPicture(key):
            return Reference("picture", key)
        case MissingDocument(key):
            return Reference("document", key)
        case UnknownPlaceholder(key):
            return Reference("placeholder", key)
    return None


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sort by place: sites, pages, blocks, fields."""
    return sorted(problems, key=_place)


def gather(problems: Iterable[Problem]) -> list[list[Problem]]:
    """Group equal problems of one site, because all pages may share one (such as a broken link in the footer)."""
    alike: dict[tuple[str, ProblemDetail], list[Problem]] = {}
    for problem in in_order(problems):
        alike.setdefault((problem.site, problem.detail), []).append(problem)
    return list(alike.values())


# Stored ---------------------------------------------------------------------------------------------------------------


def pack(problem: Problem) -> dict[str, Any]:
    """Return the problem as JSON."""
    subject = {name: value for name, value in problem.subject._asdict().items() if value}
    if problem.subject.block:
        subject["block"] = problem.subject.block._asdict()
    return {"code": problem.detail.code, "subject": subject, "parameters": asdict(problem.detail)}


def unpack(document: Any) -> Problem:
    """Read the JSON of ``pack``. Raise ValueError for other documents."""
    try:
        subject = dict(document["subject"])
        if "block" in subject:
            subject["block"] = Block(**subject["block"])
        make: Any = PROBLEM_DETAILS[document["code"]]
        parameters = {
            name: tuple(value) if isinstance(value, list) else value for name, value in document["parameters"].items()
        }
        return Problem(Subject(**subject), make(**parameters))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a problem that this version can read: {error!r}") from error


def pack_all(problems: Iterable[Problem]) -> str:
    """Return several problems as one text; empty if there are none."""
    packed = [pack(problem) for problem in problems]
    return orjson.dumps(packed).decode() if packed else ""


def unpack_all(text: str, item: tuple[str, str, str]) -> list[Problem]:
    """Read the text of ``pack_all``. An unreadable text is returned as one problem of ``item`` that has only this
    text."""
    try:
        return [unpack(document) for document in orjson.loads(text)] if text else []
    except ValueError:
        return [Problem(Subject(*item), Reported(text))]


def _place(problem: Problem) -> tuple[str, str, str, str, int, str, str]:
    subject = problem.subject
    number = subject.block.number if subject.block else 0
    return subject.site, subject.path, subject.kind, subject.key, number, subject.field, problem.detail.code
