"""Create a backup while everything runs.

The order makes it complete: live pointer and spool, then the database at one moment, then the spool again, then files.
A lead that leaves the spool meanwhile is in one of the two. Files of leads and media are on disk before their rows.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from errno import EIO
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Final, NamedTuple

import orjson

from .. import __version__
from ..builds.file_lock import file_lock
from ..builds.live import live_file, read_live
from ..builds.manifest import BuildError, read_manifest
from .catalogue import (
    FILES,
    FORMAT,
    Area,
    Backup,
    Contents,
    LiveBuild,
    SavedFile,
    StoredFile,
    backup_key,
    read_backups,
)
from .database import engine_of, take_snapshot
from .folders import Folders, Found, find_files
from .keep import remove_unused
from .keys import Keys, encrypt
from .known_digests import KnownDigests
from .problem import BackupError, BackupIsAtWork
from .reading import fetch
from .target import Target
from .uploads import Upload, Uploads

_AT_ONCE: Final = 8
_UNFINISHED: Final = "backup-unfinished-"
_LOCK: Final = "backup.lock"
_WAITING: Final = (".json", ".bad")

OpenShared = Callable[[str], IO[bytes]]
"""Opens a lead's file in a shared storage by name. Raises FileNotFoundError."""


class Order(NamedTuple):
    """The options of a backup."""

    company: str
    environment: str
    keys: Keys
    with_builds: bool = False
    keep: int = 0
    """Number of backups to keep; 0: all."""
    shared: OpenShared | None = None


class Made(NamedTuple):
    backup: Backup
    vanished: list[str]
    """Files that were removed during the backup."""
    removed: int
    """Number of earlier backups that were removed."""
    with_secret_key: bool
    damaged: list[str]
    """Files of leads that differ from the received ones. Earlier backups may have them undamaged, so none was removed."""


def make_backup(folders: Folders, target: Target, order: Order) -> Made:
    """Create a backup. Raise BackupError or BackupIsAtWork; the target is then unchanged."""
    with _alone(folders.var_dir), _working_folder(folders.var_dir) as working:
        return _Making(folders, target, order, working).make()


