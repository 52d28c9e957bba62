"""Checks that links between translations (hreflang) go both ways: search engines ignore a link that the other page does
not return. Within one release that follows from the route table. But when only some sites get a new build, the builds
that would be live together may disagree, so all of them are checked before any goes live.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..releases.index import Page


class NonReciprocal(NamedTuple):
    """A page names a translation that is not there, or that does not name the same ones."""

    site: str
    path: str
    other: str
    other_path: str
    is_there: bool


def pack_translations(page: Page, translations: Iterable[Page]) -> str:
    """A page's translations, including itself, in the form that a build stores: ``en uk de:/impressum``. The path is
    written only if it differs from the page's.
    """
    return " ".join(
        other.site if other.path == page.path else f"{other.site}:{other.path}"
        for other in sorted(translations, key=lambda other: other.site)
    )


def find_non_reciprocal(sites: Mapping[str, Mapping[str, str]]) -> Iterator[NonReciprocal]:
    """``sites``: path -> packed translations of every page that would be live, by site.

    A site that is not in it has no build, so links to it are not judged.
    """
    for site, pages in sites.items():
        for path, packed in pages.items():
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
