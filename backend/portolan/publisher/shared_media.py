"""Put public media into the store that machines share, before they are live.

Images come from the live releases, which pages and the content API share. Documents come from links of live pages.
"""

import logging
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from ..builds.media_copies import digest_of_file
from ..builds.media_lists import LISTS, MediaFile, MediaFiles, next_number, pack_list, unpack_list
from ..builds.media_source import MediaFolder, MediaSource, Upload, is_named_by_content
from ..builds.object_store import ObjectStore
from ..builds.shared_pointer import SharedMedia
from ..domain.media_addresses import DOCUMENTS, MEDIA, read_media_name
from ..releases.reader import ReleaseReader
from .release_media import COPIES, ReleaseMedia

_MOST_LISTS: Final = 20

_log = logging.getLogger(__name__)


class _Put(NamedTuple):
    upload: Upload
    file: MediaFile


class MediaPublisher:
    """Media of one ``SharedBuilds``, whose pointer names them."""

    def __init__(self, objects: ObjectStore, source: MediaSource, reader: ReleaseReader) -> None:
        self._objects = objects
        self._source = source
        self._reader = reader
        self._release_media = ReleaseMedia(reader)
        self._lists: list[str] = []
        self._covers: dict[str, str] = {}
        self._files: dict[str, MediaFile] = {}
        self._digests: set[str] = set()
        """Digests of listed files, whose bytes are in the store and stay there."""
        self._missing: set[str] = set()
        """Names on live pages whose source files were missing. They are looked for again."""

    def take_over(self, media: SharedMedia | None) -> None:
        """Read a pointer's media.

        Raise FileNotFoundError if they are missing, BuildError if they are damaged.
        """
        lists = list(media.lists) if media else []
        if lists != self._lists:
            found = self._objects.each(lambda name: unpack_list(name, self._objects.get(LISTS + name)), lists)
            self._files = {name: file for files in found for name, file in files.items()}
            self._digests = {file.digest for file in self._files.values()}
        self._lists, self._covers = lists, dict(media.covers) if media else {}

    @property
    def is_complete(self) -> bool:
        """True if the documents of all live pages are known.

        Otherwise ``push`` needs them.
        """
        return bool(self._covers)

    def push(self, live: Mapping[str, Any], documents: Iterable[str]) -> SharedMedia:
        """Store the missing media of these live releases.

        Files without a source are skipped; publish checks report them.

        ``live``: content of ``live.json``. ``documents``: URL paths that pages link to.
        """
        names = {name for address in documents if (name := read_media_name(address))} | self._missing
        covers: dict[str, str] = {}
        for release in sorted({int(number) for number in live.get("releases", {}).values()}):
            mark = self._reader.mark(release)
            if mark is None:
                continue  # a release of a replaced database; its files stay
            if self._covers.get(str(release)) != mark:
                names.update(self._release_media.names(release, self._covers))
            covers[str(release)] = mark
        for rows in live.get("held", {}).values():
            names.update(self._release_media.of_blocked(rows))
        self._put(names)
        self._covers = covers
        return SharedMedia(self._lists, covers)

    def tidy(self, documents: Collection[str]) -> bool:
        """Drop documents that are not in ``documents``, and merge many lists.

        ``documents``: paths that kept builds offer. Return True if the pointer must be written again.
        """
        withdrawn = [
            name for name in self._files if MEDIA + name not in documents and (MEDIA + name).startswith(DOCUMENTS)
        ]
        if not withdrawn and len(self._lists) <= _MOST_LISTS:
            return False
        for name in withdrawn:
            del self._files[name]
        self._digests = {file.digest for file in self._files.values()}
        self._lists = [self._put_list(self._files)]
        return True

    def keys(self) -> set[str]:
        """Return the keys of all used objects."""
        return {*(LISTS + name for name in self._lists), *(file.key for file in self._files.values())}

    def _put(self, names: Iterable[str]) -> None:
        wanted = [name for name in sorted(names) if name not in self._files or not is_named_by_content(name)]
        if not wanted:
            return
        with TemporaryDirectory(prefix="portolan-media-") as folder:
            found = self._objects.each(lambda name: self._put_one(name, Path(folder)), wanted)
        new: MediaFiles = {
            put.upload.name: put.file for put in found if put and self._files.get(put.upload.name) != put.file
        }
        if not new:
            return
        self._lists = [*self._lists, self._put_list(new)]
        self._files.update(new)
        self._digests.update(file.digest for file in new.values())

    def _put_one(self, name: str, folder: Path) -> _Put | None:
        upload = self._source.find(name)
        known = self._files.get(name)
        if upload is None:
            if name not in self._missing and not name.endswith(COPIES):
                _log.warning("%s is on a live page, but its file is missing.", MEDIA + name)
                self._missing.add(name)
            return None
        self._missing.discard(name)
        if known and (known.size, known.changed_ns) == (upload.size, upload.changed_ns):
            return _Put(upload, known)
        if isinstance(self._source, MediaFolder):
            return self._put_file(upload, self._source.folder / name)
        copy = folder / name.replace("/", "_")
        self._source.save(name, copy)
        try:
            return self._put_file(upload, copy)
        finally:
            copy.unlink()

    def _put_file(self, upload: Upload, path: Path) -> _Put:
        file = MediaFile(upload.size, digest_of_file(path), upload.changed_ns)
        if file.digest not in self._digests:
            self._objects.put(file.key, path)
        return _Put(upload, file)

    def _put_list(self, files: MediaFiles) -> str:
        name, data = pack_list(next_number(self._lists), files)
        self._objects.put(LISTS + name, data)
        return name
