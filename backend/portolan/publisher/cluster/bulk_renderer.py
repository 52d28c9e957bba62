"""Render few pages on this machine and many on a cluster."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from ..renderer import Answer, PageRequest, PictureRequest, Renderer, Request
from .cluster import Cluster
from .messages import Outgoing

_ENOUGH: Final = 256
"""Pages to render, without those to reframe, that justify the use of a cluster."""


class BulkRenderer:
    """A ``Renderer``.

    Pages are reframed here, because they are on this disk and reframing takes a tenth of rendering.
    """

    def __init__(self, local: Renderer, cluster: Cluster, from_pages: int) -> None:
        """``from_pages``: publishes with at least this many pages use the cluster."""
        self._local = local
        self._cluster = cluster
        self._from = from_pages
        self._shared: dict[str, bytes] = {}

    def warm_up(self, pages: int = 1) -> None:
        self._local.warm_up(1 if self._is_bulk(pages) else pages)

    def add_shared(self, key: str, data: bytes) -> None:
        self._shared[key] = data
        self._local.add_shared(key, data)

    def forget_shared(self, keep: Iterable[str]) -> None:
        kept = set(keep)
        self._shared = {key: data for key, data in self._shared.items() if key in kept}
        self._local.forget_shared(kept)

    def render(self, requests: Iterable[Request], pages: int = 1) -> Iterator[Answer]:
        """See ``Renderer``."""
        source: Iterator[Request] = iter(requests)
        here: list[Request] = []
        """Requests for this machine."""
        if self._is_bulk(pages):
            first, is_enough = _read_some(source, here, min(_ENOUGH, self._from))
            if is_enough:
                source = chain(first, source)
                yield from self._cluster.render(_outgoing(source, here), self._shared, here)
            else:
                here += first
        if here or self._cluster.is_away:
            self._local.warm_up(pages)
        yield from self._local.render(chain(here, source), pages)

    def close(self) -> None:
        self._cluster.close()
        self._local.close()

    def _is_bulk(self, pages: int) -> bool:
        return pages >= self._from and not self._cluster.is_away


def _read_some(source: Iterator[Request], here: list[Request], enough: int) -> tuple[list[Outgoing], bool]:
    """Return requests for a cluster until they contain enough pages.

    Other requests go into ``here``.
    """
    found: list[Outgoing] = []
    pages = 0
    for request in _outgoing(source, here):
        found.append(request)
        pages += isinstance(request, PageRequest)
        if pages >= enough:
            return found, True
    return found, False


def _outgoing(source: Iterable[Request], here: list[Request]) -> Iterator[Outgoing]:
    """Yield the requests that a cluster can handle. Other requests go into ``here``."""
    for request in source:
        if isinstance(request, PictureRequest) or (isinstance(request, PageRequest) and request.store):
            yield request
        else:
            here.append(request)
