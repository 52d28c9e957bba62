"""What visitors see of media, in the store that machines share: each file's bytes under their digest, and lists that say which
names stand for which bytes. Lists are added, as names come; a later one counts more than an earlier one.
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
    """Of the bytes, as ``store.digest_of`` has it."""
    changed_ns: int
    """When it was written where it comes from: copies have this time too, so that every edge gives it the same tag."""

    @property
    def key(self) -> str:
        return FILES + self.digest


MediaFiles = Mapping[str, MediaFile]
"""By name, as below ``/media/``."""


def pack_list(number: int, files: MediaFiles) -> tuple[str, bytes]:
    """Name and bytes of the list with this number."""
    data = orjson.dumps({name: list(file) for name, file in files.items()}, option=orjson.OPT_SORT_KEYS)
    return f"{number:06}-{digest_of(data)[:16]}.json", data


def unpack_list(name: str, data: bytes) -> MediaFiles:
    """Raises BuildError where it is damaged."""
    try:
        if digest_of(data)[:16] != name[7:23]:
            raise ValueError("its digest differs")
        files = {str(file): MediaFile(*found) for file, found in orjson.loads(data).items()}
        if strange := next((file for file in files if read_media_name(MEDIA + file) is None), None):
            raise ValueError(f"{strange!r} is no name of a file")
        return files
    except (ValueError, TypeError, AttributeError) as error:
        raise BuildError(f"The list of media {name} is damaged ({error}). It is fetched again.") from error


def lists_folder(root: Path) -> Path:
    """Where a machine has the lists it follows."""
    return root / "media"


def next_number(lists: Iterable[str]) -> int:
    return max((int(name[:6]) for name in lists), default=0) + 1
