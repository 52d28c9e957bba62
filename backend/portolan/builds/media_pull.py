"""Fetch public media from the shared store.

Lists and small new files arrive before a switch, the remaining small files afterwards, and large files at the first
request (``edge.stored_media``).
"""

import logging
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Final

from .disk import make_folder, write_whole
from .live import live_file
from .manifest import BuildError
from .media_copies import LARGE_BYTES, ListedMedia, MediaCopies, join_lists, read_lists
from .media_lists import LISTS, MediaFile, lists_folder, unpack_list
from .object_store import ObjectStore, StoreAway
from .shared_pointer import SharedPointer

_BEFORE_SWITCH_BYTES: Final = 64 << 20
"""Limit of new files that a switch waits for."""
_AT_ONCE: Final = 48
"""Files fetched between two looks at the pointer."""

_log = logging.getLogger(__name__)


class MediaPull:
    """The media of one follower."""

    def __init__(self, root: Path, objects: ObjectStore, copies: MediaCopies) -> None:
        self._folder = lists_folder(root)
        self._objects = objects
        self._copies = copies
        self._listed = ListedMedia(root, objects)
        self._has_live = live_file(root).exists()
        self._due = deque(join_lists(read_lists(self._folder)).items())
        """Files that may be missing here. At the start that is every file, because the folder of copies may be
        empty."""

    def pull(self, pointer: SharedPointer) -> None:
        """Fetch the lists and new files of usual size before the switch.

        Raise StoreAway or BuildError.

        The first switch of a machine does not wait for the files. The edge fetches them on request.
        """
        if pointer.media is None:
            return
        known = {path.name for path in self._folder.glob("*.json")}
        missing = [name for name in pointer.media.lists if name not in known]
        try:
            lists = dict(zip(missing, self._objects.each(self._get, missing), strict=True))
            new = {file: found for name, data in lists.items() for file, found in unpack_list(name, data).items()}
            missing_files = [each for each in new.items() if not self._copies.has(*each)]
            wanted = [each for each in missing_files if each[1].size <= LARGE_BYTES]
            if self._has_live and sum(file.size for _, file in wanted) <= _BEFORE_SWITCH_BYTES:
                self._objects.each(self._bring, wanted)
            else:
                self._due.extend(wanted)
        except FileNotFoundError as error:
            raise BuildError(
                f"The shared store lacks media that its pointer names ({error}). It will be read again."
            ) from error
        for name, data in lists.items():
            make_folder(self._folder)
            write_whole(str(self._folder / name), data, 0o644, durable=True)
        for name, file in missing_files:
            if file.size > LARGE_BYTES:
                self._copies.remove(name)  # an older file of this name
        self._has_live = True

    def bring_rest(self) -> None:
        """Fetch some of the missing files.

        If that fails, the edge fetches them on request.
        """
        some: list[tuple[str, MediaFile]] = []
        while self._due and len(some) < _AT_ONCE:
            name, file = self._due.popleft()
            if file.size <= LARGE_BYTES and not self._copies.has(name, file):
                some.append((name, file))
        try:
            self._objects.each(self._bring_if_there, some)
        except StoreAway:
            self._due.extend(some)  # the look at the pointer reports it
        except (BuildError, OSError) as error:
            _log.error("%s", error)

    @property
    def has_rest(self) -> bool:
        return bool(self._due)

    def prune(self, pointer: SharedPointer) -> None:
        """Remove lists that the pointer lacks, and copies that only those lists name."""
        if pointer.media is None:
            return
        before = join_lists(read_lists(self._folder))
        for path in self._folder.glob("*.json"):
            if path.name not in pointer.media.lists:
                path.unlink(missing_ok=True)
        for name in before.keys() - join_lists(read_lists(self._folder)).keys():
            self._copies.remove(name)

    def _get(self, name: str) -> bytes:
        return self._objects.get(LISTS + name)

    def _bring_if_there(self, wanted: tuple[str, MediaFile]) -> None:
        with suppress(FileNotFoundError):  # withdrawn meanwhile
            self._bring(wanted)

    def _bring(self, wanted: tuple[str, MediaFile]) -> None:
        self._copies.bring(self._listed, *wanted)
