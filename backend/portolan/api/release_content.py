"""Read a site's content for the API from its live release, with resolved references."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import orjson
from django.conf import settings
from django.http import HttpRequest

from ..builds.live import LivePointer, mark_content, read_live
from ..builds.manifest import BuildError, read_manifest
from ..domain.raster_copies import with_raster_copies
from ..domain.redirects import Redirect
from ..domain.references import PageTarget, UnresolvedReference, find_references, resolve
from ..domain.routes import page_key, page_path
from ..domain.snapshot_bodies import EntryBody
from ..releases.connection import connected_reader
from ..releases.reader import ALL_SITES, ReleaseReader
from ..releases.release_view import pack_blocked
from .problems import NOTHING_PUBLISHED, UNAVAILABLE

logger = logging.getLogger(__name__)


class EntrySnapshot(NamedTuple):
    """One item of a collection, ready for a reply."""

    key: str
    value: Any
    """JSON of its schema, in wire names."""
    pages: frozenset[str]
    """Pages on which it is placed, by translation key. The site may lack them."""


class Previewed(NamedTuple):
    """Content of a preview's request, set as ``request.previewed``, in place of the live content."""

    reader: ReleaseReader
    release: int


class _Kept:
    """Values that were read from one release for one site, for all requests."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.collections: dict[str, Sequence[EntrySnapshot]] = {}
        self.entries: dict[str, Mapping[str, EntrySnapshot]] = {}
        self.pictures: dict[str, dict[str, Any]] = {}
        self.documents: dict[str, dict[str, Any]] = {}
        self.pages: Mapping[str, str] | None = None
        self.page_keys: Mapping[str, str] | None = None
        self.figures: Mapping[str, str] | None = None


_kept: Final[dict[str, _Kept]] = {}
"""By site, with one release each. When a site shows another release, the previous cache is dropped."""


class ReleaseContent:
    """Reads one release for one site. It is its own ``domain.references.Lookup``.

    Reading a collection takes a fixed number of queries for any size, and none again until the site shows another
    release.
    """

    def __init__(self, reader: ReleaseReader, release: int, site: str, kept: _Kept) -> None:
        self._reader = reader
        self._release = release
        self._site = site
        self._kept = kept
        self._own_origins = settings.SITE_ORIGINS.values()

    def entries(self, kind: str) -> Sequence[EntrySnapshot]:
        """Return all items of a kind by their order, then by key."""
        found = self._kept.collections.get(kind)
        if found is None:
            found = self._kept.collections[kind] = self._read_entries(kind)
        return found

    def entry(self, kind: str, key: str) -> EntrySnapshot | None:
        by_key = self._kept.entries.get(kind)
        if by_key is None:
            by_key = self._kept.entries[kind] = {entry.key: entry for entry in self.entries(kind)}
        return by_key.get(key)

    def items(self, kind: str) -> list[Any]:
        return [entry.value for entry in self.entries(kind)]

    def placed(self, kind: str) -> list[Any]:
        """Return an empty list, because the API's content is on no page."""
        return []

    def own_page(self) -> str | None:
        return None

    def page(self, key: str) -> PageTarget | None:
        """Return the site's page by its translation key, without falling back to other sites."""
        path = self._pages().get(key)
        return None if path is None else PageTarget(path)

    def find_page(self, key: str) -> str | None:
        """Return the translation key of the site's page with a page key, or None."""
        if self._kept.page_keys is None:
            self._kept.page_keys = {page_key(path): name for name, path in self._pages().items()}
        return self._kept.page_keys.get(key)

    def find_moved_page(self, key: str) -> str | None:
        """Return the present page key of a moved page, or None if the site lacks the page."""
        address = page_path(key)
        last = self._reader.former_address(self._site, address) if page_key(address) == key else None
        path = self._pages().get(last.key) if last else None
        return None if path is None else page_key(path)

    def picture(self, key: str) -> dict[str, Any] | None:
        return self._kept.pictures.get(key)

    def document(self, key: str) -> dict[str, Any] | None:
        return self._kept.documents.get(key)

    def placeholder(self, name: str) -> str | None:
        if self._kept.figures is None:
            found = self._reader.item(self._release, ALL_SITES, "figures", "company")
            self._kept.figures = orjson.loads(found.body) if found else {}
        return self._kept.figures.get(name)

    def is_external(self, url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and f"{parts.scheme}://{parts.netloc}" not in self._own_origins

    def _read_entries(self, kind: str) -> list[EntrySnapshot]:
        rows = self._reader.collection(self._release, self._site, kind)
        bodies: list[tuple[str, EntryBody]] = sorted(
            ((row.key, orjson.loads(row.body)) for row in rows), key=lambda row: (row[1]["order"], row[0])
        )
        self._read_files(body["value"] for _, body in bodies)
        entries = []
        for key, body in bodies:
            try:
                value = resolve(body["value"], self, f"{self._site}/{kind}/{key}")
            except UnresolvedReference as error:  # a list without this item is better than no list
                logger.error("Release %s: %s/%s is left out of the API: %s", self._release, kind, key, error)
            else:
                entries.append(EntrySnapshot(key, value, frozenset(body.get("pages", ()))))
        return entries

    def _read_files(self, values: Iterable[Any]) -> None:
        """Read images and documents to which the values refer."""
        references = {reference for value in values for reference in find_references(value)}
        for kind, known in (("picture", self._kept.pictures), ("document", self._kept.documents)):
            keys = {key for found, key in references if found == kind} - known.keys()
            for item in self._reader.some_items(self._release, ALL_SITES, kind, keys):
                body = orjson.loads(item.body)
                known[item.key] = with_raster_copies(body) if kind == "picture" else body

    def _pages(self) -> Mapping[str, str]:
        """Return paths of the site's pages by translation key."""
        if self._kept.pages is None:
            self._kept.pages = {page.key: page.path for page in self._reader.pages(self._release, [self._site])}
        return self._kept.pages


def read_redirects(request: HttpRequest) -> Mapping[str, Redirect]:
    """Return the redirects of the site's live build; none before the first build."""
    site: str = request.site_key  # type: ignore[attr-defined]
    try:
        live = read_live(settings.BUILDS_DIR)
        _note_content(request, live)
        build = live.builds.get(site)
        return read_manifest(settings.BUILDS_DIR, site, build).redirects if build else {}
    except BuildError as error:
        logger.error("The API cannot read the live pointer: %s", error)
        raise UNAVAILABLE.because() from error


def read_content(request: HttpRequest) -> ReleaseContent:
    """Return the site's live content without blocked changes.

    Before the first build it is the newest release, and in a preview the preview's content.
    """
    site: str = request.site_key  # type: ignore[attr-defined]
    if shown := getattr(request, "previewed", None):
        return ReleaseContent(shown.reader, shown.release, site, _Kept(""))
    reader = connected_reader()
    try:
        live = read_live(settings.BUILDS_DIR)
        _note_content(request, live)
        release, blocked = live.releases.get(site), live.blocked.get(site, {})
    except BuildError as error:
        logger.error("The API cannot read the live release: %s", error)
        raise UNAVAILABLE.because() from error
    mark = release and reader.mark(release)
    if not mark:
        release, blocked = reader.latest(), {}
        mark = release and reader.mark(release)
    if release is None or mark is None:
        raise NOTHING_PUBLISHED.because()
    version = f"{mark} without {pack_blocked(blocked)}"
    kept = _kept.get(site)
    if kept is None or kept.version != version:
        kept = _kept[site] = _Kept(version)
    return ReleaseContent(reader.with_blocked(blocked), release, site, kept)


def _note_content(request: HttpRequest, live: LivePointer) -> None:
    """Note the state of the site's content for the edge, which will cache the reply."""
    site: str = request.site_key  # type: ignore[attr-defined]
    if release := live.releases.get(site):
        request.content_mark = mark_content(release, live.blocked.get(site, {}))  # type: ignore[attr-defined]
