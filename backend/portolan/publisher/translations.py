"""Check that links between translations (hreflang) are reciprocal.

Search engines ignore one-way links. Within one release, the route table ensures that. If only some sites get a new
build, the builds that would be live together may disagree. So all of them are checked before any goes live.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..builds.overlay import difference
from ..releases.index import Page
from .build_inputs import KnownPage


class NonReciprocal(NamedTuple):
    """A page lists a translation that is missing, or that lists other translations."""

    site: str
    path: str
    other: str
    other_path: str
    is_there: bool


def pack_translations(page: Page, translations: Iterable[Page]) -> str:
    """Return a page's translations as stored: ``en uk de:/impressum``.

    It includes the page itself. A path is written only if it differs from the page's.
    """
    return " ".join(
        other.site if other.path == page.path else f"{other.site}:{other.path}"
        for other in sorted(translations, key=lambda other: other.site)
    )


class TranslationsOf(Mapping[str, str]):
    """Path -> packed translations of a build's pages that have any."""

    def __init__(self, pages: Mapping[str, KnownPage]) -> None:
        self.pages = pages

    def __getitem__(self, path: str) -> str:
        packed = self.pages[path].translations
        if not packed:
            raise KeyError(path)
        return packed

    def get(self, path: str, default: Any = None) -> Any:
        page = self.pages.get(path)
        return page.translations if page and page.translations else default

    def __iter__(self) -> Iterator[str]:
        return (path for path, page in self.pages.items() if page.translations)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def find_renamed(new: Mapping[str, TranslationsOf], old: Mapping[str, TranslationsOf]) -> set[tuple[str, str]]:
    """Return the pages whose translations changed, and those translations.

    As site and path, old and new. If all pages agreed before, only these can disagree now.
    """
    found: set[tuple[str, str]] = set()
    for site, after in new.items():
        before = old[site]
        if after.pages is before.pages:
            continue
        changed, removed = difference(after.pages, before.pages)
        for path in (*changed, *removed):
            sides = before.get(path, ""), after.get(path, "")
            if sides[0] != sides[1]:
                found.add((site, path))
                found.update(*(_unpack(packed, path) for packed in sides if packed))
    return found


def find_non_reciprocal(
    sites: Mapping[str, Mapping[str, str]], at: Iterable[tuple[str, str]] | None = None
) -> Iterator[NonReciprocal]:
    """Yield translations that are not reciprocal.

    ``sites``: path -> packed translations of every page that would be live, by site. Links to other sites are skipped.
    ``at``: site and path of the pages to check, None for all.
    """
    every = ((site, path) for site, pages in sites.items() for path in pages)
    for site, path in every if at is None else sorted(at):
        packed = sites[site].get(path) if site in sites else None
        if packed is None:
            continue
        named = _unpack(packed, path)
        for other, other_path in named:
            theirs = sites[other].get(other_path) if other in sites else packed
            if theirs is None:
                yield NonReciprocal(site, path, other, other_path, is_there=False)
            elif (theirs, other_path) != (packed, path) and _unpack(theirs, other_path) != named:
                yield NonReciprocal(site, path, other, other_path, is_there=True)
        if (site, path) not in named:
            yield NonReciprocal(site, path, site, path, is_there=True)


def _unpack(packed: str, path: str) -> frozenset[tuple[str, str]]:
    parts = (entry.partition(":") for entry in packed.split(" "))
    return frozenset((site, other or path) for site, _, other in parts)
