"""A registry file that is edited while somebody works by it."""

from hashlib import sha256
from pathlib import Path

from .load import read_registry
from .registry import Registry


class RegistryFile:
    """Tells when the file holds another registry than the one in force: by what it says, never by its time."""

    def __init__(self, file: Path, in_force: Registry) -> None:
        self._file = file
        self._in_force = in_force
        self._seen = ""
        self._other: Registry | None = None

    def find_other(self) -> Registry | None:
        """The registry that the file holds now, if it says something else than the one in force.

        Raises RegistryError for one that cannot be used, once: what is in force stays so until the file is fixed.
        """
        try:
            edition = sha256(self._file.read_bytes()).hexdigest()
        except OSError as error:
            edition = f"cannot be read: {error}"
        if edition != self._seen:
            self._seen, self._other = edition, None
            found = read_registry(self._file)
            self._other = None if found == self._in_force else found
        return self._other
