"""Maintain the list of public images next to the builds (``builds.shown_media``).

Before a switch, its images are added. In idle times, images that no kept build's release shows are removed.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from ..builds.file_lock import file_lock
from ..builds.live import read_live
from ..builds.manifest import BuildError, list_readable
from ..builds.shown_media import ShownMedia, folders_of, read_shown_media, shown_media_file, write_shown_media
from ..releases.reader import ReleaseReader
from ..releases.release_view import Differences, ReleaseView, pack_blocked
from .release_media import ReleaseMedia


class LiveMedia:
    def __init__(self, root: Path, reader: ReleaseReader) -> None:
        self._root = root
        self._reader = reader
        self._media = ReleaseMedia(reader)
        self._seen: tuple[int, int] | None = None
        self._file: ShownMedia | None = None
        """The file's content when it was last read."""
        self._added: ReleaseView | None = None
        """All images of this release view are in the file."""

    def add(self, release_view: ReleaseView, differences: Differences) -> None:
        """Make the images of a release view public.

        Without a list yet, all kept builds are read.
        """
        with _list_lock(self._root):
            before = self._read()
            if before is None:
                self._write(self._find({release_view.release}))
            else:
                covers = {str(release_view.release): release_view.mark} if release_view.mark else before.covers
                found = folders_of(self._names(release_view, differences, before))
                if not found <= before.folders:
                    self._write(ShownMedia(before.folders | found, covers))
            self._added = release_view

    def _names(self, release_view: ReleaseView, differences: Differences, before: ShownMedia) -> set[str]:
        """Return its images, or only those that may be missing in the file."""
        if self._added:
            changed = (change.after for change in differences.between(self._added, release_view) if change.after)
            return self._media.of_items(release_view.release, changed)
        return self._media.names(release_view.release, before.covers) | self._media.of_blocked(
            pack_blocked(release_view.blocked)
        )

    def renew(self) -> None:
        """Remove images that are no part of a kept build's release."""
        with _list_lock(self._root):
            before, found = self._read(), self._find(())
            if before != found:
                self._write(found)

    def _find(self, more: Iterable[int]) -> ShownMedia:
        """Return the images of all kept builds, the live content, and these releases."""
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
                folders |= before.folders  # a build outlives its release, whose images are then unknown
        for blocked in live.blocked.values():
            folders |= folders_of(self._media.of_blocked(pack_blocked(blocked)))
        return ShownMedia(frozenset(folders), covers)

    def _read(self) -> ShownMedia | None:
        """Return the list.

        If another process has written it, forget the additions of this process.
        """
        seen = _signature(shown_media_file(self._root))
        if seen != self._seen or seen is None:
            self._seen, self._file, self._added = seen, None, None
            with suppress(BuildError):
                self._file = read_shown_media(self._root)
        return self._file

    def _write(self, shown: ShownMedia) -> None:
        write_shown_media(self._root, shown)
        self._seen, self._file = _signature(shown_media_file(self._root)), shown


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_mtime_ns


def _list_lock(root: Path) -> AbstractContextManager[bool]:
    """Lock the file, which publishers of several groups write."""
    root.mkdir(parents=True, exist_ok=True)
    return file_lock(root / "shown-media.lock")
