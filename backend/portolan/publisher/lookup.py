"""Resolve references for one site."""

from collections.abc import Callable, Collection, Container, Hashable
from typing import Any, Final, Self, TypeVar

from ..domain.problems import Problem, reference_of
from ..domain.references import PageTarget, Reference
from ..releases.index import Page
from .addresses import Addresses
from .chosen_pages import ChosenPage, read_chosen_page
from .icons import LOGO
from .route_table import RouteTable
from .snapshot import Snapshot

_LOGO: Final = {
    "url": LOGO,
    "width": 512,
    "height": 512,
    "mobile": None,
    "tablet": None,
    "desktop": None,
    "vector": LOGO,
}
_Value = TypeVar("_Value")


class SiteLookup:
    """``domain.references.Lookup`` of one site in one release.

    Short-lived, because it caches its results.
    """

    def __init__(self, site: str, snapshot: Snapshot, routes: RouteTable, addresses: Addresses) -> None:
        self._site = site
        self._snapshot = snapshot
        self._routes = routes
        self._addresses = addresses
        self._default = addresses.registry.default_site
        self._figures = snapshot.figures()
        self._targets: dict[str, PageTarget | None] = {}
        self._own_page: str | None = None
        self._items_of = site
        """The site whose collections are listed."""

    def on_page(self, page: Page) -> Self:
        """Return a lookup for the body of one page, with the same cache."""
        lookup = object.__new__(type(self))  # copy.copy takes ten times as long, for every page
        lookup.__dict__.update(self.__dict__, _own_page=page.key, _items_of=page.content_site)
        return lookup

    def page(self, key: str) -> PageTarget | None:
        """Return the site's own page, else the default site's by its absolute URL."""
        if key not in self._targets:
            self._targets[key] = self._find_page(key)
        target = self._targets[key]
        if target and self._items_of != self._site:
            there = self._routes.page(self._site, key)
            is_of_source = (there.fallback if there else self._default.key) == self._items_of
            return target if is_of_source else target._replace(has_anchors=False)
        return target

    def chosen_page(self, key: str) -> ChosenPage | None:
        """Return the list fields of the page that ``page`` finds."""
        found = self._routes.page(self._site, key) or self._routes.page(self._default.key, key)
        return read_chosen_page(found, self._snapshot) if found else None

    def picture(self, key: str) -> dict[str, Any] | None:
        return self._snapshot.picture(key)

    def document(self, key: str) -> dict[str, Any] | None:
        return self._snapshot.document(key)

    def items(self, kind: str) -> list[Any]:
        return self._snapshot.collection(self._items_of, kind)

    def placed(self, kind: str) -> list[Any]:
        page = self._own_page
        return self._snapshot.placed(self._items_of, kind, page) if page else []

    def own_page(self) -> str | None:
        return self._own_page

    def placeholder(self, name: str) -> str | None:
        return self._figures.get(name)

    def is_external(self, url: str) -> bool:
        return self._addresses.is_external(url)

    def substituting(self, missing: Collection[Reference]) -> "SubstitutingLookup":
        """Return a lookup that also finds a substitute for these references."""
        lookup = object.__new__(SubstitutingLookup)
        lookup.__dict__.update(self.__dict__, _missing=missing)
        return lookup

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


class SubstitutingLookup(SiteLookup):
    """Substitutes missing targets.

    A page or document becomes the home page, an image the logo. Used for content that goes live with such a problem
    because its site has no other build to serve.
    """

    _missing: Collection[Reference]

    def page(self, key: str) -> PageTarget | None:
        return super().page(key) or self._substitute("page", key, PageTarget("/"))

    def picture(self, key: str) -> dict[str, Any] | None:
        return super().picture(key) or self._substitute("picture", key, _LOGO)

    def document(self, key: str) -> dict[str, Any] | None:
        return super().document(key) or self._substitute("document", key, {"url": "/", "kind": "", "size": 0})

    def placeholder(self, name: str) -> str | None:
        found = super().placeholder(name)
        return self._substitute("placeholder", name, "") if found is None else found

    def _substitute(self, kind: str, key: str, substitute: _Value) -> _Value | None:
        return substitute if Reference(kind, key) in self._missing else None


def resolve_with_problems(
    build: Callable[[SiteLookup], _Value | Problem], lookup: SiteLookup, accepted: Container[Hashable]
) -> tuple[_Value | Problem, list[Problem]]:
    """Return the result of ``build``, and its accepted problems.

    Their missing targets got a substitute.
    """
    missing: list[Reference] = []
    live_problems: list[Problem] = []
    while True:
        found = build(lookup.substituting(missing) if missing else lookup)
        if not isinstance(found, Problem) or found.identity not in accepted:
            return found, live_problems
        reference = reference_of(found.detail)
        if reference is None or reference in missing:
            return found, live_problems
        missing.append(reference)
        live_problems.append(found)
