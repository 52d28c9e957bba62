"""Decides what to render: first finds the pages a change may affect, each with the reasons, by the index of references;
then takes those whose input digest differs."""

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

_FRAME_KINDS: Final = frozenset({"menu", "footer", "office", "phone", "figures"})
"""``shared_data``; each is a site's own but for the figures."""
_CARDS: Final = frozenset(CARD_KINDS.values())


class BuildPlan(NamedTuple):
    """What a build of one site does with each path."""

    render: list[str]
    kept: int
    """How many pages stay as they are."""
    delete: list[str]
    splice: Sequence[str] = ()
    """Pages of which the site's frame alone differs: their own parts go into the new one."""


def plan_build(known: Mapping[str, KnownPage], reached: Mapping[str, str | None], gone: Iterable[str]) -> BuildPlan:
    """Compare digests of page contents by path.

    ``known`` are the pages of the last build, ``reached`` those that may differ (None for one without page content), and
    ``gone`` paths at which there is no page now. Every other path is known to be as before.
    """
    render = [
        path
        for path, digest in reached.items()
        if path not in known or (digest is not None and digest != known[path].content)
    ]
    delete = [path for path in gone if path in known]
    return BuildPlan(render, len(known) - len(delete) - sum(path in known for path in render), delete)


def find_gone_paths(changes: Iterable[Change], site: str, routes: RouteTable) -> list[str]:
    """Paths of a site that had a page before the changes and have none after them."""
    left = {change.before.path for change in changes if change.before and change.before.site == site}
    return sorted(path for path in left if routes.at(site, path) is None)


class Reached(NamedTuple):
    """What changes may have reached. It may name too many pages, never too few: whoever renders compares digests."""

    every: Mapping[str, Reason]
    """Sites of which any page may differ."""
    pages: Mapping[str, Mapping[Page, Reasons]]
    """Of the other sites, the pages that may, each with every reason. A site without any is left out."""
    frames: frozenset[str]
    """Sites whose shared data may differ; ``ALL_SITES`` stands for all of them."""

    def is_beyond(self, site: str) -> bool:
        """Whether nothing of a site may differ."""
        return not (site in self.every or site in self.pages or {site, ALL_SITES} & self.frames)


def find_affected_pages(changes: Iterable[Change], snapshot: Snapshot, routes: RouteTable) -> Reached:
    """Snapshot and routes are those after the changes."""
    affected = _Affected()
    every: dict[str, Reason] = {}
    for change in changes:
        if change.item.kind != "page":
            affected.note_frame(change.item)
            _add_page_of_card(change.item, Reason(Cause.CARD, change.item), affected)
            _add_dependants(
                _reference(change.item), _site_of(change.item), Reason(Cause.ITEM, change.item), snapshot, affected
            )
        else:
            for site in _add_of_page(change, snapshot, routes, affected):
                every.setdefault(site, Reason(Cause.HOME, change.item))
    affected.frames |= _sites_showing(affected, snapshot, routes)
    pages: dict[str, dict[Page, Reasons]] = {}
    for item, reasons in affected.items():
        page = None if item.site in every else routes.page(item.site, item.key)
        if page:
            pages.setdefault(page.site, {})[page] = tuple(reasons)
    return Reached(every, pages, frozenset(affected.frames))


def _sites_showing(pages: Iterable[ItemId], snapshot: Snapshot, routes: RouteTable) -> set[str]:
    """Return the sites whose menu shows texts or the picture of one of these pages (``chosen_pages``)."""
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
    """Items of pages, each with its reasons in the order they were found."""

    def __init__(self) -> None:
        super().__init__()
        self.frames: set[str] = set()

    def note_frame(self, item: ItemId) -> None:
        """Shared data is made from some kinds of items."""
        if item.kind in _FRAME_KINDS:
            self.frames.add(item.site)

    def note(self, items: Iterable[ItemId], reason: Reason) -> None:
        """A page that changed itself is not its own translation, link or neighbour."""
        for item in items:
            if item != reason.item or reason.cause == Cause.PAGE:
                self.setdefault(item, {})[reason] = None


def _add_of_page(change: Change, snapshot: Snapshot, routes: RouteTable, affected: _Affected) -> Collection[str]:
    """Returns the sites of which the change reaches every page."""
    item, before, after = change
    affected.note([item], Reason(Cause.PAGE, item))
    # Another page may claim the same path and so gain or lose it by this change.
    affected.note(_same_path(change, routes), Reason(Cause.PATH, item))
    if before and after and (before.path, before.template) == (after.path, after.template):
        if before.title != after.title or before.parent != after.parent:
            affected.note(_descendants(item, routes), Reason(Cause.ABOVE, item))
        return ()
    is_home = "/" in (before and before.path, after and after.path)
    translations = (ItemId(page.site, "page", page.key) for page in routes.alternate_pages(item.site, item.key))
    affected.note(translations, Reason(Cause.TRANSLATION, item))
    affected.note(_descendants(item, routes), Reason(Cause.ABOVE, item))
    sites = routes.sites_led_to(item.site, item.key)
    _add_dependants(Reference("page", item.key), sites, Reason(Cause.LINK, item), snapshot, affected)
    # Every page's language switcher may link to a home page.
    return routes.sites_with_alternates(item.site) if is_home else ()


def _same_path(change: Change, routes: RouteTable) -> Iterable[ItemId]:
    for side in (change.before, change.after):
        page = side and routes.at(side.site, side.path)
        if page:
            yield ItemId(page.site, "page", page.key)


def _descendants(item: ItemId, routes: RouteTable) -> Iterator[ItemId]:
    """Pages below a page: their breadcrumb shows it."""
    return (ItemId(item.site, "page", key) for key in routes.descendants(item.site, item.key))


def _add_dependants(
    reference: Reference, sites: Collection[str], reason: Reason, snapshot: Snapshot, affected: _Affected
) -> None:
    """Pages that hold ``reference``, or a collection with an item that does. ``sites``: only theirs, if any is named."""
    waiting, seen = [(reference, sites, reason)], set()
    while waiting:
        wanted, scope, why = waiting.pop()
        for item in _holders(wanted, snapshot):
            if (scope and item.site not in scope) or item in seen:
                continue
            seen.add(item)
            if item.kind == "page":
                affected.note([item], why)
            else:
                affected.note_frame(item)
                _add_page_of_card(item, why, affected)
                through = why if item.kind in why.parts else why._replace(parts=(*why.parts, item.kind))
                waiting.append((_reference(item), _site_of(item), through))


def _site_of(item: ItemId) -> Collection[str]:
    """The site whose pages may show an item; none where all may."""
    return (item.site,) if item.site else ()


def _add_page_of_card(item: ItemId, reason: Reason, affected: _Affected) -> None:
    """A page's facts are its card's."""
    if item.kind in _CARDS:
        affected.note([ItemId(item.site, "page", item.key)], reason)


def _holders(reference: Reference, snapshot: Snapshot) -> set[ItemId]:
    if reference.kind != "figures":
        return snapshot.dependants(reference)
    names = {*PLACEHOLDERS, *snapshot.figures()}
    return {item for name in names for item in snapshot.dependants(Reference("placeholder", name))}


def _reference(item: ItemId) -> Reference:
    """How bodies refer to an item that is no page."""
    if item.kind in ("picture", "document"):
        return Reference(item.kind, item.key)
    if item.kind == "figures":
        return Reference("figures", item.key)
    return Reference("items", item.kind)
