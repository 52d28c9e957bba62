"""Resolves references for one site."""

from typing import Any, Self

from ..domain.references import PageTarget
from .addresses import Addresses
from .route_table import RouteTable
from .snapshot import Snapshot


class SiteLookup:
    """``domain.references.Lookup`` of one site in one release. Short-lived, because it caches what it finds."""

    def __init__(self, site: str, snapshot: Snapshot, routes: RouteTable, addresses: Addresses) -> None:
        self._site = site
        self._snapshot = snapshot
        self._routes = routes
        self._addresses = addresses
        self._default = addresses.registry.default_site
        self._figures = snapshot.figures()
        self._targets: dict[str, PageTarget | None] = {}
        self._own_page: str | None = None

    def on_page(self, key: str) -> Self:
        """A lookup for the body of one page. It shares this one's cache."""
        lookup = object.__new__(type(self))  # copy.copy takes ten times as long, for every page
        lookup.__dict__.update(self.__dict__, _own_page=key)
        return lookup

    def page(self, key: str) -> PageTarget | None:
        """The own site's page by its path, else the default site's by its absolute address."""
        if key not in self._targets:
            self._targets[key] = self._find_page(key)
        return self._targets[key]

    def picture(self, key: str) -> dict[str, Any] | None:
        return self._snapshot.picture(key)

    def document(self, key: str) -> dict[str, Any] | None:
        return self._snapshot.document(key)

    def items(self, kind: str) -> list[Any]:
        return self._snapshot.collection(self._site, kind)

    def placed(self, kind: str) -> list[Any]:
        page = self._own_page
        return self._snapshot.placed(self._site, kind, page) if page else []

    def own_page(self) -> str | None:
        return self._own_page

    def placeholder(self, name: str) -> str | None:
        return self._figures.get(name)

    def is_external(self, url: str) -> bool:
        return self._addresses.is_external(url)

    def _find_page(self, key: str) -> PageTarget | None:
        own = self._routes.page(self._site, key)
        if own:
            return PageTarget(own.path)
        there = self._routes.page(self._default.key, key)
        if there is None:
            return None
        return PageTarget(
            self._addresses.url(there.site, there.path), site=there.site, hreflang=self._default.hreflang[0]
        )
