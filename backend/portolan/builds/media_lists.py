"""Public media in the shared store: bytes by digest, and lists of names.

New names are added as further lists. Later lists override earlier ones.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from ..domain.media_addresses import MEDIA, read_media_name
from .manifest import BuildError
from .store import digest_of

LISTS: Final = "media/lists/"
FILES: Final = "media/files/"


class MediaFile(NamedTuple):
    size: int
    digest: str
    """As from ``store.digest_of``."""
    changed_ns: int
    """Modification time at the source. Copies keep it, so that all edges send the same entity tag."""

    @property
    def key(self) -> str:
        return FILES + self.digest


MediaFiles = Mapping[str, MediaFile]
"""By name, which is the path below ``/media/``."""


def pack_list(number: int, files: MediaFiles) -> tuple[str, bytes]:
    """Return the name and bytes of the list with this number."""
    data = orjson.dumps({name: list(file) for name, file in files.items()}, option=orjson.OPT_SORT_KEYS)
    return f"{number:06}-{digest_of(data)[:16]}.json", data


def unpack_list(name: str, data: bytes) -> MediaFiles:
    """Return the files of a list. Raise BuildError if it is damaged."""
    try:
        if digest_of(data)[:16] != name[7:23]:
            raise ValueError("its digest differs")
        files = {str(file): MediaFile(*found) for file, found in orjson.loads(data).items()}
        if strange := next((file for file in files if read_media_name(MEDIA + file) is None), None):
            raise ValueError(f"{strange!r} is not the name of a file")
        return files
    except (ValueError, TypeError, AttributeError) as error:
        raise BuildError(f"The list of media {name} is damaged ({error}). It is fetched again.") from error


def lists_folder(root: Path) -> Path:
    """Return the folder of the lists that this machine follows."""
    return root / "media"


def next_number(lists: Iterable[str]) -> int:
    return max((int(name[:6]) for name in lists), default=0) + 1
