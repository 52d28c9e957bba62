"""The kinds of content that builds are measured with."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from . import content as own
from .items import Item
from .peers.frozen import edited_page, write_peer_items, write_peer_pictures

_FEWEST_PAGES: Final = 20


class Content(NamedTuple):
    what: str
    """What its pages have, for who reads the figures."""
    pictures: Callable[[], Iterator[Item]]
    site: Callable[[str, int, int], Iterator[Item]]
    """(site, its number from 0, its pages) → its items."""
    edited: Callable[[str, int, int], str]
    """(site, number of the edit, pages of the site) → key of the page that it changes."""

    def items(self, sites: Sequence[str], pages: int) -> Iterator[Item]:
        """Everything but the figures. ``pages`` is their number on all sites together."""
        yield from self.pictures()
        for number, (site, count) in enumerate(zip(sites, divide(pages, len(sites)), strict=True)):
            yield from self.site(site, number, count)


CONTENTS: Final[Mapping[str, Content]] = {
    "own": Content("our own content", own.write_pictures, own.write_site, own.edited_page),
    "peers": Content("the peers' content", write_peer_pictures, write_peer_items, edited_page),
}


def divide(pages: int, sites: int) -> list[int]:
    """Pages of each site: as even as can be.

    >>> divide(100, 3)
    [34, 33, 33]
    """
    each, more = divmod(pages, sites)
    return [each + (number < more) for number in range(sites)]


def enough_for(pages: int, sites: int) -> bool:
    """Whether each site gets the pages that generated content cannot do without."""
    return pages >= _FEWEST_PAGES * sites


def media_names(pictures: Iterator[Item]) -> Iterator[str]:
    """Files in the media folder that the pictures name."""
    for picture in pictures:
        yield from _media(picture.body)


def _media(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _media(part)
    elif isinstance(value, str) and value.startswith("/media/"):
        yield value.removeprefix("/media/")
