"""Watch the site configuration for changes while a process uses it."""

from hashlib import sha256
from pathlib import Path

from .added import read_added
from .brand import BRAND_FILE
from .load import read_registry
from .registry import Registry


class RegistryFile:
    """Compares the file and the brand with the configuration in use, by content and not by time."""

    def __init__(self, file: Path, in_force: Registry, added: Path | None = None) -> None:
        """``added``: the file with the sites that were added in the studio."""
        self._file = file
        self._added = added
        self._in_force = in_force
        self._seen = ""
        self._other: Registry | None = None

    def find_other(self) -> Registry | None:
        """Return the configuration in the file if it differs from the one in use.

        Raise RegistryError once for an invalid one. The one in use stays until the file is corrected.
        """
        version = self._version()
        if version != self._seen:
            self._seen, self._other = version, None
            found = read_registry(self._file, read_added(self._added))
            self._other = None if found == self._in_force else found
        return self._other

    def _version(self) -> str:
        folder = self._file.parent
        digest = sha256()
        files = [self._file, folder / BRAND_FILE, *(folder / name for name in self._in_force.brand.file_names)]
        for file in [*files, self._added] if self._added else files:
            try:
                digest.update(file.read_bytes())
            except OSError as error:
                digest.update(f"cannot be read: {error}".encode())
            digest.update(b"\0")
        return digest.hexdigest()
