"""Export a live site as objects of a store that serves them.

Later exports upload only the differences.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Final, NamedTuple

import orjson

from ..builds.compress import SMALLEST_BYTES, compress_in_passing, is_compressible
from ..builds.manifest import BuildError, Manifest
from ..builds.media_source import MediaFolder
from ..builds.object_store import ObjectStore
from ..builds.packs import Encoding
from ..builds.store import ContentStore
from ..domain.redirects import GONE
from ..domain.words import say_count
from ..edge.headers import REVALIDATE, find_asset_kind
from ..edge.media import media_headers
from .answers import Answers
from .layout import Layout
from .sources import Media, Source, find_sources, read_source
from .tree import Exported

_NOTES: Final = ".portolan-export"
_SENT: Final = {
    "cache-control": "Cache-Control",
    "content-disposition": "Content-Disposition",
    "content-language": "Content-Language",
    "content-type": "Content-Type",
}
"""Headers that a store sends as uploaded. The CDN in front adds all other headers."""
_DOCUMENT_TYPE: Final = "application/json"


class Place(NamedTuple):
    """Where a site's objects go."""

    objects: ObjectStore
    prefix: str
    """Prefix of each name; empty or with a slash at the end."""
    site: str

    @property
    def notes(self) -> str:
        """Key of the marks of the last upload, by name."""
        return f"{_NOTES}/{self.site}.json"

    @property
    def unsure(self) -> str:
        """Key of the names being uploaded, removed when the upload has ended."""
        return f"{_NOTES}/{self.site}.begun.json"


def export_bucket(
    root: Path,
    manifest: Manifest,
    place: Place,
    answers: Answers,
    layout: Layout,
    media: Media | None,
    more: Mapping[str, bytes],
    coding: Encoding | None,
    is_whole: bool = False,
) -> Exported:
    """Update the objects: files, then pages, then remove unused objects.

    Only objects of earlier exports are removed.

    Objects from other sources stay. ``coding``: upload text compressed. Raise StoreAway, or BuildError if a file is
    missing.
    """
    store = ContentStore(root)
    wanted = find_sources(root, store, manifest, layout, media, more, encodings=False)
    noted, begun = place.objects.each(lambda key: _read(place, key), (place.notes, place.unsure))
    before = {} if is_whole else {**noted, **begun}
    headers = _Headers(answers, coding)
    marks = {name: f"{source.mark} {headers.mark}" for name, source in wanted.items()}
    due = [name for name in wanted if before.get(name) != marks[name]]
    unwanted = sorted({*noted, *begun} - wanted.keys())
    if due or unwanted:
        _write(place, place.unsure, dict.fromkeys(due, ""))
        with TemporaryDirectory(prefix="portolan-export-") as folder:
            uploads = _Uploads(place, store, media, headers, Path(folder))
            for is_page in (False, True):
                some = [(name, wanted[name]) for name in due if wanted[name].is_page == is_page]
                place.objects.each(uploads.put, some)
        place.objects.delete(place.prefix + name for name in unwanted)
        _write(place, place.notes, marks)
        place.objects.delete([place.unsure])
    return Exported(len(wanted), len(due), len(unwanted))


def find_losses(answers: Answers) -> list[str]:
    """Return sentences about features that a store lacks."""
    gone = sum(found.status == GONE for found in answers.redirects.values())
    moved = len(answers.redirects) - gone
    if not answers.redirects:
        return []
    return [
        f"{answers.site} has {say_count(moved, 'redirect')} and {say_count(gone, 'removed page')}: a store returns 404 "
        "for both. A CDN in front can redirect; see docs/deploy/static-host.md."
    ]


class _Headers:
    """The headers of each object."""

    def __init__(self, answers: Answers, coding: Encoding | None) -> None:
        self._answers = answers
        self.coding = coding
        kinds = (answers.page, answers.data, answers.asset, answers.error)
        self.mark = _short((coding, [_sent(kind) for kind in kinds]))
        """Changes with any header."""

    def of(self, name: str, source: Source) -> dict[str, str]:
        if source.upload:
            found = media_headers(f".{name.rpartition('.')[2].lower()}")
            return _sent((field.decode(), value.decode("latin-1")) for field, value in found)
        answers = self._answers
        if source.is_page:
            kind = answers.error if name in ("404.html", "500.html") else answers.page
        else:
            kind = answers.asset if find_asset_kind(f"/{name}") else answers.data
        return {**_sent(kind), "Content-Type": source.content_type or _DOCUMENT_TYPE}


class _Uploads:
    """Uploads that run at once. They read the content store in turn, which is quick."""

    def __init__(self, place: Place, store: ContentStore, media: Media | None, headers: _Headers, folder: Path) -> None:
        self._place = place
        self._store = store
        self._reading = Lock()
        self._media = media
        self._headers = headers
        self._folder = folder

    def put(self, named: tuple[str, Source]) -> None:
        name, source = named
        sent = self._headers.of(name, source)
        if source.upload:
            assert self._media
            with _as_file(self._media, source.upload, self._folder) as path:
                self._place.objects.put(self._place.prefix + name, path, sent)
            return
        data, coding = self._read(source)
        if coding:
            sent["Content-Encoding"] = coding
        self._place.objects.put(self._place.prefix + name, data, sent)

    def _read(self, source: Source) -> tuple[bytes, Encoding | None]:
        """Return the bytes, compressed if wanted and useful.

        Uses the build's copy if there is one.
        """
        coding = self._headers.coding
        with self._reading:
            whole = read_source(self._store, source)
            if coding is None or len(whole) < SMALLEST_BYTES or not is_compressible(source.content_type):
                return whole, None
            copy = self._store.read(source.digest, coding)
        return copy or compress_in_passing(whole, coding), coding


@contextmanager
def _as_file(media: Media, name: str, folder: Path) -> Iterator[Path]:
    if isinstance(media, MediaFolder):
        yield media.folder / name
        return
    copy = folder / name.replace("/", "_")
    try:
        media.save(name, copy)
        yield copy
    except FileNotFoundError as error:
        raise BuildError(f"{name} has just been removed, so the export stopped. Run it again.") from error
    finally:
        copy.unlink(missing_ok=True)


def _sent(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {_SENT[name]: value for name, value in headers if name in _SENT}


def _short(value: object) -> str:
    return sha256(orjson.dumps(value)).hexdigest()[:12]


def _read(place: Place, key: str) -> dict[str, str]:
    try:
        return dict(orjson.loads(place.objects.get(key)))
    except (FileNotFoundError, ValueError, TypeError):
        return {}


def _write(place: Place, key: str, notes: Mapping[str, str]) -> None:
    place.objects.put(
        key, orjson.dumps(dict(notes)), {"Content-Type": _DOCUMENT_TYPE, "Cache-Control": REVALIDATE.decode()}
    )
