"""Publish checks, which a build must pass to go live.

They use the workers' records of the final HTML.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from html import escape, unescape
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import unquote

from ..domain.company import PLACEHOLDERS
from ..domain.plain_forms import FORM_PATH
from ..domain.problems import (
    DeadLink,
    GoneLink,
    MissingAnchor,
    MissingMedia,
    Problem,
    ProblemDetail,
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
from .build_inputs import FRAME
from .renderer import Seen, SeenPart
from .route_table import RouteTable, subject_of

_PLACEHOLDERS: Final = frozenset(f"{{{name}}}" for name in PLACEHOLDERS)
_HARMLESS: Final = ("mailto:", "tel:", "data:image/", "?")
"""A query alone links to its own page, such as the list of case studies filtered by industry."""
_PREFIXES_BEHIND: Final = ("/api/", "/__third-party-proxy", FORM_PATH)
"""Paths that are served from outside the build's files."""
_FRAMES_KEPT: Final = 100
"""Number of frames whose check results are kept."""


class Media(Protocol):
    def has(self, name: str) -> bool: ...


class CheckedPage(NamedTuple):
    problems: list[Problem]
    cross_page_links: set[str]
    """Its own links that a change elsewhere can break: those with an anchor, and absolute ones to our other sites."""


class CheckedFrame(NamedTuple):
    seen: SeenPart
    details: list[ProblemDetail]
    anchors: list[str]
    """Anchors that must exist in the page inside the frame."""
    cross_page_links: frozenset[str]


