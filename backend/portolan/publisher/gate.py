"""The gate: the checks a build must pass before it goes live. They read the rendered HTML, as a visitor's browser
will."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from ..domain.company import PLACEHOLDERS
from ..domain.plain_forms import FORM_PATH
from ..domain.problems import (
    DeadLink,
    Flaw,
    GoneLink,
    MissingAnchor,
    MissingMedia,
    Problem,
    Subject,
    UnfilledPlaceholder,
    UnusableAddress,
    WrongAlternates,
    WrongHeadings,
    WrongLanguage,
)
from ..domain.redirects import GONE, Redirect, RedirectTable, own_path
from ..sites.registry import Site
from .addresses import Addresses, Target
from .route_table import RouteTable, subject_of

_ATTRIBUTE: Final = re.compile(rb' (?:href|src|srcSet|imageSrcSet|poster|action)="([^"]*)"')
"""Attributes as React writes them: a space before, double quotes. ``srcset`` holds several addresses."""
_PLACEHOLDER: Final = re.compile(rf"\{{(?:{'|'.join(PLACEHOLDERS)})\}}".encode())
_HARMLESS: Final = ("mailto:", "tel:", "data:image/", "?")
"""A query alone leads to the page it stands on, e.g. the list of case studies narrowed to one industry."""
_PREFIXES_BEHIND: Final = ("/api/", "/__third-party-proxy", FORM_PATH)
"""Paths that are answered by something else than the build's files."""


class CheckedPage(NamedTuple):
    problems: list[Problem]
    cross_page_links: set[str]
    """Links that a change of another page can break: those with an anchor, and absolute ones to our other sites."""


