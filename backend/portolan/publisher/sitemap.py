"""A site's sitemap: every page with its translations and the time its content last changed."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, NamedTuple, Self

from ..releases.index import Page
from .addresses import Addresses
from .route_table import RouteTable

SITEMAP: Final = "/sitemap.xml"

_OPENING: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_URLS: Final = f'{_OPENING}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n'
_INDEX: Final = f'{_OPENING}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'


class Limits(NamedTuple):
    """What one file may hold. More pages than that are an index and its parts."""

    urls: int = 50_000
    bytes: int = 50_000_000
    """Search engines take 50 MiB."""


LIMITS: Final = Limits()


class SitemapUrl(NamedTuple):
    xml: str
    changed: str


class Sitemap:
    """A site's sitemap, URL by URL, so that one changed page costs one URL."""

    def __init__(self, urls: Mapping[str, SitemapUrl] | None = None) -> None:
        self._urls = dict(urls or {})

    def copy(self) -> Self:
        return type(self)(self._urls)

    def update(self, pages: Iterable[Page], deleted: Iterable[str], routes: RouteTable, addresses: Addresses) -> None:
        for path in deleted:
            self._urls.pop(path, None)
        for page in pages:
            self._urls.pop(page.path, None)
            if page.template != "error":
                self._urls[page.path] = _build_url(page, routes, addresses)

    def build(self, origin: str, limits: Limits = LIMITS) -> dict[str, bytes]:
        """URL path -> bytes: one file, or an index and its parts."""
        parts = _split([self._urls[path] for path in sorted(self._urls)], limits)
        if len(parts) == 1:
            return {SITEMAP: _build_part(parts[0])}
        files = {f"/sitemap-{number}.xml": part for number, part in enumerate(parts, 1)}
        index = "".join(
            f"<sitemap><loc>{escape(origin + path)}</loc>{_lastmod(max(url.changed for url in part))}</sitemap>\n"
            for path, part in files.items()
        )
        built = {path: _build_part(part) for path, part in files.items()}
        return {SITEMAP: f"{_INDEX}{index}</sitemapindex>\n".encode(), **built}


def _split(urls: list[SitemapUrl], limits: Limits) -> list[list[SitemapUrl]]:
    parts: list[list[SitemapUrl]] = [[]]
    size = 0
    for url in urls:
        cost = len(url.xml.encode())
        if parts[-1] and (len(parts[-1]) == limits.urls or size + cost > limits.bytes):
            parts.append([])
            size = 0
        parts[-1].append(url)
        size += cost
    return parts


def _build_part(urls: Iterable[SitemapUrl]) -> bytes:
    return f"{_URLS}{''.join([url.xml for url in urls])}</urlset>\n".encode()


def _build_url(page: Page, routes: RouteTable, addresses: Addresses) -> SitemapUrl:
    alternates = "".join(
        f'<xhtml:link rel="alternate" hreflang="{escape(link["hreflang"])}" href="{escape(link["href"])}"/>'
        for link in routes.alternates(page)
    )
    location = escape(addresses.url(page.site, page.path))
    changed = page.changed or ""
    return SitemapUrl(f"<url><loc>{location}</loc>{_lastmod(changed)}{alternates}</url>\n", changed)


def _lastmod(changed: str) -> str:
    """Empty if the time is not known: an invented time is worse than none."""
    return f"<lastmod>{escape(changed)}</lastmod>" if changed else ""
