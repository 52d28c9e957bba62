"""The scrub: check all files of kept builds slowly, and repair damage.

Damage that it cannot repair is listed in ``damage.json``. Disks lose bits silently, and a page may be read for the
first time when a visitor needs it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from .damage import NO_DAMAGE, SAID_FILES, DamagedFile, DamageReport, read_damage, write_damage
from .file_lock import file_lock
from .integrity import Damage, find_damage
from .live import read_live
from .manifest import BuildError, Carried, File, list_readable, manifest_path, now_iso, read_head, read_manifest
from .mending import mend
from .store import ContentStore

BYTES_PER_S: Final = 8 << 20
"""A few per cent of an idle disk's speed: a gigabyte in two minutes."""
ROUND_EVERY_S: Final = 24 * 3600
_LOOK_AGAIN_S: Final = 600
_LOGGED_FILES: Final = 20
"""Number of damaged files that are logged one by one."""
_LOCK: Final = "scrub.lock"
_REQUEST: Final = "scrub.wish.lock"

_log = logging.getLogger(__name__)


class Named(NamedTuple):
    """A stored file, and one place where visitors find it."""

    file: File | Carried
    site: str
    build: str
    path: str

    @property
    def place(self) -> str:
        return f"{self.site} {self.build} {self.path}"


class Scrub:
    """Runs rounds. Only one process of a machine does so at a time."""

    def __init__(
        self,
        root: Path,
        pause: Callable[[float], bool] = lambda seconds: False,
        clock: Callable[[], float] = time.monotonic,
        bytes_per_s: float = BYTES_PER_S,
    ) -> None:
        """``pause`` waits for this many seconds and returns True to stop."""
        self._root = root
        self._store = ContentStore(root)
        self._pause = pause
        self._clock = clock
        self._bytes_per_s = bytes_per_s
        self._report = NO_DAMAGE

    def round(self, wait: bool = False) -> DamageReport | None:
        """Check every file once.

        Return None if stopped, or if another process is running a round.

        With ``wait``, the other process stops for this one.
        """
        with _round_lock(self._root, wait) as is_alone:
            if not is_alone:
                return None
            self._look_at_known()
            started, read = self._clock(), 0
            unreadable: dict[str, str] = {}
            for named in find_named(self._root, unreadable):
                read += named.file.size
                self._look(named)
                rest = max(0.0, read / self._bytes_per_s - (self._clock() - started))
                if self._pause(rest) or (not wait and _is_requested(self._root)):
                    return None
            for build in unreadable.keys() - self._report.manifests.keys():
                _log.error("%s", unreadable[build])
            self._write(passed=now_iso(), manifests=unreadable)
            return self._report

    def look_again(self) -> None:
        """Check known damage again, because a publish may have replaced it."""
        if read_damage(self._root).files:
            with _round_lock(self._root, wait=False) as is_alone:
                if is_alone:
                    self._look_at_known()

    def _look_at_known(self) -> None:
        self._report = read_damage(self._root)
        left = set(self._report.files)
        for named in find_named(self._root, {}) if left else ():
            if named.file.digest in left:
                left.remove(named.file.digest)
                self._look(named)
        for digest in left:
            self._forget(digest)  # all builds with it are pruned

    def _look(self, named: Named) -> None:
        damage = find_damage(self._store, named.file)
        if damage and not manifest_path(self._root, named.site, named.build).exists():
            return  # pruned meanwhile with its files
        if damage:
            damage = [each for each in damage if not self._mend(named, each)]
        of_file = next((each for each in damage if each.encoding is None), None)
        if of_file:
            self._note(named, of_file)
        elif named.file.digest in self._report.files:
            self._forget(named.file.digest)

    def _mend(self, named: Named, damage: Damage) -> bool:
        """Return True if the damage was repaired."""
        if not mend(self._store, named.file, damage):
            return False
        self._write(mended=self._report.mended + 1)
        _log.warning("%s: %s It was made again and is intact.", named.place, _sentence(damage.what))
        return True

    def _note(self, named: Named, damage: Damage) -> None:
        known = self._report.files
        if damage.digest in known:
            return
        if len(known) < _LOGGED_FILES:
            _log.error("%s: %s The publisher makes it again.", named.place, _sentence(damage.what))
        elif len(known) == _LOGGED_FILES:
            _log.error("More files are damaged. `portolan verify` names all of them.")
        if len(known) < SAID_FILES:
            found = DamagedFile(damage.digest, named.file.size, damage.what, named.place, now_iso())
            self._write(files={**known, found.digest: found})

    def _forget(self, digest: str) -> None:
        self._write(files={each: file for each, file in self._report.files.items() if each != digest})

    def _write(self, **changes: Any) -> None:
        self._report = self._report._replace(**changes)
        write_damage(self._root, self._report)


