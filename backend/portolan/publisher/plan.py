"""Decide which pages to render.

Find all pages that a change may affect, with reasons, then compare input digests.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from ..domain.cards import CARD_KINDS
from ..domain.company import PLACEHOLDERS
from ..domain.references import Reference
from ..releases.index import Page
from ..releases.reader import ALL_SITES, ItemId
from .build_inputs import KnownPage
from .chosen_pages import list_chosen_pages
from .reasons import Cause, Reason, Reasons
from .route_table import RouteTable
from .snapshot import Change, Snapshot

_FRAME_KINDS: Final = frozenset({"menu", "footer", "words", "office", "phone", "figures"})
"""Kinds in ``shared_data``. All but the figures belong to one site."""
_CARDS: Final = frozenset(CARD_KINDS.values())


class BuildPlan(NamedTuple):
    """A build's action for each path of one site."""

    render: list[str]
    kept: int
    """Number of pages that stay as they are."""
    delete: list[str]
    splice: Sequence[str] = ()
    """Pages of which only the site's frame differs: their own parts are put into the new frame."""


def plan_build(known: Mapping[str, KnownPage], reached: Mapping[str, str | None], gone: Iterable[str]) -> BuildPlan:
    """Compare digests of page contents by path.

    ``known``: pages of the last build. ``reached``: pages that may differ, with None for missing page content.
    ``gone``: paths without a page now. Every other path is unchanged.
    """
    render = [
        path
        for path, digest in reached.items()
        if path not in known or (digest is not None and digest != known[path].content)
    ]
    delete = [path for path in gone if path in known]
    return BuildPlan(render, len(known) - len(delete) - sum(path in known for path in render), delete)


def find_gone_paths(changes: Iterable[Change], site: str, routes: RouteTable) -> list[str]:
    """Return the paths of a site that the changes leave without a page."""
    left = {change.before.path for change in changes if change.before and change.before.site == site}
    return sorted(path for path in left if routes.at(site, path) is None)


class Reached(NamedTuple):
    """Pages that changes may affect.

    It may have too many but never too few, because digests are compared afterwards.
    """

    every: Mapping[str, Reason]
    """Sites of which any page may differ."""
    pages: Mapping[str, Mapping[Page, Reasons]]
    """Pages of other sites that may differ, each with every reason. Sites without any are left out."""
    frames: frozenset[str]
    """Sites whose shared data may differ; ``ALL_SITES`` for all of them."""

    def is_beyond(self, site: str) -> bool:
        """Return True if the site stays the same."""
        return not (site in self.every or site in self.pages or {site, ALL_SITES} & self.frames)


def find_affected_pages(changes: Iterable[Change], snapshot: Snapshot, routes: RouteTable) -> Reached:
    """Return the affected pages. Snapshot and routes are those after the changes."""
    affected = _Affected()
    every: dict[str, Reason] = {}
    for change in changes:
        if change.item.kind != "page":
            affected.note_frame(change.item)
            _add_page_of_card(change.item, Reason(Cause.CARD, change.item), affected)
            _add_dependants(
                _reference(change.item),
                _site_of(change.item),
                Reason(Cause.ITEM, change.item),
                snapshot,
                routes,
                affected,
            )
        else:
            for site in _add_of_page(change, snapshot, routes, affected):
                every.setdefault(site, Reason(Cause.HOME, change.item))
    _add_fallbacks(affected, routes)
    affected.frames |= _sites_showing(affected, snapshot, routes)
    pages: dict[str, dict[Page, Reasons]] = {}
    for item, reasons in affected.items():
        page = None if item.site in every else routes.page(item.site, item.key)
        if page:
            pages.setdefault(page.site, {})[page] = tuple(reasons)
    return Reached(every, pages, frozenset(affected.frames))


def _add_fallbacks(affected: "_Affected", routes: RouteTable) -> None:
    """Add the pages that show an affected page untranslated: with its card, its lists and the titles above it."""
    for item, reasons in list(affected.items()):
        for page in routes.fallbacks(item.site, item.key):
            for reason in reasons:
                affected.note([ItemId(page.site, "page", page.key)], reason)


def _sites_showing(pages: Iterable[ItemId], snapshot: Snapshot, routes: RouteTable) -> set[str]:
    """Return the sites whose menu shows texts or the image of one of these pages."""
    changed: dict[str, set[str]] = {}
    for page in pages:
        changed.setdefault(page.key, set()).add(page.site)
    found = set()
    for site in routes.sites if changed else ():
        menu = snapshot.body(ItemId(site, "menu", "main"))
        chosen = changed.keys() & set(list_chosen_pages(menu)) if menu else ()
        if any(site in changed[key] or routes.page(site, key) is None for key in chosen):
            found.add(site)
    return found


