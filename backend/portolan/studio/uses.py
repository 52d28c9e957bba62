"""Find all uses of an item in the newest release, before it is deleted.

Wagtail's index only has references that were chosen in forms. It lacks footers that show an office because of its set,
lists that a rule fills, and inheriting sites.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import itemgetter
from typing import Final, NamedTuple, cast

from django.utils.translation import gettext

from ..content.fields import INSTANCES
from ..content.items import DOCUMENT, FACET, FOOTER, MAIN, MENU, OFFICE, PAGE, PHONE, PICTURE, REDIRECT, REVIEW
from ..content.page_rows import PAGE_KINDS
from ..content.pages.case_study import CaseStudyPage
from ..domain.cards import CARD_KINDS
from ..domain.offices import OFFICE_SETS
from ..domain.references import Reference, find_references
from ..domain.selectors import select_items
from ..domain.snapshot_bodies import EntryBody, FooterBody, JsonObject, MenuBody, PageBody
from ..publisher.snapshot import Snapshot
from ..releases.index import Page
from ..releases.reader import ItemId
from ..sites.registry import Registry

FRAME: Final = "frame"
"""Kind of a use without an item: header and footer show the entry on every page of the site."""
_LABELS: Final = {type: block.label for type, block in INSTANCES.items()}
_PLACED: Final = (REVIEW, CaseStudyPage.card_kind())
"""Kinds that editors place on pages."""
_FACET_FIELDS: Final = ("industries", "services", "technologies")

Body = PageBody | EntryBody | MenuBody | FooterBody
"""Bodies of items that mention others."""
Mentions = Callable[[object], bool]
"""Returns whether a part of a body mentions the item."""


class Use(NamedTuple):
    """An item that mentions the other one."""

    item: ItemId
    places: tuple[str, ...]
    """Places in the item, as editors know them: ``Block 3 (Text)``, ``“Services”``."""
    breaks: bool
    """True if the place needs the mentioned item, so that this one could not be published."""


class LinkCounts(NamedTuple):
    """Number of pages, menus and footers with links, counted once for each site."""

    pages: int = 0
    menus: int = 0
    footers: int = 0
    sites: tuple[str, ...] = ()
    """Keys of the sites with such links."""


def find_page_uses(
    snapshot: Snapshot, registry: Registry, gone: Iterable[ItemId], with_places: bool = True
) -> list[Use]:
    """Return the uses of pages that are deleted together.

    Links between these pages do not count. On a site that lacks the page, a link goes to the default site's page, so it
    only breaks if that page is deleted too.

    ``with_places=False`` is fast: it reads no bodies, even if thousands of pages link to them.
    """
    default = registry.company.default_site
    leaving = frozenset(gone)
    known = snapshot.translations({page.key for page in leaving})
    here = {(page.site, page.key) for page in known}
    links: dict[tuple[ItemId, bool], set[Reference]] = {}
    for item, target in _find_links(snapshot, default, leaving, here):
        if _page_of(item) not in leaving:
            at_default = ItemId(default, PAGE, target.key)
            spare = target != at_default and (default, target.key) in here and at_default not in leaving
            breaks = not spare and item.kind != REDIRECT  # the redirect then returns 410
            links.setdefault((item, breaks), set()).add(Reference(PAGE, target.key))
    uses = [
        Use(item, _find_places(item, snapshot.body(item), _mentions(references)) if with_places else (), breaks)
        for (item, breaks), references in sorted(links.items())
    ]
    return [*uses, *_find_placements(snapshot, leaving), *_find_lists_of_cards(snapshot, known, leaving)]


def count_links(snapshot: Snapshot, registry: Registry, pages: Iterable[ItemId]) -> LinkCounts:
    """Count links to any of these pages, also from each other. Read no body."""
    leaving = frozenset(pages)
    here = {(page.site, page.key) for page in snapshot.translations({page.key for page in leaving})}
    default = registry.company.default_site
    found = {_page_of(item) for item, _ in _find_links(snapshot, default, leaving, here)}
    counts = Counter(item.kind for item in found)
    sites = tuple(sorted({item.site for item in found if item.kind in (PAGE, MENU, FOOTER)}))
    return LinkCounts(counts[PAGE], counts[MENU], counts[FOOTER], sites)


def find_file_uses(snapshot: Snapshot, kind: str, key: str) -> list[Use]:
    """Return the items that show an image or offer a document."""
    assert kind in (PICTURE, DOCUMENT)
    reference = Reference(kind, key)
    return [
        Use(item, _find_places(item, snapshot.body(item), _mentions({reference})), True)
        for item in sorted(snapshot.dependants(reference))
    ]


def find_address_uses(snapshot: Snapshot, registry: Registry, address: str) -> list[Use]:
    """Return the menus and footers with a link to a typed URL, as links to documents are there."""
    frames = [ItemId(site, kind, MAIN) for site in sorted(registry.sites) for kind in (MENU, FOOTER)]
    there = [(item, body) for item in frames if (body := snapshot.body(item)) is not None]
    found = ((item, _find_places(item, body, lambda part: _has_address(part, address))) for item, body in there)
    return [Use(item, places, True) for item, places in found if places]


def find_entry_uses(snapshot: Snapshot, registry: Registry, kind: str, key: str) -> list[Use]:
    """Return the uses of an entry. None of them breaks, because lists update automatically."""
    uses = []
    for site_key, site in registry.sites.items():
        body: EntryBody | None = snapshot.body(ItemId(site_key, kind, key))
        if body is None:
            continue
        if kind == PHONE:
            uses.append(Use(ItemId(site_key, FRAME, ""), (gettext("for visitors it is meant for"),), False))
        if kind == OFFICE:
            shown = OFFICE_SETS if site.office_rule == "visitor" else site.office_sets
            sets = [name for name in body["value"]["sets"] if name in shown]
            if sets:
                uses.append(
                    Use(
                        ItemId(site_key, FRAME, ""),
                        (gettext("office sets: {names}").format(names=", ".join(sets)),),
                        False,
                    )
                )
    for item in sorted(snapshot.dependants(Reference("items", kind))):
        mentions = _lists(snapshot, item, kind, {key})
        if item.kind in (*PAGE_KINDS, MENU, FOOTER) and (places := _find_places(item, snapshot.body(item), mentions)):
            uses.append(Use(item, places, False))
    return [*uses, *(_find_valued(snapshot, registry, key) if kind == FACET else ())]


def _find_links(
    snapshot: Snapshot, default: str, pages: frozenset[ItemId], here: Collection[tuple[str, str]]
) -> Iterator[tuple[ItemId, ItemId]]:
    """Yield each item that links to one of the pages, with the page.

    On a site that lacks the page, the link goes to the default site's page. ``here``: site and key of the pages and
    their translations.
    """
    keys = {page.key for page in pages}
    linked = snapshot.dependants_of_any(PAGE, keys)
    for key in sorted(keys):
        for item in linked[key]:
            target = ItemId(item.site if (item.site, key) in here else default, PAGE, key)
            if target in pages:
                yield item, target


def _find_placements(snapshot: Snapshot, pages: Iterable[ItemId]) -> Iterator[Use]:
    """Yield placed entries by page and kind, then in the editors' order."""
    keys: dict[str, set[str]] = {}
    for page in pages:
        keys.setdefault(page.site, set()).add(page.key)
    for site in sorted(keys):
        placed = (
            (page, kind, value) for kind in _PLACED for page, value in snapshot.placements(site, kind, keys[site])
        )
        for _, kind, value in sorted(placed, key=itemgetter(0)):
            yield Use(ItemId(site, kind, value["id"]), (gettext("is placed on it"),), False)


