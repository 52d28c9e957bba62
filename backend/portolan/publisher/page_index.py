"""Reverse indexes of the known facts about a build's pages."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import Final, TypeVar

from ..builds.overlay import difference
from .addresses import Addresses
from .build_inputs import FRAME, BuildInputs, KnownPage

_Key = TypeVar("_Key", bound=Hashable)
_NONE: Final[frozenset[str]] = frozenset()


class PageIndex:
    """Indexes the pages of one live build, and its frame (``build_inputs.FRAME``).

    For the next build, only the differences are applied, so that an edit stays cheap.
    """

    def __init__(self, site: str, inputs: BuildInputs | None, addresses: Addresses) -> None:
        self._site = site
        self._addresses = addresses
        self._pages: Mapping[str, KnownPage] = {}
        self._frame_links: Set[str] = frozenset()
        self._with_link: dict[str, set[str]] = {}
        self._with_picture: dict[str, set[str]] = {}
        self._links_to: dict[tuple[str, str], set[str]] = {}
        self._to_try: set[str] = set()
        if inputs:
            self.move_to(inputs)

    def move_to(self, inputs: BuildInputs) -> None:
        changed, removed = difference(inputs.pages, self._pages)
        for path in (*changed, *removed):
            if known := self._pages.get(path):
                self._remove(path, known)
        for path, page in changed.items():
            self._add(path, page)
        self._pages = inputs.pages
        self._remove_links(FRAME, self._frame_links)
        self._add_links(FRAME, inputs.frame_links)
        self._frame_links = inputs.frame_links

    @property
    def links(self) -> Set[str]:
        """Links that a change elsewhere can break, of all pages and the frame."""
        return self._with_link.keys()

    def links_into(self, paths: Mapping[str, Set[str]]) -> Iterator[tuple[str, str]]:
        """Return the links to ``paths``, each with its target site."""
        if sum(map(len, paths.values())) < len(self._links_to):
            found = ((site, path) for site, some in paths.items() for path in some)
        else:
            found = ((site, path) for site, path in self._links_to if path in paths.get(site, _NONE))
        return ((site, url) for site, path in found for url in self._links_to.get((site, path), _NONE))

    def with_link(self, url: str) -> Set[str]:
        """Return the paths of pages with this link, and of the frame."""
        return self._with_link.get(url, _NONE)

    def with_picture(self, name: str) -> Set[str]:
        """Return the paths of pages with this sharing image."""
        return self._with_picture.get(name, _NONE)

    @property
    def to_try(self) -> Set[str]:
        """Paths of pages that were kept and must be tried again."""
        return self._to_try

    def _add(self, path: str, page: KnownPage) -> None:
        self._add_links(path, page.links)
        if page.picture:
            self._with_picture.setdefault(page.picture, set()).add(path)
        if not page.content:
            self._to_try.add(path)

    def _remove(self, path: str, page: KnownPage) -> None:
        self._remove_links(path, page.links)
        if page.picture:
            _discard(self._with_picture, page.picture, path)
        self._to_try.discard(path)

    def _add_links(self, path: str, links: Iterable[str]) -> None:
        for url in links:
            if url not in self._with_link and (target := self._addresses.target(self._site, url)):
                self._links_to.setdefault((target.site, target.path), set()).add(url)
            self._with_link.setdefault(url, set()).add(path)

    def _remove_links(self, path: str, links: Iterable[str]) -> None:
        for url in links:
            _discard(self._with_link, url, path)
            if url not in self._with_link and (target := self._addresses.target(self._site, url)):
                _discard(self._links_to, (target.site, target.path), url)


def _discard(index: dict[_Key, set[str]], key: _Key, value: str) -> None:
    found = index.get(key)
    if found is not None:
        found.discard(value)
        if not found:
            del index[key]
