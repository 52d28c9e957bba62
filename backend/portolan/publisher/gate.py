"""The gate: the checks a build must pass before it goes live. They go by what the workers have seen in the HTML, as a
visitor's browser gets it."""

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
"""A query alone leads to the page it stands on, e.g. the list of case studies narrowed to one industry."""
_PREFIXES_BEHIND: Final = ("/api/", "/__third-party-proxy", FORM_PATH)
"""Paths that are answered by something else than the build's files."""
_FRAMES_KEPT: Final = 100
"""What was seen in a frame is kept as long as what was found out about it."""


class Media(Protocol):
    def has(self, name: str) -> bool: ...


class CheckedPage(NamedTuple):
    problems: list[Problem]
    cross_page_links: set[str]
    """Links of its own that a change elsewhere can break: those with an anchor, and absolute ones to our other sites."""


class CheckedFrame(NamedTuple):
    seen: SeenPart
    details: list[ProblemDetail]
    anchors: list[str]
    """Places in the page around which it stands that it links to."""
    cross_page_links: frozenset[str]


class Gate:
    """Checks of one publish. ``is_file`` says whether a site has a file at a path; it need not know the pages of sites
    that get a new build. ``redirects``: what each site answers at addresses without a page."""

    def __init__(
        self,
        routes: RouteTable,
        addresses: Addresses,
        media: Media,
        is_file: Callable[[str, str], bool],
        redirects: Mapping[str, Mapping[str, Redirect]],
        sites: Collection[str],
    ) -> None:
        """``sites``: those whose pages are as the routes say; of others it is their files that count."""
        self._sites = sites
        self._routes = routes
        self._addresses = addresses
        self._media = media
        self._is_file = is_file
        self._redirects = redirects
        self._tables: dict[str, RedirectTable] = {}
        self._good: dict[str, set[str]] = {site: set() for site in addresses.registry.sites}
        """Values of attributes, as in the HTML, that are known to be right, by site."""
        self._cross: dict[str, dict[str, set[str]]] = {site: {} for site in addresses.registry.sites}
        """Values that are right, with their links that another page can break."""
        self._frames: dict[int, CheckedFrame] = {}
        """By the identity of what was seen in them: one object stands for many pages."""

    def check_page(
        self, page: Subject, seen: Seen, alternates: list[dict[str, Any]], in_head: list[dict[str, Any]] | None = None
    ) -> CheckedPage:
        """Checks everything that the page's own HTML shows. Anchors on other pages are checked once all pages are
        there. ``in_head``: the alternates that its head names; all where none are given."""
        site = page.site
        values = set(seen.own.values)
        # Addresses of translations follow from the routes: a page is rendered again when one changes.
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
                cross_page_links.add(page.path + anchor)  # another frame may lack it
            else:
                found.append(MissingAnchor(anchor))
        problems = [Problem(page, detail) for detail in found]
        return CheckedPage(problems + self._problems_of_frame(page, seen.own, seen.frame), cross_page_links)

    def check_spliced_page(self, page: Subject, own: SeenPart, frame: SeenPart) -> list[Problem]:
        """Checks what another frame changes of a page."""
        found = self._problems_of_frame(page, own, frame)
        return [Problem(page, WrongHeadings(1 + frame.headings)), *found] if frame.headings else found

    def check_frame(self, site: str, frame: SeenPart) -> CheckedFrame:
        """Checks what does not depend on the page around which it stands."""
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
        """Whether a link on ``pages`` (paths, or ``build_inputs.FRAME``) still leads to a page, and to an element of it."""
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
        """Problems with the addresses in these attributes, and those that lead to a place in the same page. Values that
        are right are remembered for the next pages."""
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
            # Only sets of pictures have spaces; those of addresses are escaped.
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
        """What is wrong with one address that leads away from the page, and the fix."""
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
            return None  # of another site it may be a page, which can go
        redirect = self._find_redirect(target)
        if redirect and redirect.status == GONE:
            return GoneLink(url)
        if redirect is None and not self._is_there(target.site, target.path):
            return DeadLink(url)
        if redirect or target.anchor or (target.site != site and target.path != "/"):
            cross_page_links.add(url)
        return None

    def _find_redirect(self, target: Target) -> Redirect | None:
        """What is answered where a link leads, if that is no page and no file."""
        if self._is_there(target.site, target.path):
            return None
        table = self._tables.get(target.site)
        if table is None:  # made where one is asked for: whoever checks one page may ask for none
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
    """Whether the page has an element of this id. Without HTML (no build has the page yet) a link to it cannot be
    judged and passes."""
    return html is None or f' id="{anchor}"'.encode() in html
