"""Digests of uploads that this machine has backed up, so that the next backup does not fetch unchanged ones.

Earlier backups cannot help, because this machine may be unable to decrypt them. If this file is lost, all uploads are
fetched once more, but stored only once.
"""

from pathlib import Path
from typing import Final

import orjson

from ..builds.disk import write_whole
from .uploads import Upload

FILE: Final = "cache/uploads-of-backups.json"


class KnownDigests:
    """Digests of one storage. Threads may share it."""

    def __init__(self, var_dir: Path, storage: str) -> None:
        self._file = var_dir / FILE
        self._storage = storage
        self._of: dict[str, list[str]] = {}
        try:
            document = orjson.loads(self._file.read_bytes())
            self._of = document["of"] if document["storage"] == storage else {}
        except (FileNotFoundError, ValueError, TypeError, KeyError):
            pass
        self._seen: dict[str, list[str]] = {}

    def find(self, upload: Upload) -> str:
        """Return the digest, or an empty text if it is unknown or the upload has changed."""
        version, digest = self._of.get(upload.name, ("", ""))
        if version != upload.version:
            return ""
        self.note(upload, digest)
        return digest

    def note(self, upload: Upload, digest: str) -> None:
        self._seen[upload.name] = [upload.version, digest]

    def write(self) -> None:
        """Write the digests that were found or noted. Those of removed uploads are dropped."""
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        document = {"storage": self._storage, "of": self._seen}
        write_whole(str(self._file), orjson.dumps(document), 0o600)
