"""Finds all uses of something on the sites, in the newest release, before it is deleted. Wagtail's own index contains
only what was chosen in forms. It lacks footers that show an office because of its set, lists that a rule fills, and
inheriting sites.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ..content.blocks import BLOCKS
from ..content.items import DOCUMENT, FACET, FOOTER, MENU, OFFICE, PAGE, PHONE, PICTURE, REVIEW
from ..content.page_rows import PAGE_KINDS
from ..content.pages.case_study import CaseStudyPage
from ..domain.offices import OFFICE_SETS
from ..domain.references import Reference, find_references
from ..domain.selectors import select_items
from ..publisher.snapshot import Snapshot
from ..releases.reader import ItemId
from ..sites.registry import Registry

FRAME: Final = "frame"
"""Kind of a use without an item: header and footer show the entry on every page of the site."""
_LABELS: Final[Mapping[str, str]] = {block.type_name(): str(block().label) for block in BLOCKS}
_PLACED: Final = (REVIEW, CaseStudyPage.card_kind())
"""Kinds of what editors place on pages."""
_FACET_FIELDS: Final = ("industries", "services", "technologies")

Mentions = Callable[[Any], bool]
"""Whether a part of a body mentions what is looked for."""


class Use(NamedTuple):
    """One item that mentions it."""

    item: ItemId
    places: tuple[str, ...]
    """Where in the item, as editors know it: ``Block 3 (Text)``, ``“Services”``."""
    breaks: bool
    """Whether the place would lead nowhere or show nothing without it, so that the item could not be published."""


def find_page_uses(snapshot: Snapshot, registry: Registry, gone: Iterable[ItemId]) -> list[Use]:
    """Uses of these pages, which are deleted together: links between them do not count. A link on a site that lacks the
    page leads to the default site's page, so it breaks only if that one is deleted too.
    """
    default = registry.company.default_site
    leaving = frozenset(gone)
    keys = {page.key for page in leaving}
    here = {(page.site, page.key) for page in snapshot.translations(keys)}
    links: dict[tuple[ItemId, bool], set[Reference]] = {}
    for key in keys:
        reference = Reference(PAGE, key)
        for item in snapshot.dependants(reference):
            target = item.site if (item.site, key) in here else default
            if ItemId(target, PAGE, key) in leaving and _page_of(item) not in leaving:
                spare = target != default and (default, key) in here and ItemId(default, PAGE, key) not in leaving
                links.setdefault((item, not spare), set()).add(reference)
    uses = [
        Use(item, _find_places(item, snapshot.body(item), _mentions(references)), breaks)
        for (item, breaks), references in sorted(links.items())
    ]
    return [*uses, *(placed for page in sorted(leaving) for placed in _find_placements(snapshot, page))]


def find_file_uses(snapshot: Snapshot, kind: str, key: str) -> list[Use]:
    """What shows a picture or offers a document."""
    assert kind in (PICTURE, DOCUMENT)
    reference = Reference(kind, key)
    return [
        Use(item, _find_places(item, snapshot.body(item), _mentions({reference})), True)
        for item in sorted(snapshot.dependants(reference))
    ]


def find_entry_uses(snapshot: Snapshot, registry: Registry, kind: str, key: str) -> list[Use]:
    """Places that show an entry. Nothing breaks without it, because lists are updated by themselves."""
    uses = []
    for site_key, site in registry.sites.items():
        body = snapshot.body(ItemId(site_key, kind, key))
        if body is None:
            continue
        if kind == PHONE:
            uses.append(Use(ItemId(site_key, FRAME, ""), ("for visitors it is meant for",), False))
        if kind == OFFICE:
            shown = OFFICE_SETS if site.office_rule == "visitor" else site.office_sets
            sets = [name for name in body["value"]["sets"] if name in shown]
            if sets:
                uses.append(Use(ItemId(site_key, FRAME, ""), (f"office sets: {', '.join(sets)}",), False))
    for item in sorted(snapshot.dependants(Reference("items", kind))):
        mentions = _lists(snapshot, item, kind, key)
        if item.kind in (*PAGE_KINDS, MENU, FOOTER) and (places := _find_places(item, snapshot.body(item), mentions)):
            uses.append(Use(item, places, False))
    return [*uses, *(_find_valued(snapshot, registry, key) if kind == FACET else ())]


def _find_placements(snapshot: Snapshot, page: ItemId) -> Iterator[Use]:
    for kind in _PLACED:
        for value in snapshot.placed(page.site, kind, page.key):
            yield Use(ItemId(page.site, kind, value["id"]), ("is placed on it",), False)


def _find_valued(snapshot: Snapshot, registry: Registry, key: str) -> Iterator[Use]:
    """Case studies that are found by a facet value: its name stands in their cards."""
    kind = CaseStudyPage.card_kind()
    for site in registry.sites:
        for value in snapshot.collection(site, kind):
            if any(found["slug"] == key for name in _FACET_FIELDS for found in value.get(name) or ()):
                yield Use(ItemId(site, kind, value["id"]), (), False)


def _page_of(item: ItemId) -> ItemId:
    """A page's card goes with it."""
    return ItemId(item.site, PAGE, item.key) if item.kind in PAGE_KINDS else item