class _Affected(dict[ItemId, dict[Reason, None]]):
    """Page items, each with its reasons in the order of discovery."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: set[str] = set()

    def note_frame(self, item: ItemId) -> None:
        """Mark the shared data of the item's site, if it is of such a kind."""
        if item.kind in _FRAME_KINDS:
            self.frames.add(item.site)

    def note(self, items: Iterable[ItemId], reason: Reason) -> None:
        """Add a reason to items.

        A page that changed itself is not its own translation, link or neighbour.
        """
        for item in items:
            if item != reason.item or reason.cause == Cause.PAGE:
                self.setdefault(item, {})[reason] = None


def _add_of_page(change: Change, snapshot: Snapshot, routes: RouteTable, affected: _Affected) -> Collection[str]:
    """Add the pages affected by a page's change.

    Return the sites of which it affects every page.
    """
    item, before, after = change
    affected.note([item], Reason(Cause.PAGE, item))
    # Another page may claim the same path, and gain or lose it by this change.
    affected.note(_same_path(change, routes), Reason(Cause.PATH, item))
    if before and after and _is_same_place(before, after):
        if before.title != after.title or before.parent != after.parent:
            affected.note(_descendants(item, routes), Reason(Cause.ABOVE, item))
        return ()
    is_home = "/" in (before and before.path, after and after.path)
    translations = (ItemId(page.site, "page", page.key) for page in routes.alternate_pages(item.site, item.key))
    affected.note(translations, Reason(Cause.TRANSLATION, item))
    affected.note(_descendants(item, routes), Reason(Cause.ABOVE, item))
    sites = routes.sites_led_to(item.site, item.key)
    _add_dependants(Reference("page", item.key), sites, Reason(Cause.LINK, item), snapshot, routes, affected)
    # Every page's language switcher may link to a home page.
    return routes.sites_with_alternates(item.site) if is_home else ()


def _is_same_place(before: Page, after: Page) -> bool:
    return (before.path, before.template, before.fallback) == (after.path, after.template, after.fallback)


def _same_path(change: Change, routes: RouteTable) -> Iterable[ItemId]:
    for side in (change.before, change.after):
        page = side and routes.at(side.site, side.path)
        if page:
            yield ItemId(page.site, "page", page.key)


def _descendants(item: ItemId, routes: RouteTable) -> Iterator[ItemId]:
    """Return the pages below a page, whose breadcrumb shows it."""
    return (ItemId(item.site, "page", key) for key in routes.descendants(item.site, item.key))


def _add_dependants(
    reference: Reference,
    sites: Collection[str],
    reason: Reason,
    snapshot: Snapshot,
    routes: RouteTable,
    affected: _Affected,
) -> None:
    """Add pages with ``reference``, or with a collection that has an item with it.

    ``sites``: limit, if not empty.
    """
    waiting, seen = [(reference, sites, reason)], set()
    while waiting:
        wanted, scope, why = waiting.pop()
        for item in _holders(wanted, snapshot):
            if item in seen or not _is_on(item, scope, routes):
                continue
            seen.add(item)
            if item.kind == "page":
                affected.note([item], why)
            else:
                affected.note_frame(item)
                _add_page_of_card(item, why, affected)
                through = why if item.kind in why.parts else why._replace(parts=(*why.parts, item.kind))
                waiting.append((_reference(item), _site_of(item), through))


def _is_on(item: ItemId, sites: Collection[str], routes: RouteTable) -> bool:
    """Return True if pages of these sites may show the item; for no sites, any page.

    A page in the source's language shows the source's lists, with links to pages of its own site.
    """
    if not sites or item.site in sites:
        return True
    if item.kind == "page":
        page = routes.page(item.site, item.key)
        return page is not None and page.fallback in sites
    return any(site in sites for site in routes.shown_on(item.site))


def _site_of(item: ItemId) -> Collection[str]:
    """Return the site whose pages may show an item; empty for all sites."""
    return (item.site,) if item.site else ()


def _add_page_of_card(item: ItemId, reason: Reason, affected: _Affected) -> None:
    """Add the page of a card, because the page's facts come from the card."""
    if item.kind in _CARDS:
        affected.note([ItemId(item.site, "page", item.key)], reason)


def _holders(reference: Reference, snapshot: Snapshot) -> set[ItemId]:
    if reference.kind != "figures":
        return snapshot.dependants(reference)
    names = {*PLACEHOLDERS, *snapshot.figures()}
    return {item for name in names for item in snapshot.dependants(Reference("placeholder", name))}


def _reference(item: ItemId) -> Reference:
    """Return the reference in bodies to an item that is not a page."""
    if item.kind in ("picture", "document"):
        return Reference(item.kind, item.key)
    if item.kind == "figures":
        return Reference("figures", item.key)
    return Reference("items", item.kind)
