"""The files of an exported site by name, and the sources of their bytes."""

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

from ..builds.live import read_live
from ..builds.manifest import BuildError, Manifest, documents_of
from ..builds.media_source import Upload
from ..builds.packs import Encoding
from ..builds.shown_media import read_shown_media
from ..builds.store import SUFFIXES, ContentStore
from ..domain.media_addresses import DOCUMENTS, MEDIA, is_public, read_media_name
from .layout import Layout

_MEDIA_FOLDERS = ("pictures", "videos", DOCUMENTS.removeprefix(MEDIA).rstrip("/"))
"""Folders with public files."""


class Media(Protocol):
    """The source of public files that are not in builds."""

    def list(self, folder: str) -> Iterable[Upload]: ...

    def save(self, name: str, path: Path) -> None: ...


class Source(NamedTuple):
    mark: str
    """Equal for equal bytes."""
    content_type: str = ""
    """Set for files of a build."""
    digest: str = ""
    encoding: Encoding | None = None
    upload: str = ""
    """Name of an uploaded file."""
    data: bytes = b""

    @property
    def is_page(self) -> bool:
        return self.content_type.startswith("text/html")


def find_sources(
    root: Path,
    store: ContentStore,
    manifest: Manifest,
    layout: Layout,
    media: Media | None,
    more: Mapping[str, bytes],
    encodings: bool,
) -> dict[str, Source]:
    """Return the files by name.

    ``more``: files of the export itself. ``encodings``: with the compressed copies.
    """
    found: dict[str, Source] = {}
    for path, file in manifest.every_file():
        name = layout.name(path) if file.content_type.startswith("text/html") else path.removeprefix("/")
        found[name] = Source(file.digest, file.content_type, file.digest)
        for encoding in store.encodings(file.digest) if encodings else ():
            mark = f"{file.digest} {_size(store, file.digest, encoding)}"  # a better copy may replace it
            found[name + SUFFIXES[encoding]] = Source(mark, file.content_type, file.digest, encoding)
    for name, data in more.items():
        found[name] = Source(sha256(data).hexdigest()[:32], data=data)
    if media:
        offered, shown = documents_of(root, manifest) - frozenset(read_live(root).withdrawn), read_shown_media(root)
        folders = shown and shown.folders
        for folder in _MEDIA_FOLDERS:
            for upload in media.list(folder):
                if read_media_name(MEDIA + upload.name) and is_public(MEDIA + upload.name, offered, folders):
                    mark = f"{upload.changed_ns} {upload.size}"
                    found[f"media/{upload.name}"] = Source(mark, upload=upload.name)
    return found


def read_source(store: ContentStore, source: Source) -> bytes:
    """Return the bytes of a file that is not media.

    Raise BuildError if it is missing.
    """
    if not source.digest:
        return source.data
    data = store.read(source.digest, source.encoding)
    if data is None:
        raise BuildError(
            f"{store.path(source.digest, source.encoding)} is missing, so the export stopped. Run `portolan verify`, "
            "then publish again."
        )
    return data


def _size(store: ContentStore, digest: str, encoding: Encoding) -> int:
    try:
        return os.stat(store.path(digest, encoding)).st_size  # noqa: PTH116
    except FileNotFoundError:
        packed = store.packs.find(digest, encoding)
        return packed.size if packed else 0
