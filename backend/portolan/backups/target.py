"""Targets of backups: a folder, or a bucket of an object store. Objects there are never seen half-written."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from ..builds.disk import PART_SUFFIX, sync_filesystem
from ..domain.words import say_not_installed
from .problem import BackupError

if TYPE_CHECKING:
    from ..builds.object_store import ObjectStore

STORES: Final = ("s3", "gs", "az")
_FILE_MODE: Final = 0o600
_FOLDER_MODE: Final = 0o700


class Listed(NamedTuple):
    key: str
    size: int
    changed: datetime


class Target(Protocol):
    """Objects by key, such as ``files/0a/…``. Raises BackupError if the target cannot be reached, written or read."""

    url: str

    def put(self, key: str, file: Path) -> None: ...

    def save(self, key: str, path: Path) -> None:
        """Write an object to a file. Raise FileNotFoundError if it does not exist."""
        ...

    def read(self, key: str) -> bytes:
        """Return an object. Raise FileNotFoundError if it does not exist."""
        ...

    def list(self, prefix: str) -> Iterator[Listed]: ...

    def delete(self, keys: Iterable[str]) -> None: ...

    def sync(self) -> None:
        """Return when all objects are safe from a power cut."""
        ...


def open_target(url: str) -> Target:
    """Open ``url``: a folder, ``file:///folder``, or ``s3://bucket/prefix``, ``gs://…``, ``az://…``."""
    parts = urlsplit(url)
    if parts.scheme in STORES:
        return _StoreTarget(url)
    if parts.scheme == "file":
        return _FolderTarget(Path(unquote(parts.path)))
    if "://" in url:
        raise BackupError(f"{url} is not a valid target. Use a folder, or s3://bucket/prefix, gs://… or az://….")
    return _FolderTarget(Path(url).absolute())


class _FolderTarget:
    def __init__(self, folder: Path) -> None:
        self.url = str(folder)
        self._folder = folder

    def put(self, key: str, file: Path) -> None:
        path = self._folder / key
        with self._speak("written to"):
            path.parent.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}{PART_SUFFIX}")
            part.touch(mode=_FILE_MODE)
            with file.open("rb") as source, part.open("wb") as copy:
                shutil.copyfileobj(source, copy, 1 << 20)
            part.replace(path)

    def save(self, key: str, path: Path) -> None:
        with self._speak("read"):
            shutil.copyfile(self._folder / key, path)

    def read(self, key: str) -> bytes:
        with self._speak("read"):
            return (self._folder / key).read_bytes()

    def list(self, prefix: str) -> Iterator[Listed]:
        with self._speak("read"):
            for path in (self._folder / prefix).rglob("*"):
                if path.is_file():
                    found = path.stat()
                    changed = datetime.fromtimestamp(found.st_mtime, UTC)
                    yield Listed(path.relative_to(self._folder).as_posix(), found.st_size, changed)

    def delete(self, keys: Iterable[str]) -> None:
        with self._speak("cleaned up"):
            for key in keys:
                (self._folder / key).unlink(missing_ok=True)

    def sync(self) -> None:
        with self._speak("written to"):
            sync_filesystem(self._folder)

    @contextmanager
    def _speak(self, what: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise
        except OSError as error:
            raise BackupError(
                f"The backup folder {self.url} cannot be {what} ({error.strerror}). Earlier backups are unchanged. "
                "Check that it exists, that this user has permission, and that the disk has space."
            ) from error


class _StoreTarget:
    def __init__(self, url: str) -> None:
        self.url = url
        self._open: ObjectStore | None = None
        with self._speak():
            _ = self._store

    @property
    def _store(self) -> "ObjectStore":
        if self._open is None:
            try:
                from ..builds.object_store import ObjectStore
            except ModuleNotFoundError:
                raise BackupError(f"{self.url} needs {say_not_installed('obstore', 'object-store')}.") from None
            self._open = ObjectStore(self.url)
        return self._open

    def put(self, key: str, file: Path) -> None:
        with self._speak():
            self._store.put(key, file)

    def save(self, key: str, path: Path) -> None:
        with self._speak():
            self._store.save(key, path)

    def read(self, key: str) -> bytes:
        with self._speak():
            return self._store.get(key)

    def list(self, prefix: str) -> Iterator[Listed]:
        with self._speak():
            for found in self._store.list(prefix):
                yield Listed(found.key, found.size, found.changed)

    def delete(self, keys: Iterable[str]) -> None:
        with self._speak():
            self._store.delete(keys)

    def sync(self) -> None:
        """Do nothing, because an object store replies when an object is safe."""

    @contextmanager
    def _speak(self) -> Iterator[None]:
        from ..builds.manifest import BuildError

        try:
            yield
        except BuildError as error:  # its message is about builds
            raise BackupError(
                f"The backup store {self.url} does not respond, or rejects the request ({error.__cause__ or error}). Earlier "
                "backups are unchanged. Check the URL, the credentials (AWS_…, GOOGLE_…, AZURE_…) and the network."
            ) from error
