"""Links of a page in both directions."""

from collections.abc import Iterable
from typing import NamedTuple

from ..domain.cards import CARD_KINDS
from ..domain.html_reader import HtmlReader
from ..domain.references import Reference
from ..releases.index import Page
from ..releases.reader import ItemId
from .addresses import Addresses
from .depends import find_page_references, find_targets
from .snapshot import Snapshot

_CARDS = frozenset(CARD_KINDS.values())


class PageLinks(NamedTuple):
    """Linked items: pages and other items with links."""

    to: list[ItemId]
    """Pages that its content links to."""
    shown: list[ItemId]
    """Other pages that the main part of its HTML links to: from its lists, its breadcrumb, its layout."""
    by: list[ItemId]
    """Items that link to it: pages, menus, footers, entries, redirects."""
    listed_by: list[ItemId]
    """Other pages with lists that may show it."""


def find_page_links(page: Page, snapshot: Snapshot, addresses: Addresses, html: str | None) -> PageLinks:
    """Return the links. ``html``: the live page, if it is readable."""
    default = addresses.registry.default_site.key
    own = ItemId(page.site, "page", page.key)
    keys = {key for kind, key in find_page_references(page, snapshot) if kind == "page"}
    to = find_targets(keys, page.site, snapshot, default)
    shown = _find_pages(find_links(html), page, snapshot, addresses) if html else []
    here = {other.site for other in snapshot.translations([page.key])}
    by = {
        _page_of(item)
        for item in snapshot.dependants(Reference("page", page.key))
        if (item.site if item.site in here else default) == page.site
    }
    kind = CARD_KINDS.get(page.template)
    lists = snapshot.dependants(Reference("items", kind)) if kind else set()
    listed_by = {_page_of(item) for item in lists if item.site == page.site}
    return PageLinks(
        [id for id in to if id != own],
        [id for id in shown if id != own and id not in to],
        sorted(by - {own}),
        sorted(listed_by - by - {own}),
    )


def find_links(html: str) -> list[str]:
    """Return the URLs of links in the main part, each once.

    All pages share header and footer.
    """
    parser = _MainLinks()
    parser.read(html)
    return list(parser.found)


class _MainLinks(HtmlReader):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, None] = {}
        self._depth = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "main":
            self._depth += 1
        elif tag == "a" and self._depth and (href := dict(attributes).get("href")):
            self.found[href] = None

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._depth -= 1


def _find_pages(links: Iterable[str], page: Page, snapshot: Snapshot, addresses: Addresses) -> list[ItemId]:
    found: dict[ItemId, None] = {}
    for link in links:
        target = addresses.target(page.site, link)
        for other in snapshot.pages_at(target.path) if target else ():
            if target and other.site == target.site:
                found[ItemId(other.site, "page", other.key)] = None
    return list(found)


def _page_of(item: ItemId) -> ItemId:
    """Return the page of a card; other items unchanged."""
    return ItemId(item.site, "page", item.key) if item.kind in _CARDS else item
