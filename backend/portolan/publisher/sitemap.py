"""A site's sitemap: each page with translations and the last change.

A large sitemap is an index with parts. A page's path decides its part, so an edit reads and writes only one part and
the index.
"""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Final, NamedTuple
from zlib import crc32

from ..releases.index import Page
from .addresses import Addresses
from .route_table import RouteTable

SITEMAP: Final = "/sitemap.xml"

_OPENING: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_URLS: Final = f'{_OPENING}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
_URLS_END: Final = "</urlset>\n"
_INDEX: Final = f'{_OPENING}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
_INDEX_END: Final = "</sitemapindex>\n"
_MOST_PARTS: Final = 32_768
"""Search engines accept an index of 50,000."""


class Limits(NamedTuple):
    urls: int = 1_000
    """Approximate pages of one part. Twice as many pages make twice as many parts."""
    bytes: int = 50_000_000
    """Limit of one part. Search engines accept 50,000 pages and 50 MiB."""


LIMITS: Final = Limits()


class ChangedSitemap(NamedTuple):
    files: Mapping[str, bytes]
    """URL path -> bytes of files that may differ."""
    gone: list[str]
    """Parts that are unneeded now."""


Read = Callable[[str], bytes | None]
"""Reads a file of the live build by its URL path."""


class Sitemap:
    """Makes the sitemap of one site."""

    def __init__(self, site: str, routes: RouteTable, addresses: Addresses) -> None:
        self._site = site
        self._routes = routes
        self._addresses = addresses

    def build(self) -> dict[str, bytes]:
        """Return bytes by URL path: one file, or an index and its parts."""
        pages = list(self._routes.routes(self._site))
        parts = self._count(len(pages))
        while True:
            lines: dict[int, dict[str, str]] = {}
            for page in pages:
                if _is_listed(page):
                    url, line = self._line(page)
                    lines.setdefault(_part_of(page.path, parts), {})[url] = line
            files = {number: _pack(lines[number]) for number in sorted(lines)}
            if parts >= _MOST_PARTS or all(self._fits(data) for data in files.values()):
                break
            parts *= 2
        if parts == 1:
            return {SITEMAP: files.get(0, _pack({}))}
        index = {number: self._index_line(number, lines[number].values()) for number in files}
        return {SITEMAP: _pack_index(index), **{_name(number): data for number, data in files.items()}}

    def change(self, before: int, touched: Iterable[str], read: Read) -> ChangedSitemap | None:
        """Return differences from the live sitemap after a change of ``touched`` pages.

        ``before``: number of its pages. None if the whole sitemap must be built.
        """
        parts = self._count(self._routes.count(self._site))
        index = read(SITEMAP)
        if index is None or parts != self._count(before):
            return None
        is_index = index.startswith(_INDEX.encode())
        known = _unpack_index(index) if is_index else {}
        if is_index != (parts > 1) or any(number >= parts for number in known):
            return None  # large pages have made more parts than usual
        files: dict[str, bytes] = {}
        gone: list[str] = []
        by_part: dict[int, list[str]] = {}
        for path in sorted(touched):
            by_part.setdefault(_part_of(path, parts), []).append(path)
        for number, paths in by_part.items():
            name = _name(number) if parts > 1 else SITEMAP
            old = read(name) if parts == 1 or number in known else _pack({})
            if old is None:
                return None
            lines = _unpack(old)
            for path in paths:
                lines.pop(self._url(path), None)
                page = self._routes.at(self._site, path)
                if page and _is_listed(page):
                    lines.update([self._line(page)])
            data = _pack(lines)
            if data == old:
                continue
            if not self._fits(data):
                return None
            if lines or parts == 1:
                files[name] = data
                known[number] = self._index_line(number, lines.values())
            else:
                gone.append(name)
                del known[number]
        if parts > 1 and (files or gone):
            files[SITEMAP] = _pack_index(known)
        return ChangedSitemap(files, gone)

    def _count(self, pages: int) -> int:
        """Return the number of parts, a power of two.

        It seldom changes, and half of the pages then keep their part.
        """
        parts = 1
        while parts * LIMITS.urls < pages and parts < _MOST_PARTS:
            parts *= 2
        return parts

    def _fits(self, data: bytes) -> bool:
        return len(data) <= LIMITS.bytes

    def _url(self, path: str) -> str:
        return escape(self._addresses.url(self._site, path))

    def _line(self, page: Page) -> tuple[str, str]:
        alternates = "".join(
            f'<xhtml:link rel="alternate" hreflang="{escape(link["hreflang"])}" href="{escape(link["href"])}"/>'
            for link in self._routes.alternates(page)
        )
        url = self._url(page.path)
        return url, f"<url><loc>{url}</loc>{_lastmod(page.changed or '')}{alternates}</url>\n"

    def _index_line(self, number: int, lines: Iterable[str]) -> str:
        url = escape(self._addresses.origin(self._site) + _name(number))
        changed = max(line.partition("<lastmod>")[2].partition("</lastmod>")[0] for line in lines)
        return f"<sitemap><loc>{url}</loc>{_lastmod(changed, is_escaped=True)}</sitemap>\n"


def _is_listed(page: Page) -> bool:
    return page.template != "error" and page.fallback is None


def is_part(path: str) -> bool:
    """Return True for the URL path of a part."""
    return path.startswith("/sitemap-") and path.endswith(".xml")


def _part_of(path: str, parts: int) -> int:
    return crc32(path.encode()) % parts


def _name(number: int) -> str:
    return f"/sitemap-{number + 1}.xml"


def _pack(lines: Mapping[str, str]) -> bytes:
    return "".join([_URLS, *[lines[url] for url in sorted(lines)], _URLS_END]).encode()


def _unpack(data: bytes) -> dict[str, str]:
    """Return the lines of ``_pack`` by escaped URL."""
    lines = data.decode().removeprefix(_URLS).removesuffix(_URLS_END).splitlines(keepends=True)
    return {_loc(line): line for line in lines}


def _pack_index(lines: Mapping[int, str]) -> bytes:
    return "".join([_INDEX, *[lines[number] for number in sorted(lines)], _INDEX_END]).encode()


def _unpack_index(data: bytes) -> dict[int, str]:
    lines = data.decode().removeprefix(_INDEX).removesuffix(_INDEX_END).splitlines(keepends=True)
    return {int(_loc(line).rpartition("-")[2].removesuffix(".xml")) - 1: line for line in lines}


def _loc(line: str) -> str:
    return line.partition("<loc>")[2].partition("</loc>")[0]


def _lastmod(changed: str, is_escaped: bool = False) -> str:
    """Return the tag; empty if unknown, because invented times are worse than none."""
    return f"<lastmod>{changed if is_escaped else escape(changed)}</lastmod>" if changed else ""