class Gate:
    """Checks of one publish. ``site_files``: URL paths of each site's files that are no pages; ``redirects``: what each
    site answers at addresses without a page."""

    def __init__(
        self,
        routes: RouteTable,
        addresses: Addresses,
        media: Path,
        site_files: Mapping[str, Iterable[str]],
        redirects: Mapping[str, Mapping[str, Redirect]],
    ) -> None:
        self._routes = routes
        self._addresses = addresses
        self._media = str(media)
        self._files = {site: frozenset(files) for site, files in site_files.items()}
        self._redirects = {site: RedirectTable(found) for site, found in redirects.items()}
        self._good: dict[str, set[bytes]] = {site: set() for site in addresses.registry.sites}
        """Values of attributes, as in the HTML, that are known to be right, by site."""
        self._footers: dict[str, dict[bytes, set[str]]] = {site: {} for site in addresses.registry.sites}
        """Footers that are known to be right, with those of their links that another page can break."""

    def check_page(self, page: Subject, html: bytes, alternates: list[dict[str, Any]]) -> CheckedPage:
        """Checks everything that the page's own HTML shows. Anchors on other pages are checked once all pages are
        there."""
        site = page.site
        start, end = _find_footer(html)
        values = {*_ATTRIBUTE.findall(html, 0, start), *_ATTRIBUTE.findall(html, end)}
        found = [
            *_check_document(html, start, self._addresses.site(site)),
            *_check_alternates(html, values, alternates),
        ]
        cross_page_links: set[str] = set()
        # Addresses of translations follow from the routes: a page is rendered again when one changes.
        values -= {escape(link["href"]).encode() for link in alternates}
        found += self._check_values(site, values, html, cross_page_links)
        found += self._check_footer(site, html[start:end], html, cross_page_links)
        return CheckedPage([Problem(page, flaw) for flaw in found], cross_page_links)

    def check_cross_page_links(
        self, site: str, url: str, pages: Iterable[str], read_page: Callable[[str, str], bytes | None]
    ) -> Iterable[Problem]:
        """Whether a link on ``pages`` still leads to a page, and to an element of it."""
        target = self._addresses.target(site, url)
        if target is None:
            return
        redirect = self._find_redirect(target)
        path = target.path if redirect is None else own_path(redirect.target)
        if redirect and redirect.status == GONE:
            flaw: Flaw = GoneLink(url)
        elif redirect is None and not self._is_there(target.site, target.path):
            flaw = DeadLink(url)
        elif target.anchor and path and not _has_id(read_page(target.site, path), target.anchor):
            flaw = MissingAnchor(url)
        else:
            return
        for path in sorted(pages):
            page = self._routes.at(site, path)
            yield Problem(subject_of(page) if page else Subject(site, "page", "", path, path), flaw)

    def _check_footer(self, site: str, footer: bytes, html: bytes, cross_page_links: set[str]) -> list[Flaw]:
        """The footer is a third of the HTML and nearly the same on all pages, so each version is checked once."""
        known = self._footers[site].get(footer)
        if known is None:
            known = set()
            problems = self._check_values(site, set(_ATTRIBUTE.findall(footer)), html, known)
            if problems:
                return problems
            self._footers[site][footer] = known
        cross_page_links |= known
        return []

    def _check_values(self, site: str, values: set[bytes], html: bytes, cross_page_links: set[str]) -> list[Flaw]:
        """Problems with the addresses in these attributes. Values that are right are remembered for the next pages."""
        good = self._good[site]
        found = []
        for value in values - good:
            text = unescape(value.decode())
            # Only sets of pictures have spaces; those of addresses are escaped.
            urls = [part.split()[0] for part in text.split(",") if part.strip()] if " " in text else [text]
            before = len(cross_page_links)
            problems = [problem for url in urls if (problem := self._check_url(site, url, html, cross_page_links))]
            found += problems
            if not problems and len(cross_page_links) == before and not text.startswith("#"):
                good.add(value)
        return found

    def _check_url(self, site: str, url: str, html: bytes, cross_page_links: set[str]) -> Flaw | None:
        """What is wrong with one address, and the fix."""
        if url.startswith("#"):
            if url in ("#", "#top") or _has_id(html, unquote(url[1:])):
                return None
            return MissingAnchor(url)
        if url.startswith(_HARMLESS):
            return None
        if url.startswith(("http://", "https://")):
            if self._addresses.locate(url) is None:
                return None
        elif not url.startswith("/") or url.startswith("//"):
            return UnusableAddress(url)
        target = self._addresses.target(site, url)
        assert target
        if target.path.startswith("/media/"):
            if os.path.isfile(self._media + target.path[6:]):  # noqa: PTH113  (a fifth of Path's time, per picture)
                return None
            return MissingMedia(target.path)
        if self._is_file(target.site, target.path) or target.path.startswith(_PREFIXES_BEHIND):
            return None
        redirect = self._find_redirect(target)
        if redirect and redirect.status == GONE:
            return GoneLink(url)
        if redirect is None and self._routes.at(target.site, target.path) is None:
            return DeadLink(url)
        if redirect or target.anchor or (target.site != site and target.path != "/"):
            cross_page_links.add(url)
        return None

    def _find_redirect(self, target: Target) -> Redirect | None:
        """What is answered where a link leads, if that is no page and no file."""
        table = self._redirects.get(target.site)
        if table is None or self._is_there(target.site, target.path):
            return None
        return table.find(target.path, lambda path: self._is_there(target.site, path))

    def _is_there(self, site: str, path: str) -> bool:
        return self._routes.at(site, path) is not None or self._is_file(site, path)

    def _is_file(self, site: str, path: str) -> bool:
        return path in self._files.get(site, ())


def _find_footer(html: bytes) -> tuple[int, int]:
    start = html.rfind(b"</main>")
    end = html.rfind(b"</footer>")
    return (start, end) if 0 <= start < end else (len(html), len(html))


def _check_document(html: bytes, end: int, site: Site) -> Iterable[Flaw]:
    opening = html[: html.find(b">", html.find(b"<html"))]
    if f' lang="{site.language}"'.encode() not in opening or f' dir="{site.dir}"'.encode() not in opening:
        yield WrongLanguage(site.language, site.dir)
    headings = html.count(b"<h1", 0, end)
    if headings != 1:
        yield WrongHeadings(headings)
    placeholder = _PLACEHOLDER.search(html, 0, end)
    if placeholder:
        yield UnfilledPlaceholder(placeholder[0].decode())


def _check_alternates(html: bytes, values: set[bytes], alternates: list[dict[str, Any]]) -> Iterable[Flaw]:
    missing = [link["hreflang"] for link in alternates if escape(link["href"]).encode() not in values]
    head = html[: html.find(b"</head>")]
    if missing or head.count(b' rel="alternate"') != len(alternates):
        yield WrongAlternates(tuple(missing))


def _has_id(html: bytes | None, anchor: str) -> bool:
    """Whether the page has an element of this id. Without HTML (no build has the page yet) a link to it cannot be
    judged and passes."""
    return html is None or f' id="{anchor}"'.encode() in html
