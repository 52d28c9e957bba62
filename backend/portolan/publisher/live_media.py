"""Says beside the builds which pictures visitors may have (``builds.shown_media``): before a switch what it shows is added, in
idle times what no kept build's release shows any more is left out.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..builds.live import read_live
from ..builds.manifest import BuildError, list_readable
from ..builds.shown_media import ShownMedia, folders_of, read_shown_media, write_shown_media
from ..releases.edition import pack_held
from ..releases.reader import Held, ReleaseReader
from .release_media import ReleaseMedia


class LiveMedia:
    def __init__(self, root: Path, reader: ReleaseReader) -> None:
        self._root = root
        self._reader = reader
        self._media = ReleaseMedia(reader)
        self._known: ShownMedia | None = None
        """As far as this process got. The file has no release of which nothing was new."""

    def add(self, release: int, held: Held) -> None:
        """What a release shows may be had from now on. Where nobody knows what may be, all kept builds are looked at."""
        with _alone(self._root):
            before = self._read()
            if before is None:
                self._write(self._find({release}))
                return
            covers = self._known.covers if self._known and self._known.folders <= before.folders else before.covers
            found = folders_of({*self._media.names(release, covers), *self._media.of_held(pack_held(held))})
            mark = self._reader.mark(release)
            shown = ShownMedia(before.folders | found, {str(release): mark} if mark else covers)
            if found <= before.folders:
                self._known = shown
            else:
                self._write(shown)

    def renew(self) -> None:
        """Leave out what is shown no more."""
        with _alone(self._root):
            before, found = self._read(), self._find(())
            if before != found:
                self._write(found)

    def _find(self, more: Iterable[int]) -> ShownMedia:
        """Of all kept builds, of what is live, and of these releases."""
        live = read_live(self._root)
        folder = self._root / "manifests"
        sites = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        releases = {head.release for site in sites for head in list_readable(self._root, site)}
        folders: set[str] = set()
        covers: dict[str, str] = {}
        for release in sorted({*releases, *live.releases.values(), *more}):
            if mark := self._reader.mark(release):
                folders |= folders_of(self._media.names(release, covers))
                covers[str(release)] = mark
            elif before := self._read():
                folders |= before.folders  # a build is kept longer than its release: nobody can tell what it shows
        for held in live.held.values():
            folders |= folders_of(self._media.of_held(pack_held(held)))
        return ShownMedia(frozenset(folders), covers)

    def _read(self) -> ShownMedia | None:
        with suppress(BuildError):
            return read_shown_media(self._root)
        return None

    def _write(self, shown: ShownMedia) -> None:
        write_shown_media(self._root, shown)
        self._known = shown


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Publishers of several groups write one file."""
    root.mkdir(parents=True, exist_ok=True)
    lock = os.open(root / "shown-media.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)
