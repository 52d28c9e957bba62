"""Make compressed copies in the background, once per digest.

The edge sends the best copy there is.
"""

import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import brotli
from isal import igzip

from ..domain.routes import page_of_data
from .live import read_live
from .manifest import BuildError, Carried, File, Manifest, read_manifest
from .packs import Encoding
from .store import ContentStore

COMPRESSIBLE: Final = (
    "text/",
    "application/json",
    "application/javascript",
    "application/manifest+json",
    "application/xml",
    "application/pdf",
    "image/svg+xml",
    "application/wasm",
)
SMALLEST_BYTES: Final = 200
"""The headers of a copy cost more than compressing a smaller file saves."""

_NICENESS: Final = 19
_PASSING_BROTLI: Final = 2
_QUICK_BROTLI: Final = 5
_BEST_BROTLI: Final = 11
_GZIP: Final = 3
"""isal's best level: a sixth of zlib's time for 9 % more bytes. Almost only bots request gzip."""


def is_compressible(content_type: str) -> bool:
    return content_type.startswith(COMPRESSIBLE)


def is_worth_a_copy(file: File | Carried) -> bool:
    return file.size >= SMALLEST_BYTES and is_compressible(file.content_type)


def compress_in_passing(data: bytes, encoding: Encoding) -> bytes:
    """Return a copy for a visitor who waits.

    It takes a third of the quick copy's time, and has a seventh more bytes.
    """
    copy: bytes
    if encoding == "gzip":
        copy = igzip.compress(data, _GZIP, mtime=0)
    else:
        copy = brotli.compress(data, quality=_PASSING_BROTLI)
    return copy


def make_quick_copies(
    store: ContentStore, files: Iterable[File | Carried], stopped: Callable[[], bool] = lambda: False
) -> int:
    """Give each file the quick gzip and Brotli copies that it lacks.

    Return the number of new copies.
    """
    made = 0
    for file in files:
        if stopped():
            break
        missing = {"br", "gzip"} - store.encodings(file.digest)
        data = store.read(file.digest) if missing else None
        if data is None:
            continue
        if "br" in missing:
            store.put_copy(file.digest, "br", brotli.compress(data, quality=_QUICK_BROTLI))
            made += 1
        if "gzip" in missing:
            store.put_copy(file.digest, "gzip", compress_in_passing(data, "gzip"), best=True)
            made += 1
    return made


def make_best_copies(store: ContentStore, files: Iterable[File | Carried], stopped: Callable[[], bool]) -> int:
    """Replace quick Brotli copies by the best ones. Return the number of new copies."""
    made = 0
    for file in files:
        if stopped():
            break
        data = None if store.has_best_copy(file.digest, "br") else store.read(file.digest)
        if data is not None:
            copies = [brotli.compress(data, quality=_BEST_BROTLI)]
            quick = store.read(file.digest, "br")
            if quick:
                copies.append(quick)  # the quick copy of a very regular text is smaller
            store.put_copy(file.digest, "br", min(copies, key=len), best=True)
            made += 1
    return made


class Compressor(threading.Thread):
    """Makes the best copies for the live builds, on a thread of the lowest priority.

    ``wake`` it after each switch. If it is stopped early, it continues after the next start.
    """

    def __init__(self, root: Path) -> None:
        super().__init__(name="compressor", daemon=True)
        self._root = root
        self._store = ContentStore(root)
        self._seen: dict[str, Manifest] = {}
        self._best: set[str] = set()
        self._woken = threading.Event()
        self._ended = threading.Event()

    def wake(self) -> None:
        self._woken.set()

    def stop(self, timeout_s: float = 5) -> None:
        """Stop after the current file, and wait for that.

        An unfinished copy is never visible.
        """
        self._ended.set()
        self._woken.set()
        if self.is_alive():
            self.join(timeout_s)

    def run(self) -> None:
        with suppress(OSError, AttributeError):
            # On Linux this sets the priority of this thread alone.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        self._woken.set()
        while not self._ended.is_set():
            self._woken.wait()
            self._woken.clear()
            self.work()

    def work(self) -> None:
        """Make quick copies of the live files, then the best, until woken or stopped."""
        files = self._files()
        make_quick_copies(self._store, files, self._interrupted)
        for file in files:
            if self._interrupted():
                return
            make_best_copies(self._store, [file], self._interrupted)
            self._best.add(file.digest)

    def _interrupted(self) -> bool:
        return self._woken.is_set() or self._ended.is_set()

    def _files(self) -> list[File | Carried]:
        """Return compressible live files without best copies, most visited first."""
        files: dict[str, tuple[int, int, File | Carried]] = {}
        for site, build in read_live(self._root).builds.items():
            with suppress(BuildError):
                self._seen[site] = read_manifest(self._root, site, build, self._seen.get(site))
                for path, file in self._seen[site].every_file():
                    if is_worth_a_copy(file):
                        rank = _distance(path), file.size, file
                        files[file.digest] = min(rank, files.get(file.digest, rank))
        self._best &= files.keys()
        return [file for _, _, file in sorted(rank for digest, rank in files.items() if digest not in self._best)]


def _distance(path: str) -> int:
    """Return a file's distance from the home page, which most visitors see.

    Files that all pages need have 0.

    >>> [_distance(path) for path in ("/", "/services/web", "/page-data/services/web/page-data.json", "/assets/a.js")]
    [0, 2, 2, 0]
    """
    if path.startswith("/assets/"):
        return 0
    return (page_of_data(path) or path).rstrip("/").count("/")