def _find_valued(snapshot: Snapshot, registry: Registry, key: str) -> Iterator[Use]:
    """Yield the case studies with a facet value; their cards show its name."""
    kind = CaseStudyPage.card_kind()
    for site in registry.sites:
        for value in snapshot.collection(site, kind):
            if any(found["slug"] == key for name in _FACET_FIELDS for found in value.get(name) or ()):
                yield Use(ItemId(site, kind, value["id"]), (), False)


def _find_lists_of_cards(snapshot: Snapshot, known: Iterable[Page], leaving: Collection[ItemId]) -> Iterator[Use]:
    """Yield lists on other pages, menus and footers that show the cards of these pages. They update automatically.

    ``known``: the pages and their translations.
    """
    cards: dict[str, dict[str, set[str]]] = {}
    for page in known:
        if page.template in CARD_KINDS and ItemId(page.site, PAGE, page.key) in leaving:
            cards.setdefault(CARD_KINDS[page.template], {}).setdefault(page.site, set()).add(page.key)
    for kind, keys in cards.items():
        for item in sorted(snapshot.holders(Reference("items", kind))):
            if item.kind not in (PAGE, MENU, FOOTER) or item.site not in keys or item in leaving:
                continue
            if places := _find_places(item, snapshot.body(item), _lists(snapshot, item, kind, keys[item.site])):
                yield Use(item, places, False)