class _Making:
    def __init__(self, folders: Folders, target: Target, order: Order, working: Path) -> None:
        self._folders = folders
        self._target = target
        self._order = order
        self._working = working
        self._started, self._began = time.monotonic(), datetime.now(UTC)
        self._known: dict[str, StoredFile] = {}
        self._vanished: list[str] = []
        self._new: list[StoredFile] = []
        self._uploads = Uploads(folders.media_storage) if folders.media_storage else None

    def make(self) -> Made:
        if self._uploads:
            self._uploads.require_apart(self._target.url)
        backups = self._read_earlier()
        there = {found.key: found.size for found in self._target.list(FILES)}
        earlier = {stored.key: stored for backup in backups for stored in backup.files}
        self._known = {key: stored for key, stored in earlier.items() if there.get(key) == stored.size}
        pointer, live = read_pointer(self._folders.builds_dir)
        waiting = self._read_spool()
        snapshot = take_snapshot(self._folders.database, self._working)
        waiting |= self._read_spool()
        is_secret = bool(self._order.keys.recipients)
        found = list(find_files(self._folders, is_secret, self._order.with_builds))
        found += self._stage_spool(waiting)
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="backup") as threads:
            saved = [each for each in threads.map(self._save, found) if each]
            here = {each.path for each in saved if each.area == "leads"}
            missing = [name for name in _names_of(snapshot.lead_files, waiting) if f"files/{name}" not in here]
            damaged = [
                f"leads/{each.path}"
                for each in saved
                if each.area == "leads"
                and snapshot.lead_files.get(each.path.removeprefix("files/"), each.sha256) != each.sha256
            ]
            saved += [each for each in threads.map(self._save_shared, missing) if each]
            if self._uploads:
                saved += self._save_uploads(self._uploads, threads)
        database = Found("database", snapshot.file.name, snapshot.file)
        saved += [each for each in [self._save(database)] if each]
        if snapshot.is_packed:
            saved[-1] = saved[-1].model_copy(update={"is_packed": True})
        contents = Contents(
            files=saved,
            pointer=pointer,
            live=live,
            migrations=snapshot.migrations,
            database_version=snapshot.version,
            leads_in_spool=len(waiting),
        )
        backup = self._finish(contents, saved)
        removed = remove_unused(self._target, [*backups, backup], 0 if damaged else self._order.keep)
        shown = any(each.area == "var" for each in saved)
        return Made(backup, self._vanished, removed, shown, damaged)

    def _read_earlier(self) -> list[Backup]:
        backups = read_backups(self._target)
        for backup in backups[-1:]:
            if (backup.company, backup.environment) != (self._order.company, self._order.environment):
                raise BackupError(
                    f"{self._target.url} has backups of {backup.company} ({backup.environment}), but this is "
                    f"{self._order.company} ({self._order.environment}). They would replace each other. Nothing was backed up. "
                    "Use another folder or prefix."
                )
        return backups

    def _read_spool(self) -> dict[str, bytes]:
        waiting = {}
        with suppress(FileNotFoundError):
            for path in self._folders.spool.iterdir():
                if path.suffix in _WAITING:
                    with suppress(FileNotFoundError):  # stored meanwhile
                        waiting[path.name] = path.read_bytes()
        return waiting

    def _stage_spool(self, waiting: Mapping[str, bytes]) -> Iterator[Found]:
        folder = self._working / "spool"
        folder.mkdir(mode=0o700)
        for name, data in waiting.items():
            (folder / name).write_bytes(data)
            yield Found("spool", name, folder / name)

    def _save(self, found: Found) -> SavedFile | None:
        """Save a file. Return None if it is gone: its row is gone too, or a process has ended its work on it."""
        try:
            with found.file.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
                size, modified = file.tell(), os.fstat(file.fileno()).st_mtime_ns
                key = self._key(found.area, found.path, digest)
                if key in self._known:
                    return SavedFile(
                        area=found.area, path=found.path, size=size, sha256=digest, key=key, modified_ns=modified
                    )
                file.seek(0)
                return self._store(found.area, found.path, file, modified)
        except FileNotFoundError:
            self._vanished.append(f"{found.area}/{found.path}")
            return None
        except OSError as error:
            if error.errno != EIO:
                raise
            raise BackupError(
                f"{found.file} cannot be read: the disk has an error ({error.strerror}). Nothing was backed up. All earlier "
                "backups remain. Check the disk, and restore the file from an earlier backup."
            ) from error

    def _save_shared(self, name: str) -> SavedFile | None:
        try:
            if self._order.shared is None:
                raise FileNotFoundError(name)
            with self._order.shared(name) as file:
                return self._store("leads", f"files/{name}", file)
        except FileNotFoundError:
            self._vanished.append(f"leads/files/{name}")
            return None

    def _save_uploads(self, uploads: Uploads, threads: ThreadPoolExecutor) -> list[SavedFile]:
        """Save the uploads. Those that are unchanged since this machine's last backup are not fetched."""
        digests = KnownDigests(self._folders.var_dir, uploads.url)

        def save(upload: Upload) -> SavedFile | None:
            digest = digests.find(upload)
            key = self._key("media", upload.name, digest)
            if digest and key in self._known:
                return SavedFile(
                    area="media",
                    path=upload.name,
                    size=upload.size,
                    sha256=digest,
                    key=key,
                    modified_ns=upload.changed_ns,
                )
            staged = self._working / token_hex(8)
            try:
                uploads.save(upload.name, staged)
                os.utime(staged, ns=(upload.changed_ns, upload.changed_ns))
                saved = self._save(Found("media", upload.name, staged))
            except FileNotFoundError:
                self._vanished.append(f"media/{upload.name}")
                return None
            finally:
                staged.unlink(missing_ok=True)
            if saved:
                digests.note(upload, saved.sha256)
            return saved

        saved = [each for each in threads.map(save, uploads.list()) if each]
        digests.write()
        return saved

    def _store(self, area: Area, path: str, file: IO[bytes], modified: int = 0) -> SavedFile:
        staged = self._working / token_hex(8)
        try:
            with staged.open("wb") as copy:
                passed = encrypt(file, copy, self._order.keys)
            key = self._key(area, path, passed.sha256)  # of the bytes just read, because the file may have changed
            if key not in self._known:
                self._target.put(key, staged)
                self._known[key] = StoredFile(key=key, size=passed.stored_size, sha256=passed.stored_sha256)
                self._new.append(self._known[key])
        finally:
            staged.unlink(missing_ok=True)
        return SavedFile(
            area=area,
            path=path,
            size=passed.size,
            sha256=passed.sha256,
            key=key,
            modified_ns=modified or time.time_ns(),
        )

    def _key(self, area: Area, path: str, digest: str) -> str:
        """Return the object's name, the same for the same file in each backup.

        Leads' files have random paths, so that names do not reveal whether a known file is in the backup.
        """
        readers = " ".join(sorted(self._order.keys.recipients))
        name = hashlib.sha256(f"{area}/{path}\0{digest}\0{readers}".encode()).hexdigest()[:40]
        return f"{FILES}{name[:2]}/{name}"

    def _finish(self, contents: Contents, saved: Iterable[SavedFile]) -> Backup:
        id = f"{self._began:%Y%m%dT%H%M%S}{self._began.microsecond // 1000:03}Z-{token_hex(2)}"  # sorts by time
        staged = self._working / "contents"
        staged.write_bytes(contents.model_dump_json().encode())
        with staged.open("rb") as file:
            listed = self._store("var", f"contents-{id}", file)
        self._target.sync()
        self._check_new()
        backup = Backup(
            format=FORMAT,
            id=id,
            created=self._began.isoformat(timespec="seconds"),
            seconds=round(time.monotonic() - self._started, 2),
            version=__version__,
            company=self._order.company,
            environment=self._order.environment,
            database=engine_of(self._folders.database),
            recipients=list(self._order.keys.recipients),
            contents=self._known[listed.key],
            files=[self._known[key] for key in sorted({each.key for each in saved} | {listed.key})],
            new_bytes=sum(stored.size for stored in self._new),
        )
        staged.write_bytes(backup.model_dump_json().encode() + b"\n")
        self._target.put(backup_key(id), staged)
        self._target.sync()
        return backup

    def _check_new(self) -> None:
        """Read back all files that were written for this backup.

        This runs before the manifest is written, so a damaged backup never gets one.
        """
        folder = self._working / "check"
        folder.mkdir()
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="backup") as threads:
            for got in threads.map(lambda stored: fetch(self._target, stored, folder), self._new):
                got.unlink()


