"""Routes: the page at each path of each site, and its translations."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, Final

from ..domain.problems import InvalidPath, MissingHome, Problem, Subject, TakenPath
from ..domain.routes import is_page_path
from ..releases.index import Page
from ..releases.reader import ItemId
from .addresses import Addresses
from .snapshot import Change

_KEPT_ALTERNATES: Final = 5_000
"""Pages whose alternates are kept. Each site's pages are read in the same order as the previous site's."""


class RouteTable:
    """Pages of all sites by path and by translation key.

    A snapshot's changes keep it up to date.
    """

    def __init__(self, pages: Iterable[Page], addresses: Addresses) -> None:
        self._addresses = addresses
        self._order = {site: index for index, site in enumerate(addresses.registry.sites)}
        self._by_path: dict[str, dict[str, list[Page]]] = {site: {} for site in self._order}
        self._by_key: dict[str, dict[str, Page]] = {}
        self._children: dict[tuple[str, str], set[str]] = {}
        """Site and key of a page -> keys of its child pages."""
        self._fallbacks: dict[str, Counter[str]] = {}
        """By site, the number of its pages that each other site shows untranslated."""
        self._wrong: dict[str, set[str]] = {site: set() for site in self._order}
        """Paths that are invalid, or claimed by several pages."""
        self._alternates: dict[tuple[str, frozenset[str]], list[dict[str, Any]]] = {}
        """By translation key and sites, because all these pages have the same alternates."""
        for page in pages:
            self._add(page)

    def update(self, changes: Iterable[Change]) -> None:
        for change in changes:  # remove all old pages first, because two may have swapped places
            if change.before:
                self._remove(change.before)
        for change in changes:
            if change.after:
                self._add(change.after)

    @property
    def sites(self) -> Collection[str]:
        return self._order.keys()

    def routes(self, site: str) -> Iterable[Page]:
        """Return the pages of a site, each path's first one if several claim it."""
        return [pages[0] for pages in self._by_path[site].values()]

    def count(self, site: str) -> int:
        """Return the number of a site's paths with a page."""
        return len(self._by_path[site])

    def at(self, site: str, path: str) -> Page | None:
        pages = self._by_path[site].get(path)
        return pages[0] if pages else None

    def page(self, site: str, key: str) -> Page | None:
        return self._by_key.get(key, {}).get(site)

    def translations(self, key: str) -> list[Page]:
        """Return the page on every site that has it as its own, in configured order."""
        found = (page for page in self._by_key.get(key, {}).values() if page.fallback is None)
        return sorted(found, key=lambda page: self._order[page.site])

    def fallbacks(self, site: str, key: str) -> list[Page]:
        """Return the pages of other sites that show this page of ``site`` untranslated."""
        if not self._fallbacks.get(site):
            return []
        return [page for page in self._by_key.get(key, {}).values() if page.fallback == site]

    def shown_on(self, site: str) -> Collection[str]:
        """Return the other sites that show pages of ``site`` untranslated."""
        return self._fallbacks.get(site, Counter()).keys()

    def descendants(self, site: str, key: str) -> set[str]:
        """Return the keys of the pages below a page."""
        found: set[str] = set()
        waiting = [key]
        while waiting:
            below = self._children.get((site, waiting.pop()), set()) - found
            found |= below
            waiting += below
        return found

    def sites_led_to(self, site: str, key: str) -> frozenset[str]:
        """Return the sites whose links with this key point to the page of ``site``.

        These are ``site`` itself and, for the default site, all sites without the page.
        """
        if site != self._addresses.registry.default_site.key:
            return frozenset({site})
        return frozenset({site, *(self._order.keys() - self._by_key.get(key, {}).keys())})

    def ancestors(self, page: Page) -> list[Page]:
        """Return the existing parents of a page, from the top down."""
        chain: list[Page] = []
        parent = page.parent and self.page(page.site, page.parent)
        while parent and parent not in chain and parent != page:
            chain.insert(0, parent)
            parent = parent.parent and self.page(page.site, parent.parent)
        return chain

    def alternates(self, page: Page) -> list[dict[str, Any]]:
        """Return an ``Alternate`` for every site with this page, including its own.

        Do not change the list.

        Error pages and pages in the source's language have none.
        """
        if page.template == "error" or page.fallback:
            return []
        at = page.key, self._addresses.alternates(page.site)
        if at not in self._alternates:
            if len(self._alternates) >= _KEPT_ALTERNATES:
                self._alternates.clear()
            self._alternates[at] = [
                {"site": other.site, "hreflang": tag, "href": self._addresses.url(other.site, other.path)}
                for other in self.alternate_pages(page.site, page.key)
                for tag in self._addresses.site(other.site).hreflang
            ]
        return self._alternates[at]

    def alternates_in_head(self, page: Page) -> list[dict[str, Any]]:
        """Return the alternates for the page's head: all, or none if there are too many.

        The sitemap always has them.
        """
        found = self.alternates(page)
        return found if len(found) <= self._addresses.registry.alternates.most_in_head else []

    def alternate_pages(self, site: str, key: str) -> list[Page]:
        """Return the existing pages of the site and its alternates, in order."""
        sites = self._addresses.alternates(site)
        return [page for page in self.translations(key) if page.site in sites]

    def sites_with_alternates(self, site: str) -> frozenset[str]:
        return self._addresses.alternates(site)

    def problems(self, site: str) -> list[Problem]:
        """Return problems of routes: duplicate or invalid paths, missing home page."""
        at = self._by_path[site]
        found = [problem for path in sorted(self._wrong[site]) for problem in _path_problems(path, at[path])]
        if self.at(site, "/") is None:
            found.append(Problem(Subject(site), MissingHome()))
        return found

    def _add(self, page: Page) -> None:
        site, key, path = page[:3]
        at = self._by_path.get(site)
        if at is None:
            return  # content of a removed site
        claims = at.get(path)
        if claims is None:  # the usual case, with up to 100,000 pages
            at[path] = [page]
        else:
            at[path] = sorted([*claims, page], key=lambda claim: claim.key)
        if claims or not is_page_path(path):
            self._wrong[site].add(path)
        self._by_key.setdefault(key, {})[site] = page
        self._forget_alternates(page)
        if page.fallback:
            self._fallbacks.setdefault(page.fallback, Counter())[site] += 1
        if page.parent:
            self._children.setdefault((site, page.parent), set()).add(key)

    def _remove(self, page: Page) -> None:
        if page.site not in self._by_path:
            return
        claims = [claim for claim in self._by_path[page.site].get(page.path, []) if claim.key != page.key]
        if claims:
            self._by_path[page.site][page.path] = claims
        else:
            self._by_path[page.site].pop(page.path, None)
        if not claims or (len(claims) == 1 and is_page_path(page.path)):
            self._wrong[page.site].discard(page.path)
        self._by_key.get(page.key, {}).pop(page.site, None)
        if page.fallback:
            shown = self._fallbacks[page.fallback]
            shown[page.site] -= 1
            if not shown[page.site]:
                del shown[page.site]
        self._forget_alternates(page)
        if page.parent and (siblings := self._children.get((page.site, page.parent))):
            siblings.discard(page.key)
            if not siblings:
                del self._children[page.site, page.parent]

    def _forget_alternates(self, page: Page) -> None:
        if self._alternates:
            self._alternates.pop((page.key, self._addresses.alternates(page.site)), None)


def build_route_table(pages: Iterable[Page], addresses: Addresses) -> RouteTable:
    return RouteTable(pages, addresses)


def item_id(page: Page) -> ItemId:
    return ItemId(page.site, "page", page.key)


def subject_of(page: Page) -> Subject:
    """Return a page as the subject of a problem."""
    return Subject(page.site, "page", page.key, page.title, page.path)


def _path_problems(path: str, pages: list[Page]) -> Iterable[Problem]:
    first = subject_of(pages[0])
    if not is_page_path(path):
        yield Problem(first, InvalidPath())
    for other in pages[1:]:
        yield Problem(first, TakenPath(path, other.title))
