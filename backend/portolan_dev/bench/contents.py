"""The kinds of content for build benchmarks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from . import content as own
from .items import Item
from .peers.frozen import edited_page, write_peer_items, write_peer_pictures

_FEWEST_PAGES: Final = 20


class Content(NamedTuple):
    what: str
    """Description of the pages, for readers of the results."""
    pictures: Callable[[], Iterator[Item]]
    site: Callable[[str, int, int], Iterator[Item]]
    """(site, its number from 0, its pages) → its items."""
    edited: Callable[[str, int, int], str]
    """(site, number of the edit, pages of the site) → key of the page that the edit changes."""

    def items(self, sites: Sequence[str], pages: int) -> Iterator[Item]:
        """Yield all items except placeholder values. ``pages``: total of all sites."""
        yield from self.pictures()
        for number, (site, count) in enumerate(zip(sites, divide(pages, len(sites)), strict=True)):
            yield from self.site(site, number, count)


CONTENTS: Final[Mapping[str, Content]] = {
    "own": Content("our own content", own.write_pictures, own.write_site, own.edited_page),
    "peers": Content("the peers' content", write_peer_pictures, write_peer_items, edited_page),
}


def divide(pages: int, sites: int) -> list[int]:
    """Return the number of pages per site, as equal as possible.

    >>> divide(100, 3)
    [34, 33, 33]
    """
    each, more = divmod(pages, sites)
    return [each + (number < more) for number in range(sites)]


def enough_for(pages: int, sites: int) -> bool:
    """Return whether each site gets the minimum of pages."""
    return pages >= _FEWEST_PAGES * sites


def media_names(pictures: Iterator[Item]) -> Iterator[str]:
    """Yield the files in the media folder that the images name."""
    for picture in pictures:
        yield from _media(picture.body)


def _media(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _media(part)
    elif isinstance(value, str) and value.startswith("/media/"):
        yield value.removeprefix("/media/")
