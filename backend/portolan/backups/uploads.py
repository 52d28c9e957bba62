"""Uploads of editors in a storage that machines share (``PORTOLAN_MEDIA_STORAGE``)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..builds.manifest import BuildError
from .problem import BackupError


class Upload(NamedTuple):
    """One file of the storage."""

    name: str
    size: int
    changed_ns: int
    version: str
    """Changes with the file's bytes."""


class Uploads:
    """The storage. Raises BackupError if it does not respond, or rejects a request."""

    def __init__(self, url: str) -> None:
        from ..builds.object_store import ObjectStore  # here, because its package is optional

        self.url = url.rstrip("/")
        with self._speak():
            self._objects = ObjectStore(url)

    def list(self) -> Iterator[Upload]:
        with self._speak():
            for found in self._objects.list():
                changed = int(found.changed.timestamp() * 1_000_000) * 1000
                yield Upload(found.key, found.size, changed, f"{found.size} {found.tag or changed}")

    def save(self, name: str, path: Path) -> None:
        """Write an upload to a file. Raise FileNotFoundError if it does not exist."""
        with self._speak():
            self._objects.save(name, path)

    def put(self, name: str, path: Path) -> None:
        with self._speak():
            self._objects.put(name, path)

    def require_apart(self, target: str) -> None:
        """Raise BackupError if the target is inside the storage, because each backup would include earlier ones."""
        place = Path(target).as_uri() if target.startswith("/") else target.rstrip("/")
        if f"{place}/".startswith(f"{self.url}/"):
            raise BackupError(
                f"{target} is inside the upload storage ({self.url}), so each backup would include the earlier ones. Nothing was "
                "backed up. Use another place, preferably another bucket."
            )

    @contextmanager
    def _speak(self) -> Iterator[None]:
        try:
            yield
        except BuildError as error:  # its message is about builds
            raise BackupError(
                f"The upload storage {self.url} does not respond, or rejects the request ({error.__cause__ or error}). Images and "
                "documents would be missing, so nothing was done. Earlier backups are unchanged. Check PORTOLAN_MEDIA_STORAGE, the "
                "credentials (AWS_…, GOOGLE_…, AZURE_…) and the network, then try again."
            ) from error
