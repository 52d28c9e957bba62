"""Dependencies of a page's HTML on other items.

Their changes would render it again.
"""

from collections.abc import Iterator
from typing import Final

from ..domain.cards import CARD_KINDS, FACT_LISTS
from ..domain.references import Reference, find_references
from ..releases.index import Page
from ..releases.reader import ALL_SITES, ItemId
from .addresses import Addresses
from .reasons import Cause, Reason
from .snapshot import Snapshot

PLACEHOLDER: Final = "placeholder"
"""Kind of a figure named in a text."""


def find_dependencies(page: Page, snapshot: Snapshot, addresses: Addresses) -> list[Reason]:
    """Return the possible reasons for rendering the page alone.

    An item without a key means all items of its kind on the site, because a list shows some of them.
    """
    references = find_page_references(page, snapshot)
    keys = {key for kind, key in references if kind == "page"} - {page.key}
    above = list(_find_above(page, snapshot))
    default_site, sites = addresses.registry.default_site.key, addresses.alternates(page.site) - {page.site}
    translations = [
        other
        for other in snapshot.translations([page.key])
        if other.site in sites and not (page.fallback or other.fallback)
    ]
    return [
        Reason(Cause.PAGE, ItemId(page.site, "page", page.key)),
        *(
            [Reason(Cause.CARD, ItemId(page.content_site, kind, page.key))]
            if (kind := CARD_KINDS.get(page.template))
            else []
        ),
        *(Reason(Cause.ITEM, id) for reference in references if (id := _item_of(reference, page.content_site))),
        *(Reason(Cause.LINK, id) for id in find_targets(keys, page.site, snapshot, default_site)),
        *(Reason(Cause.ABOVE, ItemId(page.site, "page", other.key)) for other in above),
        *(Reason(Cause.TRANSLATION, ItemId(other.site, "page", other.key)) for other in translations),
    ]


def find_page_references(page: Page, snapshot: Snapshot) -> list[Reference]:
    """Return the references of a page's content, its card and its layout, each once."""
    kind = CARD_KINDS.get(page.template)
    bodies = [
        snapshot.page_body(page),
        snapshot.body(ItemId(page.content_site, kind, page.key)) if kind else None,
        FACT_LISTS.get(page.template),
    ]
    return sorted({reference for body in bodies for reference in find_references(body)})


def find_targets(keys: set[str], site: str, snapshot: Snapshot, default_site: str) -> list[ItemId]:
    """Return the target pages of links with these keys on a site.

    These are its own pages, else the default site's.
    """
    found = {(page.key, page.site) for page in snapshot.translations(keys)}
    return [ItemId(site if (key, site) in found else default_site, "page", key) for key in sorted(keys)]


def _find_above(page: Page, snapshot: Snapshot) -> Iterator[Page]:
    """Yield the pages above, nearest first."""
    seen, parent = {page.key}, page.parent
    while parent and parent not in seen:
        seen.add(parent)
        found = next((other for other in snapshot.translations([parent]) if other.site == page.site), None)
        if found is None:
            return
        yield found
        parent = found.parent


def _item_of(reference: Reference, site: str) -> ItemId | None:
    kind, key = reference
    if kind == "page":
        return None
    return ItemId(site, key, "") if kind == "items" else ItemId(ALL_SITES, kind, key)
