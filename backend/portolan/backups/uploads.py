"""What editors upload, where it lies in a storage that machines share (``PORTOLAN_MEDIA_STORAGE``)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ..builds.manifest import BuildError
from .problem import BackupError


class Upload(NamedTuple):
    """One file there."""

    name: str
    size: int
    changed_ns: int
    version: str
    """Other bytes under this name have another one."""


class Uploads:
    """Raises BackupError where the storage does not answer, or refuses."""

    def __init__(self, url: str) -> None:
        from ..builds.object_store import ObjectStore  # an extra: only where the setting asks for it

        self.url = url.rstrip("/")
        with self._speak():
            self._objects = ObjectStore(url)

    def list(self) -> Iterator[Upload]:
        with self._speak():
            for found in self._objects.list():
                changed = int(found.changed.timestamp() * 1_000_000) * 1000
                yield Upload(found.key, found.size, changed, f"{found.size} {found.tag or changed}")

    def save(self, name: str, path: Path) -> None:
        """Write one to a file. Raises FileNotFoundError where there is none of that name."""
        with self._speak():
            self._objects.save(name, path)

    def put(self, name: str, path: Path) -> None:
        with self._speak():
            self._objects.put(name, path)

    def require_apart(self, target: str) -> None:
        """Raises BackupError where backups would lie among the uploads, and each be part of the next one."""
        place = Path(target).as_uri() if target.startswith("/") else target.rstrip("/")
        if f"{place}/".startswith(f"{self.url}/"):
            raise BackupError(
                f"{target} lies in the storage of uploads ({self.url}), so that each backup would hold those before it. Nothing was "
                "written. Name a place beside it, best in a bucket of its own."
            )

    @contextmanager
    def _speak(self) -> Iterator[None]:
        try:
            yield
        except BuildError as error:  # it speaks of builds
            raise BackupError(
                f"The storage of uploads {self.url} does not answer, or refuses ({error.__cause__ or error}), so that pictures and "
                "documents would be missing. Backups that are there already are as they were. Look at PORTOLAN_MEDIA_STORAGE, the "
                "credentials (AWS_…, GOOGLE_…, AZURE_…) and the network between; then do it again."
            ) from error