def _mentions(wanted: set[Reference]) -> Mentions:
    return lambda part: not wanted.isdisjoint(find_references(part))


def _lists(snapshot: Snapshot, item: ItemId, kind: str, key: str) -> Mentions:
    """Whether a list in the part shows the entry, by the list's own rule."""
    entries = snapshot.collection(item.site, kind)

    def is_shown(node: Mapping[str, Any]) -> bool:
        found = entries
        if "choose" in node:
            page = item.key if item.kind == PAGE else None
            found = select_items(
                node["choose"], entries, lambda: snapshot.placed(item.site, kind, page) if page else [], page
            )
        found = found[: node.get("first")]
        return any(value.get("id") == key for value in (found[-node["last"] :] if "last" in node else found))

    return lambda part: any(is_shown(node) for node in _find_lists(part, kind))


def _find_lists(part: Any, kind: str) -> Iterator[Mapping[str, Any]]:
    if isinstance(part, list):
        for value in part:
            yield from _find_lists(value, kind)
    elif isinstance(part, dict) and "$verbatim" not in part:
        if part.get("$items") == kind:
            yield part
        for value in part.values():
            yield from _find_lists(value, kind)


def _find_places(item: ItemId, body: Mapping[str, Any], mentions: Mentions) -> tuple[str, ...]:
    """Names of the item's parts that mention it; empty where none does."""
    if item.kind == PAGE:
        blocks = [
            f"Block {number} ({_LABELS.get(block['type'], block['type'])})"
            for number, block in enumerate(body["blocks"], start=1)
            if mentions(block)
        ]
        others = {name: value for name, value in body.items() if name != "blocks"}
        return (*blocks, *(["the page itself"] if mentions(others) else ()))
    if item.kind in (MENU, FOOTER):
        return tuple(dict.fromkeys(_find_titles(body, mentions, ())))
    if item.kind in PAGE_KINDS:
        return ("In lists",) if mentions(body) else ()
    return ("the entry",) if mentions(body) else ()


def _find_titles(part: Any, mentions: Mentions, above: tuple[str, ...]) -> Iterator[str]:
    """``Company → About us``: the titles on the way to each link of a menu or footer."""
    if not mentions(part):
        return
    if isinstance(part, list):
        for value in part:
            yield from _find_titles(value, mentions, above)
    elif isinstance(part, dict):
        title = part.get("title")
        way = (*above, title) if isinstance(title, str) and title and title not in above[-1:] else above
        inner = [value for value in part.values() if isinstance(value, list | dict) and mentions(value)]
        if inner:
            for value in inner:
                yield from _find_titles(value, mentions, way)
        else:
            yield " → ".join(way)
