"""The gate: what a build must pass before it goes live. Reads the HTML itself, as a visitor's browser will."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from ..domain.company import PLACEHOLDERS
from ..domain.routes import normalise_path
from ..sites.registry import Site
from .addresses import Addresses
from .problem import Problem
from .route_table import RouteTable

_ATTRIBUTES: Final = (b' href="', b' src="', b' srcSet="', b' imageSrcSet="', b' poster="', b' action="')
"""As React writes them: double quotes, a space before. Sets hold several addresses."""
_PLACEHOLDER: Final = re.compile(rf"\{{(?:{'|'.join(PLACEHOLDERS)})\}}".encode())
_HARMLESS: Final = ("mailto:", "tel:", "data:image/")
_PREFIXES_BEHIND: Final = ("/api/", "/__third-party-proxy")
"""Answered by other parts than the build."""


class CheckedPage(NamedTuple):
    problems: list[Problem]
    distant: set[str]
    """Links another page can break: those with an anchor, and absolute ones into our other sites."""


class Target(NamedTuple):
    site: str
    path: str
    anchor: str


class Gate:
    """Checks of one publish. ``site_files``: URL paths of each site's files that are no pages."""

    def __init__(
        self, routes: RouteTable, addresses: Addresses, media: Path, site_files: Mapping[str, Iterable[str]]
    ) -> None:
        self._routes = routes
        self._addresses = addresses
        self._media = str(media)
        self._files = {site: frozenset(files) for site, files in site_files.items()}
        self._good: dict[str, set[bytes]] = {site: set() for site in addresses.registry.sites}
        """Values of attributes, as the HTML has them, that were seen to lead somewhere, by the site they were met on."""

    def check_page(
        self, site: str, path: str, title: str, html: bytes, alternates: list[dict[str, Any]]
    ) -> CheckedPage:
        """Everything that the page's own HTML shows. Anchors on other pages are looked at when all pages are there."""
        found = [*_check_document(html, self._addresses.site(site))]
        values = _attribute_values(html)
        found += _check_alternates(html, values, alternates)
        distant: set[str] = set()
        good = self._good[site]
        # Addresses of translations follow from the routes: a page is rendered again when one changes.
        for value in values - good - {escape(link["href"]).encode() for link in alternates}:
            problems, lasting = self._check_value(site, value, html, distant)
            found += problems
            if lasting:
                good.add(value)
        return CheckedPage([Problem(site, path, title, what, mend) for what, mend in found], distant)

    def locate(self, site: str, url: str) -> Target | None:
        """Where a link on ``site`` leads among our own sites."""
        if url.startswith("/") and not url.startswith("//"):
            where, rest = site, url
        else:
            found = self._addresses.locate(url)
            if found is None:
                return None
            where, rest = found
        rest, _, anchor = rest.partition("#")
        return Target(where, normalise_path(unquote(rest.partition("?")[0])), unquote(anchor))

    def check_distant(
        self, site: str, url: str, pages: Iterable[str], read_page: Callable[[str, str], bytes | None]
    ) -> Iterable[Problem]:
        """Whether a link on ``pages`` still leads to a page, and to an element of it."""
        target = self.locate(site, url)
        if target is None:
            return
        if self._routes.at(target.site, target.path) is None and not self._is_file(target.site, target.path):
            what, mend = f"links to {url}, where there is no page any more", "choose another target"
        elif target.anchor and not _has_id(read_page(target.site, target.path), target.anchor):
            what, mend = f"links to {url}, but that page has no part named {target.anchor!r}", "choose another anchor"
        else:
            return
        for path in sorted(pages):
            page = self._routes.at(site, path)
            yield Problem(site, path, page.title if page else path, what, mend)

    def _check_value(
        self, site: str, value: bytes, html: bytes, distant: set[str]
    ) -> tuple[list[tuple[str, str]], bool]:
        """What is wrong with an attribute's addresses, and whether what was found holds for other pages too."""
        text = unescape(value.decode())
        # Only sets of pictures have a comma followed by a space; addresses have theirs escaped.
        urls = [part.split()[0] for part in text.split(",") if part.strip()] if " " in text else [text]
        before = len(distant)
        problems = [problem for url in urls if (problem := self._check_url(site, url, html, distant))]
        return problems, not problems and len(distant) == before and not text.startswith("#")

    def _check_url(self, site: str, url: str, html: bytes, distant: set[str]) -> tuple[str, str] | None:
        """What is wrong with one address, and the mend."""
        if url.startswith("#"):
            if url in ("#", "#top") or _has_id(html, unquote(url[1:])):
                return None
            return f"links to {url}, but the page has no such part", "choose another anchor"
        if url.startswith(_HARMLESS):
            return None
        if url.startswith(("http://", "https://")):
            if self._addresses.locate(url) is None:
                return None
        elif not url.startswith("/") or url.startswith("//"):
            return f"has the address {url!r}, which is neither a path nor a web address", "write it out in full"
        target = self.locate(site, url)
        assert target
        if target.path.startswith("/media/"):
            if os.path.isfile(self._media + target.path[6:]):  # noqa: PTH113  (a fifth of Path's time, per picture)
                return None
            return f"shows {target.path}, a file that is not in the media folder", "upload it again"
        if self._is_file(target.site, target.path) or target.path.startswith(_PREFIXES_BEHIND):
            return None
        if self._routes.at(target.site, target.path) is None:
            return f"links to {url}, where there is no page", "choose another target"
        if target.anchor or (target.site != site and target.path != "/"):
            distant.add(url)
        return None

    def _is_file(self, site: str, path: str) -> bool:
        return path in self._files.get(site, ())


def _check_document(html: bytes, site: Site) -> Iterable[tuple[str, str]]:
    opening = html[: html.find(b">", html.find(b"<html"))]
    if f' lang="{site.language}"'.encode() not in opening or f' dir="{site.dir}"'.encode() not in opening:
        yield f"does not say lang={site.language} dir={site.dir}", "this is a fault of the web build: report it"
    headings = html.count(b"<h1")
    if headings != 1:
        yield f"has {headings} main headings (h1), and must have one", "give it exactly one opening block"
    placeholder = _PLACEHOLDER.search(html)
    if placeholder:
        yield f"shows the placeholder {placeholder[0].decode()} unfilled", "correct or remove it"


def _check_alternates(html: bytes, values: set[bytes], alternates: list[dict[str, Any]]) -> Iterable[tuple[str, str]]:
    missing = [link["hreflang"] for link in alternates if escape(link["href"]).encode() not in values]
    head = html[: html.find(b"</head>")]
    if missing or head.count(b' rel="alternate"') != len(alternates):
        yield (
            f"does not name its translations as the others name it (missing: {', '.join(missing) or 'none'})",
            "this is a fault of the web build: report it",
        )


def _attribute_values(html: bytes) -> set[bytes]:
    """Every address in the HTML, as it stands there."""
    values: set[bytes] = set()
    for attribute in _ATTRIBUTES:
        pieces = html.split(attribute)
        del pieces[0]
        values.update([piece[: piece.index(b'"')] for piece in pieces])
    return values


def _has_id(html: bytes | None, anchor: str) -> bool:
    """None for a page that no build has yet: nothing can be said against a link to it."""
    return html is None or f' id="{anchor}"'.encode() in html