class PublishChecks:
    """The checks of one publish.

    ``is_file`` returns True if a site has a file at a path. It may omit the pages of sites that get a new build.
    ``redirects``: each site's redirects for paths without a page.
    """

    def __init__(
        self,
        routes: RouteTable,
        addresses: Addresses,
        media: Media,
        is_file: Callable[[str, str], bool],
        redirects: Mapping[str, Mapping[str, Redirect]],
        sites: Collection[str],
    ) -> None:
        """``sites``: sites with the pages of the routes.

        For other sites, only their files count.
        """
        self._sites = sites
        self._routes = routes
        self._addresses = addresses
        self._media = media
        self._is_file = is_file
        self._redirects = redirects
        self._tables: dict[str, RedirectTable] = {}
        self._good: dict[str, set[str]] = {site: set() for site in addresses.registry.sites}
        """Attribute values in the HTML that have passed, by site."""
        self._cross: dict[str, dict[str, set[str]]] = {site: {} for site in addresses.registry.sites}
        """Values that have passed, with their links that another page can break."""
        self._frames: dict[int, CheckedFrame] = {}
        """By the identity of the record, which many pages share."""

    def check_page(
        self, page: Subject, seen: Seen, alternates: list[dict[str, Any]], in_head: list[dict[str, Any]] | None = None
    ) -> CheckedPage:
        """Check everything in the page's own HTML.

        Anchors on other pages are checked once all pages exist. ``in_head``: the alternates that its head
        lists; None for all.
        """
        site = page.site
        values = set(seen.own.values)
        # URLs of translations come from the routes. If one changes, the page is rendered again.
        translations = {escape(link["href"]) for link in alternates}
        found = [
            *_check_document(seen, self._addresses.site(site)),
            *_check_alternates(seen, values, alternates if in_head is None else in_head),
        ]
        cross_page_links: set[str] = set()
        details, anchors = self._check_values(site, values - translations - self._good[site], cross_page_links)
        found += details
        for anchor in anchors:
            if _is_place(anchor, seen.own):
                continue
            if _is_place(anchor, seen.frame):
                cross_page_links.add(page.path + anchor)  # another frame may lack the anchor
            else:
                found.append(MissingAnchor(anchor))
        problems = [Problem(page, detail) for detail in found]
        return CheckedPage(problems + self._problems_of_frame(page, seen.own, seen.frame), cross_page_links)

    def check_spliced_page(self, page: Subject, own: SeenPart, frame: SeenPart) -> list[Problem]:
        """Check the parts of a page that a new frame can change."""
        found = self._problems_of_frame(page, own, frame)
        return [Problem(page, WrongHeadings(1 + frame.headings)), *found] if frame.headings else found

    def check_frame(self, site: str, frame: SeenPart) -> CheckedFrame:
        """Check the parts of a frame that do not depend on its page."""
        known = self._frames.get(id(frame))
        if known is None:
            links: set[str] = set()
            details, anchors = self._check_values(site, set(frame.values) - self._good[site], links)
            details += _check_braces(frame)
            outside = [anchor for anchor in anchors if not _is_place(anchor, frame)]
            if len(self._frames) >= _FRAMES_KEPT:
                self._frames.clear()
            known = self._frames[id(frame)] = CheckedFrame(frame, details, outside, frozenset(links))
        return known

    def _problems_of_frame(self, page: Subject, own: SeenPart, frame: SeenPart) -> list[Problem]:
        checked = self.check_frame(page.site, frame)
        missing = [MissingAnchor(anchor) for anchor in checked.anchors if not _is_place(anchor, own)]
        return [Problem(page, detail) for detail in (*checked.details, *missing)]

    def check_cross_page_links(
        self, site: str, url: str, pages: Iterable[str], read_page: Callable[[str, str], bytes | None]
    ) -> Iterable[Problem]:
        """Yield the problems of a link on ``pages`` whose target is missing.

        ``pages``: paths, or ``build_inputs.FRAME``.
        """
        target = self._addresses.target(site, url)
        if target is None:
            return
        redirect = self._find_redirect(target)
        path = target.path if redirect is None else own_path(redirect.target)
        if redirect and redirect.status == GONE:
            detail: ProblemDetail = GoneLink(url)
        elif redirect is None and not self._is_there(target.site, target.path):
            detail = DeadLink(url)
        elif target.anchor and path and not _has_id(read_page(target.site, path), target.anchor):
            detail = MissingAnchor(url)
        else:
            return
        for path in sorted({"/" if path == FRAME else path for path in pages}):
            page = self._routes.at(site, path)
            yield Problem(subject_of(page) if page else Subject(site, "page", "", path, path), detail)

    def _check_values(
        self, site: str, values: set[str], cross_page_links: set[str]
    ) -> tuple[list[ProblemDetail], list[str]]:
        """Return problems of the URLs in these attributes, and anchors in the page.

        Values without problems are remembered for the next pages.
        """
        good, cross = self._good[site], self._cross[site]
        found: list[ProblemDetail] = []
        anchors: list[str] = []
        for value in values:
            known = cross.get(value)
            if known is not None:
                cross_page_links |= known
                continue
            text = unescape(value)
            if text.startswith("#"):
                anchors.append(text)
                continue
            # Only image sets have spaces; those in URLs are escaped.
            urls = [part.split()[0] for part in text.split(",") if part.strip()] if " " in text else [text]
            links: set[str] = set()
            problems = [problem for url in urls if (problem := self._check_url(site, url, links))]
            found += problems
            if problems:
                continue
            if links:
                cross[value] = links
                cross_page_links |= links
            else:
                good.add(value)
        return found, anchors

    def _check_url(self, site: str, url: str, cross_page_links: set[str]) -> ProblemDetail | None:
        """Return the problem of one URL outside the page, or None."""
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
            if self._media.has(target.path.removeprefix("/media/")):
                return None
            return MissingMedia(target.path)
        if target.path.startswith(_PREFIXES_BEHIND):
            return None
        if target.site == site and self._is_file(site, target.path):
            return None  # on another site it may be a page, which can be removed
        redirect = self._find_redirect(target)
        if redirect and redirect.status == GONE:
            return GoneLink(url)
        if redirect is None and not self._is_there(target.site, target.path):
            return DeadLink(url)
        if redirect or target.anchor or (target.site != site and target.path != "/"):
            cross_page_links.add(url)
        return None

    def _find_redirect(self, target: Target) -> Redirect | None:
        """Return the redirect at a link's target, or None if there is a page or a file."""
        if self._is_there(target.site, target.path):
            return None
        table = self._tables.get(target.site)
        if table is None:  # created when needed, because a single page may need none
            table = self._tables[target.site] = RedirectTable(self._redirects.get(target.site, {}))
        return table.find(target.path, lambda path: self._is_there(target.site, path))

    def _is_there(self, site: str, path: str) -> bool:
        return (site in self._sites and self._routes.at(site, path) is not None) or self._is_file(site, path)


def _check_document(seen: Seen, site: Site) -> Iterable[ProblemDetail]:
    if (seen.lang, seen.dir) != (site.language, site.dir):
        yield WrongLanguage(site.language, site.dir)
    headings = seen.own.headings + seen.frame.headings
    if headings != 1:
        yield WrongHeadings(headings)
    yield from _check_braces(seen.own)


def _check_braces(part: SeenPart) -> Iterable[ProblemDetail]:
    placeholder = next((name for name in part.braces if name in _PLACEHOLDERS), None)
    if placeholder:
        yield UnfilledPlaceholder(placeholder)


def _is_place(anchor: str, part: SeenPart) -> bool:
    return anchor in ("#", "#top") or unquote(anchor[1:]) in part.ids


def _check_alternates(seen: Seen, values: set[str], alternates: list[dict[str, Any]]) -> Iterable[ProblemDetail]:
    missing = [link["hreflang"] for link in alternates if escape(link["href"]) not in values]
    if missing or seen.alternates != len(alternates):
        yield WrongAlternates(tuple(missing))


def _has_id(html: bytes | None, anchor: str) -> bool:
    """Return True if the page has an element with this id.

    A page that is too new for any build has no HTML, so the link passes.
    """
    return html is None or f' id="{anchor}"'.encode() in html