def read_pointer(builds: Path) -> tuple[dict[str, Any], dict[str, LiveBuild]]:
    """Return the live pointer and each site's live build, without damaged ones: a restore renders these again."""
    try:
        document: dict[str, Any] = orjson.loads(live_file(builds).read_bytes())
        pointer = read_live(builds)
    except (FileNotFoundError, ValueError, BuildError):
        return {}, {}
    live = {}
    for site, build in pointer.builds.items():
        with suppress(BuildError):
            live[site] = describe_build(builds, site, build, pointer.releases[site])
    return document, live


def describe_build(builds: Path, site: str, build: str, release: int) -> LiveBuild:
    """Return a summary of a build. Raise BuildError."""
    manifest = read_manifest(builds, site, build)
    lines = "".join(f"{path}\0{file.digest}\n" for path, file in sorted(manifest.files.items()))
    digest = hashlib.sha256(lines.encode()).hexdigest()
    return LiveBuild(build=build, release=release, web=manifest.web, pages=digest)


def _names_of(rows: Iterable[str], waiting: Mapping[str, bytes]) -> list[str]:
    """Return the names of leads' files: of stored leads, and of leads in the spool."""
    names = dict.fromkeys(rows)
    for data in waiting.values():
        with suppress(ValueError, KeyError, TypeError):
            names |= dict.fromkeys(file["path"] for file in orjson.loads(data)["files"])
    return list(names)


@contextmanager
def _alone(var_dir: Path) -> Iterator[None]:
    """Lock backups of an installation. Raise BackupIsAtWork if another one is running."""
    with file_lock(var_dir / _LOCK, wait=False) as is_alone:
        if not is_alone:
            raise BackupIsAtWork(
                "Another backup of this installation is running. Nothing was backed up. If this happens often, schedule "
                "backups less often."
            )
        yield


@contextmanager
def _working_folder(var_dir: Path) -> Iterator[Path]:
    for left in var_dir.glob(f"{_UNFINISHED}*"):  # left by a killed backup
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=var_dir, prefix=_UNFINISHED) as folder:
        yield Path(folder)
