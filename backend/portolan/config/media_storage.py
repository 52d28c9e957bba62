"""Django's storage of uploads that machines share, with the client that publisher and edges use."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import Any, Final
from urllib.parse import urljoin

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import Storage
from django.utils.deconstruct import deconstructible
from django.utils.encoding import filepath_to_uri

from ..builds.media_source import is_named_by_content
from ..builds.object_store import Listed, ObjectStore, Overtaken, StoreAway
from ..content.media_away import MediaAway

_IN_MEMORY_BYTES: Final = 8 << 20
_PART_BYTES: Final = 1 << 20


@deconstructible
class SharedMediaStorage(Storage):
    """Raises MediaAway if the store does not respond, FileNotFoundError if the file is missing."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opened: ObjectStore | None = None

    @property
    def _objects(self) -> ObjectStore:
        if self._opened is None:
            with _ask():
                self._opened = ObjectStore(self._url)
        return self._opened

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        found = self._find(name)
        file: Any = SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES)  # noqa: SIM115  (the caller closes it)
        with _ask():
            for at in range(0, found.size, _PART_BYTES):
                file.write(self._objects.get_range(name, at, min(at + _PART_BYTES, found.size)))
        file.seek(0)
        return File(file, name=name)

    def _save(self, name: str, content: File[bytes]) -> str:
        """Save a file, never over one that another machine has saved under this name meanwhile."""
        content.seek(0)
        data = content.read()
        while True:
            try:
                with _ask():
                    self._objects.create(name, data)
            except Overtaken:
                if is_named_by_content(name):
                    return name
                name = self.get_available_name(name)
            else:
                return name

    def touch(self, name: str) -> None:
        """Mark a file as in use, as ``published_files`` does."""
        with _ask():
            self._objects.put(name, self._objects.get(name))

    def exists(self, name: str) -> bool:
        with _ask():
            return self._objects.find(name) is not None

    def delete(self, name: str) -> None:
        with _ask():
            self._objects.delete([name])

    def size(self, name: str) -> int:
        return self._find(name).size

    def get_modified_time(self, name: str) -> datetime:
        return self._find(name).changed

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with _ask():
            folders, files = self._objects.list_folder(path)
        return list(folders), [listed.key.rpartition("/")[2] for listed in files]

    def url(self, name: str | None) -> str:
        return urljoin(settings.MEDIA_URL, filepath_to_uri(name or "").lstrip("/"))

    def _find(self, name: str) -> Listed:
        with _ask():
            found = self._objects.find(name)
        if found is None:
            raise FileNotFoundError(f"The upload storage has no file {name}.")
        return found


@contextmanager
def _ask() -> Iterator[None]:
    try:
        yield
    except StoreAway as error:
        raise MediaAway(str(error)) from error