def _has_address(part: object, address: str) -> bool:
    if isinstance(part, dict):
        return part.get("$url") == address or any(_has_address(value, address) for value in part.values())
    return isinstance(part, list) and any(_has_address(value, address) for value in part)


def _page_of(item: ItemId) -> ItemId:
    """Return the page of a card; any other item itself."""
    return ItemId(item.site, PAGE, item.key) if item.kind in PAGE_KINDS else item


def _mentions(wanted: set[Reference]) -> Mentions:
    return lambda part: not wanted.isdisjoint(find_references(part))


def _lists(snapshot: Snapshot, item: ItemId, kind: str, keys: Collection[str]) -> Mentions:
    """Return a check whether a list in the part shows one of the entries, by the list's own rule."""
    entries = snapshot.collection(item.site, kind)

    def is_shown(node: JsonObject) -> bool:
        found = entries
        if "choose" in node:
            page = item.key if item.kind == PAGE else None
            found = select_items(
                node["choose"], entries, lambda: snapshot.placed(item.site, kind, page) if page else [], page
            )
        return any(value.get("id") in keys for value in found[: node.get("first")])

    return lambda part: any(is_shown(node) for node in _find_lists(part, kind))


def _find_lists(part: object, kind: str) -> Iterator[JsonObject]:
    if isinstance(part, list):
        for value in part:
            yield from _find_lists(value, kind)
    elif isinstance(part, dict) and "$verbatim" not in part:
        if part.get("$items") == kind:
            yield part
        for value in part.values():
            yield from _find_lists(value, kind)


def _find_places(item: ItemId, body: Body, mentions: Mentions) -> tuple[str, ...]:
    """Return the names of the item's parts that mention it; empty for none."""
    if item.kind == PAGE:
        return tuple(_find_places_of_page(cast(PageBody, body), mentions))
    if item.kind == REDIRECT:
        return (gettext("redirects to it"),)
    if item.kind in (MENU, FOOTER):
        return tuple(dict.fromkeys(_find_titles(body, mentions, ())))
    if not mentions(body):
        return ()
    return (gettext("In lists"),) if item.kind in PAGE_KINDS else (gettext("the entry"),)


def _find_places_of_page(body: PageBody, mentions: Mentions) -> Iterator[str]:
    for number, block in enumerate(body["blocks"], start=1):
        if mentions(block):
            yield gettext("Block {number} ({name})").format(
                number=number, name=str(_LABELS.get(block["type"], block["type"]))
            )
    if mentions([value for name, value in body.items() if name != "blocks"]):
        yield gettext("the page itself")


def _find_titles(part: object, mentions: Mentions, above: tuple[str, ...]) -> Iterator[str]:
    """Yield the titles on the way to each link of a menu or footer: ``Company → About us``."""
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