def find_named(root: Path, unreadable: dict[str, str]) -> Iterator[Named]:
    """Yield every stored file of the kept builds once, live builds first.

    ``unreadable`` collects the reasons for builds with an unreadable manifest.
    """
    seen: set[str] = set()
    live = read_live(root).builds
    folder = root / "manifests"
    sites = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    for is_live in (True, False):
        for site in sites:
            known = None
            heads = list_readable(root, site)
            for name in {path.stem for path in (folder / site).glob("*.json")} - {head.build for head in heads}:
                with suppress(FileNotFoundError):
                    unreadable[f"{site} {name}"] = _find_reason(root, site, name)
            for build in reversed(heads):
                if (build.build == live.get(site)) != is_live:
                    continue
                try:
                    known = read_manifest(root, site, build.build, known)
                except BuildError as error:
                    if manifest_path(root, site, build.build).exists():  # False if it was pruned meanwhile
                        unreadable[f"{site} {build.build}"] = str(error)
                    continue
                for path, file in known.every_file():
                    if file.digest not in seen:
                        seen.add(file.digest)
                        yield Named(file, site, build.build, path)


def _find_reason(root: Path, site: str, build: str) -> str:
    """Return why a manifest is unreadable.

    Raise FileNotFoundError if it was pruned meanwhile.
    """
    try:
        read_head(root, site, build)
    except BuildError as error:
        if manifest_path(root, site, build).exists():
            return str(error)
    raise FileNotFoundError(build)


@contextmanager
def _round_lock(root: Path, wait: bool) -> Iterator[bool]:
    """Yield True if no other process is running a round."""
    wish = file_lock(root / _REQUEST, shared=True) if wait else nullcontext()  # a slow round stops for it
    with wish, file_lock(root / _LOCK, wait) as is_alone:
        yield is_alone


def _is_requested(root: Path) -> bool:
    """Return True if an urgent round is waiting."""
    with file_lock(root / _REQUEST, wait=False) as is_ours:
        return not is_ours


def _sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


class Scrubber(threading.Thread):
    """Runs a round a day, and checks known damage again after ``wake``."""

    def __init__(self, root: Path) -> None:
        super().__init__(name="scrub", daemon=True)
        self._root = root
        self._scrub = Scrub(root, self._wait)
        self._ended = threading.Event()
        self._woken = threading.Event()

    def wake(self) -> None:
        self._woken.set()

    def stop(self, timeout_s: float = 5) -> None:
        self._ended.set()
        self._woken.set()
        if self.is_alive():
            self.join(timeout_s)

    def run(self) -> None:
        while not self._ended.is_set():
            self._woken.clear()
            try:
                if not self._root.is_dir():
                    pass  # nothing is published here yet
                elif self._is_due():
                    self._scrub.round()
                else:
                    self._scrub.look_again()
            except (OSError, BuildError) as error:
                _log.error("Stored files could not be checked: %s", error)
            self._woken.wait(_LOOK_AGAIN_S)

    def _is_due(self) -> bool:
        """Return True if a round is due.

        New damage makes a round due at once, because the disk may have more.
        """
        report = read_damage(self._root)
        passed = report.passed
        if any(file.since > passed for file in report.files.values()):
            return True
        age = datetime.now(UTC) - datetime.fromisoformat(passed) if passed else None
        return age is None or not timedelta() <= age < timedelta(seconds=ROUND_EVERY_S)

    def _wait(self, seconds: float) -> bool:
        return self._ended.wait(seconds)
